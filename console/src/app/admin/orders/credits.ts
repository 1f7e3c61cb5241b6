import { Component, computed, effect, inject, signal, untracked } from '@angular/core';
import { RouterLink } from '@angular/router';
import { CREDIT_KINDS, type CreditView } from '@weir/shared/credits';
import { CREDIT_WORDS } from '../../billing/credit-words';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { RowList } from '../../core/state/row-list';
import { EmptyState } from '../../design/feedback/empty-state';
import { Filter } from '../../design/field/filter';
import { Page } from '../../design/page/page';
import { SubNav } from '../../design/page/sub-nav';
import { Cell } from '../../design/table/cell';
import type { Column } from '../../design/table/column';
import { DataTable } from '../../design/table/data-table';
import { Money } from '../../design/text/money';
import { Name } from '../../design/text/name';
import { Time } from '../../design/text/time';
import { AccountFilter } from '../accounts/account-filter';
import { orderAdminLinks } from './order-links';

/** Everything that changed anyone's balance other than usage. */
@Component({
  selector: 'weir-credits',
  imports: [
    Name,
    AccountFilter,
    Cell,
    DataTable,
    EmptyState,
    Filter,
    Money,
    Page,
    RouterLink,
    SubNav,
    Time,
  ],
  template: `
    <weir-page [heading]="t('nav.orders')" [intro]="t('orderAdmin.creditsIntro')">
      <weir-sub-nav [label]="t('nav.orders')" [links]="links()" />
      <div class="cluster">
        <weir-account-filter [(value)]="accountId" />
        <weir-filter [label]="t('orderAdmin.anyKind')" [options]="kinds()" [(value)]="kind" />
      </div>
      <weir-data-table
        [label]="t('orderAdmin.credits')"
        [list]="list"
        [columns]="columns()"
        [trackBy]="idOf"
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
  protected readonly links = orderAdminLinks();
  protected readonly words = CREDIT_WORDS;
  protected readonly kind = signal('');
  protected readonly accountId = signal('');
  protected readonly idOf = ({ accountId, sequence }: CreditView): string =>
    `${accountId}/${String(sequence)}`;
  protected readonly kinds = computed(() =>
    CREDIT_KINDS.map((value) => ({ value, label: this.t(CREDIT_WORDS[value]) })),
  );
  protected readonly list = new RowList<CreditView>((cursor) => {
    const kind = CREDIT_KINDS.find((known) => known === this.kind());
    const accountId = this.accountId();
    return this.#api.call('listCredits', {
      query: {
        ...(cursor === undefined ? {} : { cursor }),
        ...(kind === undefined ? {} : { kind }),
        ...(accountId === '' ? {} : { accountId }),
      },
    });
  });
  protected readonly columns = computed((): readonly Column[] => [
    { id: 'kind', header: this.t('credit.kind'), width: '1.2fr', narrow: 'title' },
    { id: 'account', header: this.t('accounts.account'), width: '2fr', narrow: 'note' },
    {
      id: 'reason',
      header: this.t('credit.reason'),
      width: '1.6fr',
      narrow: 'hidden',
      wideOnly: true,
    },
    { id: 'time', header: this.t('credit.time'), width: '7.5rem', narrow: 'detail' },
    {
      id: 'amount',
      header: this.t('credit.amount'),
      width: '7rem',
      align: 'end',
      narrow: 'value',
    },
  ]);

  constructor() {
    effect(() => {
      this.kind();
      this.accountId();
      untracked(() => void this.list.load());
    });
  }
}
