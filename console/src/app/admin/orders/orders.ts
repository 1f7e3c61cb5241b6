import { Component, computed, effect, inject, input, signal, untracked } from '@angular/core';
import { MatIconButton } from '@angular/material/button';
import { MatMenuModule } from '@angular/material/menu';
import { RouterLink } from '@angular/router';
import { ORDER_STATUSES, type OrderView } from '@weir/shared/orders';
import { ORDER_WORDS } from '../../billing/credit-words';
import { Api } from '../../core/api/api';
import { failureOf } from '../../core/api/api-failure';
import { I18n } from '../../core/i18n/i18n';
import { Session } from '../../core/session/session';
import { OperationKeys } from '../../core/state/operation-keys';
import { RowList } from '../../core/state/row-list';
import { Dialogs } from '../../design/dialog/dialogs';
import { EmptyState } from '../../design/feedback/empty-state';
import { Toasts } from '../../design/feedback/toasts';
import { Filter } from '../../design/field/filter';
import { Icon } from '../../design/icon/icon';
import { Page } from '../../design/page/page';
import { SubNav } from '../../design/page/sub-nav';
import { Cell } from '../../design/table/cell';
import type { Column } from '../../design/table/column';
import { DataTable } from '../../design/table/data-table';
import { Chip } from '../../design/text/chip';
import { Money } from '../../design/text/money';
import { Name } from '../../design/text/name';
import { Time } from '../../design/text/time';
import { AccountFilter } from '../accounts/account-filter';
import { idFrom } from '../../usage/usage-filters';
import { orderAdminLinks } from './order-links';
import { RefundDialog } from './refund-dialog';

@Component({
  selector: 'weir-admin-orders',
  imports: [
    Name,
    AccountFilter,
    Cell,
    Chip,
    DataTable,
    EmptyState,
    Filter,
    Icon,
    MatIconButton,
    MatMenuModule,
    Money,
    Page,
    RouterLink,
    SubNav,
    Time,
  ],
  template: `
    <weir-page [heading]="t('nav.orders')" [intro]="t('orderAdmin.intro')">
      <weir-sub-nav [label]="t('nav.orders')" [links]="links()" />
      <div class="cluster">
        <weir-account-filter [(value)]="accountId" />
        <weir-filter [label]="t('state.any')" [options]="statuses()" [(value)]="status" />
      </div>
      <weir-data-table
        [label]="t('nav.orders')"
        [list]="list"
        [columns]="columns()"
        [trackBy]="idOf"
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
            <button
              matIconButton
              type="button"
              class="row-button"
              [matMenuTriggerFor]="menu"
              [attr.aria-label]="t('action.more', { name: order.planName ?? t('order.topUp') })"
            >
              <weir-icon name="more" />
            </button>
            <mat-menu #menu="matMenu" xPosition="before">
              <button mat-menu-item type="button" (click)="reconcile(order)">
                <weir-icon name="rotate" />{{ t('orderAdmin.reconcile') }}
              </button>
              <button
                mat-menu-item
                type="button"
                [disabled]="order.status !== 'paid' && order.status !== 'partly_refunded'"
                (click)="refund(order)"
              >
                <weir-icon name="arrowLeft" />{{ t('orderAdmin.refund') }}
              </button>
            </mat-menu>
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
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly session = inject(Session);
  protected readonly links = orderAdminLinks();
  protected readonly words = ORDER_WORDS;
  /** Query parameter: one account only. */
  readonly account = input<string>();
  protected readonly status = signal('');
  protected readonly accountId = signal('');
  protected readonly idOf = ({ id }: OrderView): string => id;
  protected readonly statuses = computed(() =>
    ORDER_STATUSES.map((value) => ({ value, label: this.t(ORDER_WORDS[value].key) })),
  );
  protected readonly list = new RowList<OrderView>((cursor) => {
    const status = ORDER_STATUSES.find((known) => known === this.status());
    const accountId = this.accountId();
    return this.#api.call('listOrders', {
      query: {
        ...(cursor === undefined ? {} : { cursor }),
        ...(status === undefined ? {} : { status }),
        ...(accountId === '' ? {} : { accountId }),
      },
    });
  });
  protected readonly columns = computed((): readonly Column[] => [
    { id: 'what', header: this.t('order.what'), width: '1fr', narrow: 'title' },
    {
      id: 'account',
      header: this.t('accounts.account'),
      width: '2fr',
      narrow: 'note',
    },
    { id: 'time', header: this.t('order.time'), width: '7.5rem', narrow: 'hidden' },
    { id: 'status', header: this.t('order.status'), width: '7.5rem', narrow: 'detail' },
    { id: 'amount', header: this.t('order.amount'), width: '6rem', align: 'end', narrow: 'value' },
    { id: 'actions', header: '', width: '2.5rem', narrow: 'actions' },
  ]);

  constructor() {
    effect(() => this.accountId.set(idFrom(this.account())));
    effect(() => {
      this.status();
      this.accountId();
      untracked(() => void this.list.load());
    });
  }

  protected async reconcile(order: OrderView): Promise<void> {
    try {
      const params = { orderId: order.id };
      const updated = await this.#api.call('reconcileOrder', { params });
      this.list.replace(({ id }) => id === updated.id, updated);
      const status = this.t(ORDER_WORDS[updated.status].key);
      this.#toasts.info(this.t('orderAdmin.reconciled', { status }));
    } catch (thrown) {
      this.#toasts.error(failureOf(thrown));
    }
  }

  protected async refund(order: OrderView): Promise<void> {
    const updated = await this.#dialogs.open<OrderView, OrderView>(RefundDialog, { data: order });
    if (updated !== undefined) this.list.replace(({ id }) => id === updated.id, updated);
    else if (this.#keys.hasPending()) await this.list.load();
  }
}
