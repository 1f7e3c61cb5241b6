import { Component, computed, inject, input } from '@angular/core';
import { Router } from '@angular/router';
import {
  ACCOUNT_SORTS,
  ACCOUNT_STATUSES,
  type AccountListItem,
  type AccountView,
} from '@weir/shared/people/accounts';
import { Activities } from '../../activity/activities';
import { ActivityCells } from '../../activity/activity-cells';
import { ACTIVITY_COLUMNS } from '../../activity/activity-columns';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { namedOptions } from '../../core/i18n/options';
import { Loadable } from '../../core/state/loadable';
import { Address } from '../../core/state/address';
import { filteredList } from '../../core/state/filtered-list';
import { Session } from '../../core/session/session';
import { Selection } from '../../core/state/selection';
import { Dialogs } from '../../design/dialog/dialogs';
import { TABLE_PAGE } from '../../design/page/page-parts';
import { BulkChanges } from '../../design/bulk/bulk-changes';
import { Toasts } from '../../design/feedback/toasts';
import { BulkBar } from '../../design/table/bulk-bar';
import type { Column } from '../../design/table/column';
import { orderFrom } from '../../design/table/sort-order';
import { accountBulkActs } from './account-bulk-acts';
import { ACCOUNT_ADMIN_LINKS } from './account-links';
import { FilterBar } from '../../views/filter-bar';
import { addressChoice, addressSearch } from '../../core/state/address-value';
import { accountStatusOptions } from './account-words';

const COLUMNS: readonly Column[] = [
  { id: 'name', header: 'account.name', width: '1.2fr', narrow: 'title', sort: 'name' },
  { id: 'emails', header: 'login.email', width: '1.4fr', narrow: 'note', wideOnly: true },
  ACTIVITY_COLUMNS.requests,
  ACTIVITY_COLUMNS.errors,
  ACTIVITY_COLUMNS.firstByte,
  ACTIVITY_COLUMNS.spend,
  ACTIVITY_COLUMNS.hours,
  {
    ...{ id: 'created', header: 'account.since', width: '6.5rem', narrow: 'detail' },
    ...{ wideOnly: true, sort: '-created' },
  },
  {
    id: 'balance',
    header: 'accounts.bookBalance',
    width: '6rem',
    align: 'end',
    narrow: 'value',
    sort: '-balance',
  },
];

@Component({
  selector: 'weir-accounts',
  imports: [ActivityCells, BulkBar, FilterBar, TABLE_PAGE],
  template: `
    <weir-page [heading]="t('accounts.title')" [intro]="t('accounts.intro')">
      <weir-sub-nav [label]="t('accounts.title')" [links]="links" />
      @if (session.may('createAccount')) {
        <button pageAction matButton="filled" type="button" (click)="create()">
          <weir-icon matButtonIcon name="plus" />{{ t('accounts.create') }}
        </button>
      }
      <weir-filter-bar list="accounts">
        <weir-search-box [label]="t('accounts.search')" [(value)]="search" />
        <weir-filter chip [label]="t('state.any')" [options]="statuses()" [(value)]="status" />
      </weir-filter-bar>
      <weir-activity-cells #figures [activities]="activities" [rows]="list.rows()" />
      <weir-bulk-bar [selection]="selection" [acts]="acts" />
      <weir-data-table
        [selection]="session.may('updateAccount') ? selection : undefined"
        [label]="t('accounts.title')"
        [list]="list"
        [columns]="columns"
        [moreCells]="figures.cells()"
        [order]="order()"
        (orderChange)="address.say('sort', $event)"
      >
        <ng-template weirCell="name" [weirCellRows]="list.rows()" let-account>
          <a class="row-link" [routerLink]="['/admin/accounts', account.id]"
            ><weir-name [value]="account.name"
          /></a>
          @if (account.deletedAt) {
            <weir-chip>{{ t('accounts.deleted') }}</weir-chip>
          } @else if (account.status === 'suspended') {
            <weir-chip tone="bad">{{ t('accounts.suspended') }}</weir-chip>
          }
        </ng-template>
        <ng-template weirCell="emails" [weirCellRows]="list.rows()" let-account>
          <weir-name class="soft" [value]="account.emails.join(', ')" />
        </ng-template>
        <ng-template weirCell="created" [weirCellRows]="list.rows()" let-account>
          <weir-time [at]="account.createdAt" as="day" />
        </ng-template>
        <ng-template weirCell="balance" [weirCellRows]="list.rows()" let-account>
          <weir-money [usd]="account.bookBalanceUsd" />
        </ng-template>
        <weir-empty-state icon="accounts" [heading]="t('accounts.none')" />
      </weir-data-table>
    </weir-page>
  `,
})
export class Accounts {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  readonly #router = inject(Router);
  /** Asked for once a change needs them. */
  readonly #groups = new Loadable(async () =>
    namedOptions((await this.#api.call('listGroups')).data),
  );
  protected readonly t = inject(I18n).t;
  protected readonly session = inject(Session);
  protected readonly links = ACCOUNT_ADMIN_LINKS;
  protected readonly address = inject(Address);
  /** Query parameter: how the list is sorted. */
  readonly sort = input<string>();
  protected readonly order = computed(() => orderFrom(this.sort(), ACCOUNT_SORTS, '-created'));
  protected readonly search = addressSearch('search');
  protected readonly status = addressChoice('status', ACCOUNT_STATUSES);
  protected readonly list = filteredList(
    () => ({ search: this.search(), status: this.status(), sort: this.order() }),
    (query) => this.#api.call('listAccounts', { query }),
  );
  protected readonly statuses = accountStatusOptions();
  protected readonly columns = COLUMNS;
  protected readonly activities = new Activities(this.list.rows, (ids) =>
    this.#api.call('listActivities', { query: { kind: 'account', ids } }),
  );
  protected readonly selection = new Selection(this.list, {
    idOf: ({ id }) => id,
    nameOf: ({ name }) => name,
  });
  protected readonly acts = accountBulkActs({
    groups: this.#groups,
    t: this.t,
    bulk: new BulkChanges<AccountListItem>({
      dialogs: this.#dialogs,
      toasts: inject(Toasts),
      selection: this.selection,
      list: this.list,
      filters: () => ({ search: this.search(), status: this.status() }),
      send: ({ body, dryRun }, idempotencyKey) =>
        this.#api.call('changeAccountsInBulk', { body: { ...body, dryRun }, idempotencyKey }),
    }),
  });

  protected async create(): Promise<void> {
    const { AccountCreateDialog } = await import('./account-create-dialog');
    const opened = await this.#dialogs.open<null, AccountView>(AccountCreateDialog, { data: null });
    if (opened !== undefined) await this.#router.navigate(['/admin/accounts', opened.id]);
  }
}
