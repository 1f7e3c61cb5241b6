import { Component, inject } from '@angular/core';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import { filteredList } from '../core/state/filtered-list';
import { TABLE_PAGE } from '../design/page/page-parts';
import type { Column } from '../design/table/column';
import { BILLING_LINKS } from './billing-links';
import { ORDER_WORDS } from './credit-words';

const COLUMNS: readonly Column[] = [
  { id: 'what', header: 'order.what', width: '2fr', narrow: 'title' },
  { id: 'time', header: 'order.time', width: '13rem', narrow: 'note' },
  { id: 'status', header: 'order.status', width: '9rem', narrow: 'detail' },
  { id: 'amount', header: 'order.amount', width: '7rem', align: 'end', narrow: 'value' },
];

@Component({
  selector: 'weir-orders',
  imports: [TABLE_PAGE],
  template: `
    <weir-page [heading]="t('billing.title')" [intro]="t('order.intro')">
      <weir-sub-nav [label]="t('billing.title')" [links]="links" />
      <weir-data-table [label]="t('billing.orders')" [list]="list" [columns]="columns">
        <ng-template weirCell="what" [weirCellRows]="list.rows()" let-order>
          <a class="row-link clip" [routerLink]="['/billing/orders', order.id]">{{
            order.planName ?? t('order.topUp')
          }}</a>
        </ng-template>
        <ng-template weirCell="time" [weirCellRows]="list.rows()" let-order>
          <weir-time [at]="order.createdAt" as="second" />
        </ng-template>
        <ng-template weirCell="status" [weirCellRows]="list.rows()" let-order>
          <weir-chip [tone]="words[order.status].tone">{{ t(words[order.status].key) }}</weir-chip>
        </ng-template>
        <ng-template weirCell="amount" [weirCellRows]="list.rows()" let-order>
          <weir-money [usd]="order.amountUsd" />
        </ng-template>
        <weir-empty-state icon="orders" [heading]="t('order.none')" [hint]="t('order.noneHint')">
          <a matButton="outlined" routerLink="/billing">{{ t('order.toBilling') }}</a>
        </weir-empty-state>
      </weir-data-table>
    </weir-page>
  `,
})
export class Orders {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly links = BILLING_LINKS;
  protected readonly words = ORDER_WORDS;
  protected readonly list = filteredList(
    () => ({}),
    (query) => this.#api.call('listOwnOrders', { query }),
  );
  protected readonly columns = COLUMNS;
}
