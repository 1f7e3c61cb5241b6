import { Component, computed, inject, input } from '@angular/core';
import { ORDER_SORTS, ORDER_STATUSES, type OrderView } from '@weir/shared/money/orders';
import { ORDER_WORDS } from '../../billing/credit-words';
import { Api } from '../../core/api/api';
import { I18n, optionsOf } from '../../core/i18n/i18n';
import { Session } from '../../core/session/session';
import { Site } from '../../core/session/site';
import { filteredList } from '../../core/state/filtered-list';
import { OperationKeys } from '../../core/state/operation-keys';
import { Dialogs } from '../../design/dialog/dialogs';
import { Toasts } from '../../design/feedback/toasts';
import { TABLE_PAGE } from '../../design/page/page-parts';
import type { Column } from '../../design/table/column';
import type { RowAct } from '../../design/table/row-menu';
import { AccountFilter } from '../accounts/finder/account-filter';
import { Address } from '../../core/state/address';
import { addressChoice, addressId } from '../../core/state/address-value';
import { orderFrom } from '../../design/table/sort-order';
import { FilterBar } from '../../views/filter-bar';
import { ORDER_LINKS } from './order-links';
import { RefundDialog } from './refund-dialog';

const COLUMNS: readonly Column[] = [
  { id: 'what', header: 'order.what', width: '1.3fr', narrow: 'title' },
  { id: 'account', header: 'accounts.account', width: '1.7fr', narrow: 'note' },
  { id: 'time', header: 'order.time', width: '10.5rem', sort: '-created' },
  {
    ...{ id: 'status', header: 'order.status', width: '7.5rem', narrow: 'detail' },
    sort: 'status',
  },
  {
    ...{ id: 'amount', header: 'order.amount', width: '6rem', align: 'end', narrow: 'value' },
    sort: '-amount',
  },
  { id: 'actions', header: '', width: '2.5rem', narrow: 'actions' },
];

@Component({
  selector: 'weir-admin-orders',
  imports: [AccountFilter, FilterBar, TABLE_PAGE],
  template: `
    <weir-page [heading]="t('nav.orders')" [intro]="t('orderAdmin.intro')">
      <a pageAction matButton="outlined" download data-testid="export" [href]="exportAddress()">
        <weir-icon matButtonIcon name="download" />{{ t('orderAdmin.export') }}
      </a>
      <weir-sub-nav [label]="t('nav.orders')" [links]="links" />
      @if (site.settings()?.cardPayments === false && list.rows().length > 0) {
        <weir-note>{{ t('orderAdmin.noCards') }}</weir-note>
      }
      <weir-filter-bar list="orders">
        <weir-account-filter [(value)]="accountId" />
        <weir-filter chip [label]="t('state.any')" [options]="statuses()" [(value)]="status" />
      </weir-filter-bar>
      <weir-data-table
        [label]="t('nav.orders')"
        [list]="list"
        [columns]="columns"
        [order]="order()"
        (orderChange)="address.say('sort', $event)"
      >
        <ng-template weirCell="what" [weirCellRows]="list.rows()" let-order>
          <span class="strong">{{ order.planName ?? t('order.topUp') }}</span>
        </ng-template>
        <ng-template weirCell="account" [weirCellRows]="list.rows()" let-order>
          <a [routerLink]="['/admin/accounts', order.accountId]"
            ><weir-name [value]="order.accountName"
          /></a>
        </ng-template>
        <ng-template weirCell="time" [weirCellRows]="list.rows()" let-order>
          <weir-time [at]="order.createdAt" as="recent-moment" />
        </ng-template>
        <ng-template weirCell="status" [weirCellRows]="list.rows()" let-order>
          <weir-chip [tone]="words[order.status].tone">{{ t(words[order.status].key) }}</weir-chip>
          @if (order.chargedBackUsd !== '0') {
            <weir-chip tone="bad">{{ t('credit.chargeback') }}</weir-chip>
          }
        </ng-template>
        <ng-template weirCell="amount" [weirCellRows]="list.rows()" let-order>
          <weir-money [usd]="order.amountUsd" />
        </ng-template>
        <ng-template weirCell="actions" [weirCellRows]="list.rows()" let-order>
          @if (session.may('refundOrder')) {
            <weir-row-menu
              [row]="order"
              [name]="order.planName ?? t('order.topUp')"
              [acts]="acts"
            />
          }
        </ng-template>
        <weir-empty-state
          icon="orders"
          [heading]="t('order.none')"
          [hint]="t('orderAdmin.noneHint')"
        />
      </weir-data-table>
    </weir-page>
  `,
})
export class AdminOrders {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  readonly #keys = inject(OperationKeys);
  protected readonly site = inject(Site);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly session = inject(Session);
  protected readonly links = ORDER_LINKS;
  protected readonly words = ORDER_WORDS;
  protected readonly address = inject(Address);
  /** Query parameter: how the list is sorted. */
  readonly sort = input<string>();
  protected readonly order = computed(() => orderFrom(this.sort(), ORDER_SORTS, '-created'));
  protected readonly status = addressChoice('status', ORDER_STATUSES);
  protected readonly accountId = addressId('account');
  protected readonly statuses = optionsOf(ORDER_STATUSES, (status) => ORDER_WORDS[status].key);
  protected readonly list = filteredList(
    () => ({ status: this.status(), accountId: this.accountId(), sort: this.order() }),
    (query) => this.#api.call('listOrders', { query }),
  );
  /** With the filters of the list. */
  protected readonly exportAddress = computed(() => {
    const query = { status: this.status(), accountId: this.accountId() };
    return this.#api.addressOf('exportOrders', { query });
  });
  protected readonly acts: readonly RowAct<OrderView>[] = [
    {
      icon: 'rotate',
      label: 'orderAdmin.reconcile',
      disabled: () => !this.#hasCards(),
      run: (order) => this.reconcile(order),
    },
    {
      icon: 'arrowLeft',
      label: 'orderAdmin.refund',
      disabled: ({ status }) =>
        !this.#hasCards() || (status !== 'paid' && status !== 'partly_refunded'),
      run: (order) => this.refund(order),
    },
  ];
  protected readonly columns = COLUMNS;

  /** Without the payment service there is nobody to ask, and no way back for the money. */
  #hasCards(): boolean {
    return this.site.settings()?.cardPayments === true;
  }

  protected async reconcile(order: OrderView): Promise<void> {
    await this.#toasts.reporting(async () => {
      const params = { orderId: order.id };
      const updated = await this.#api.call('reconcileOrder', { params });
      this.list.replace(updated);
      const status = this.t(ORDER_WORDS[updated.status].key);
      this.#toasts.info(this.t('orderAdmin.reconciled', { status }));
    });
  }

  protected async refund(order: OrderView): Promise<void> {
    const updated = await this.#dialogs.open<OrderView, OrderView>(RefundDialog, { data: order });
    if (updated !== undefined) this.list.replace(updated);
    else if (this.#keys.hasPending()) await this.list.load();
  }
}
