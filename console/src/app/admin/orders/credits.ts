import { Component, computed, inject, input } from '@angular/core';
import { CREDIT_KINDS, CREDIT_SORTS } from '@weir/shared/money/credits';
import { CREDIT_WORDS } from '../../billing/credit-words';
import { Api } from '../../core/api/api';
import { I18n, optionsOf } from '../../core/i18n/i18n';
import { filteredList } from '../../core/state/filtered-list';
import { TABLE_PAGE } from '../../design/page/page-parts';
import type { Column } from '../../design/table/column';
import { AccountFilter } from '../accounts/finder/account-filter';
import { Address } from '../../core/state/address';
import { addressChoice, addressId } from '../../core/state/address-value';
import { orderFrom } from '../../design/table/sort-order';
import { FilterBar } from '../../views/filter-bar';
import { ORDER_LINKS } from './order-links';

const COLUMNS: readonly Column[] = [
  { id: 'kind', header: 'credit.kind', width: '1.2fr', narrow: 'title' },
  { id: 'account', header: 'accounts.account', width: '2fr', narrow: 'note' },
  { id: 'reason', header: 'credit.reason', width: '1.6fr', wideOnly: true },
  {
    ...{ id: 'time', header: 'credit.time', width: '10.5rem', narrow: 'detail' },
    sort: '-created',
  },
  {
    ...{ id: 'amount', header: 'credit.amount', width: '7rem', align: 'end', narrow: 'value' },
    sort: '-amount',
  },
];

/** Everything that changed anyone's balance other than usage. */
@Component({
  selector: 'weir-credits',
  imports: [AccountFilter, FilterBar, TABLE_PAGE],
  template: `
    <weir-page [heading]="t('nav.orders')" [intro]="t('orderAdmin.creditsIntro')">
      <a pageAction matButton="outlined" download data-testid="export" [href]="exportAddress()">
        <weir-icon matButtonIcon name="download" />{{ t('orderAdmin.export') }}
      </a>
      <weir-sub-nav [label]="t('nav.orders')" [links]="links" />
      <weir-filter-bar list="credits">
        <weir-account-filter [(value)]="accountId" />
        <weir-filter chip [label]="t('orderAdmin.anyKind')" [options]="kinds()" [(value)]="kind" />
      </weir-filter-bar>
      <weir-data-table
        [label]="t('orderAdmin.credits')"
        [list]="list"
        [columns]="columns"
        [order]="order()"
        (orderChange)="address.say('sort', $event)"
      >
        <ng-template weirCell="kind" [weirCellRows]="list.rows()" let-credit>
          <span class="strong">{{ t(words[credit.kind]) }}</span>
        </ng-template>
        <ng-template weirCell="account" [weirCellRows]="list.rows()" let-credit>
          <a [routerLink]="['/admin/accounts', credit.accountId]"
            ><weir-name [value]="credit.accountName"
          /></a>
        </ng-template>
        <ng-template weirCell="reason" [weirCellRows]="list.rows()" let-credit>
          <span class="soft two-lines" [title]="credit.reason">{{ credit.reason }}</span>
        </ng-template>
        <ng-template weirCell="time" [weirCellRows]="list.rows()" let-credit>
          <weir-time [at]="credit.createdAt" as="recent-moment" />
        </ng-template>
        <ng-template weirCell="amount" [weirCellRows]="list.rows()" let-credit>
          <weir-money [usd]="credit.amountUsd" />
        </ng-template>
        <weir-empty-state icon="wallet" [heading]="t('billing.noMovements')" />
      </weir-data-table>
    </weir-page>
  `,
})
export class Credits {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly links = ORDER_LINKS;
  protected readonly words = CREDIT_WORDS;
  protected readonly address = inject(Address);
  /** Query parameter: how the list is sorted. */
  readonly sort = input<string>();
  protected readonly order = computed(() => orderFrom(this.sort(), CREDIT_SORTS, '-created'));
  protected readonly kind = addressChoice('kind', CREDIT_KINDS);
  protected readonly accountId = addressId('account');
  protected readonly kinds = optionsOf(CREDIT_KINDS, (kind) => CREDIT_WORDS[kind]);
  protected readonly list = filteredList(
    () => ({ kind: this.kind(), accountId: this.accountId(), sort: this.order() }),
    (query) => this.#api.call('listCredits', { query }),
    ({ accountId, sequence }) => `${accountId}/${String(sequence)}`,
  );
  /** With the filters of the list. */
  protected readonly exportAddress = computed(() => {
    const query = { kind: this.kind(), accountId: this.accountId() };
    return this.#api.addressOf('exportCredits', { query });
  });
  protected readonly columns = COLUMNS;
}
