import { Component, effect, inject, input, signal } from '@angular/core';
import { ORDER_STATUSES, type OrderView } from '@weir/shared/orders';
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
import { AccountFilter } from '../accounts/account-filter';
import { idFrom } from '../../core/state/address';
import { ORDER_LINKS } from './order-links';
import { RefundDialog } from './refund-dialog';

const COLUMNS: readonly Column[] = [
  { id: 'what', header: 'order.what', width: '1fr', narrow: 'title' },
  { id: 'account', header: 'accounts.account', width: '2fr', narrow: 'note' },
  { id: 'time', header: 'order.time', width: '10.5rem' },
  { id: 'status', header: 'order.status', width: '7.5rem', narrow: 'detail' },
  { id: 'amount', header: 'order.amount', width: '6rem', align: 'end', narrow: 'value' },
  { id: 'actions', header: '', width: '2.5rem', narrow: 'actions' },
];

@Component({
  selector: 'weir-admin-orders',
  imports: [AccountFilter, TABLE_PAGE],
  template: `
    <weir-page [heading]="t('nav.orders')" [intro]="t('orderAdmin.intro')">
      <weir-sub-nav [label]="t('nav.orders')" [links]="links" />
      @if (site.settings()?.cardPayments === false && list.rows().length > 0) {
        <weir-note>{{ t('orderAdmin.noCards') }}</weir-note>
      }
      <div class="cluster">
        <weir-account-filter [(value)]="accountId" />
        <weir-filter [label]="t('state.any')" [options]="statuses()" [(value)]="status" />
      </div>
      <weir-data-table [label]="t('nav.orders')" [list]="list" [columns]="columns">
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
  /** Query parameter: one account only. */
  readonly account = input<string>();
  protected readonly status = signal<OrderView['status'] | ''>('');
  protected readonly accountId = signal('');
  protected readonly statuses = optionsOf(ORDER_STATUSES, (status) => ORDER_WORDS[status].key);
  protected readonly list = filteredList(
    () => ({ status: this.status(), accountId: this.accountId() }),
    (query) => this.#api.call('listOrders', { query }),
  );
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

  constructor() {
    effect(() => this.accountId.set(idFrom(this.account())));
  }

  /** Without the payment service there is no one to ask, and no way to refund. */
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
