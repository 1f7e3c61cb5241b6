import { Component, computed, inject } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { RouterLink } from '@angular/router';
import type { OrderView } from '@weir/shared/orders';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import { RowList } from '../core/state/row-list';
import { EmptyState } from '../design/feedback/empty-state';
import { Page } from '../design/page/page';
import { SubNav } from '../design/page/sub-nav';
import { Cell } from '../design/table/cell';
import type { Column } from '../design/table/column';
import { DataTable } from '../design/table/data-table';
import { Chip } from '../design/text/chip';
import { Money } from '../design/text/money';
import { Time } from '../design/text/time';
import { billingLinks } from './billing-links';
import { ORDER_WORDS } from './credit-words';

@Component({
  selector: 'weir-orders',
  imports: [Cell, Chip, DataTable, EmptyState, MatButton, Money, Page, RouterLink, SubNav, Time],
  template: `
    <weir-page [heading]="t('billing.title')" [intro]="t('order.intro')">
      <weir-sub-nav [label]="t('billing.title')" [links]="links()" />
      <weir-data-table
        [label]="t('billing.orders')"
        [list]="list"
        [columns]="columns()"
        [trackBy]="idOf"
      >
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
  protected readonly links = billingLinks();
  protected readonly words = ORDER_WORDS;
  protected readonly idOf = ({ id }: OrderView): string => id;
  protected readonly list = new RowList<OrderView>((cursor) =>
    this.#api.call('listOwnOrders', { query: cursor === undefined ? {} : { cursor } }),
  );
  protected readonly columns = computed((): readonly Column[] => [
    { id: 'what', header: this.t('order.what'), width: '2fr', narrow: 'title' },
    { id: 'time', header: this.t('order.time'), width: '11rem', narrow: 'note' },
    { id: 'status', header: this.t('order.status'), width: '9rem', narrow: 'detail' },
    { id: 'amount', header: this.t('order.amount'), width: '7rem', align: 'end', narrow: 'value' },
  ]);

  constructor() {
    void this.list.load();
  }
}
