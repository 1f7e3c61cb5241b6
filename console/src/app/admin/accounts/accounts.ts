import { Component, computed, effect, inject, signal, untracked } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { Router, RouterLink } from '@angular/router';
import type { AccountListItem, AccountView } from '@weir/shared/accounts';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { Session } from '../../core/session/session';
import { RowList } from '../../core/state/row-list';
import { Dialogs } from '../../design/dialog/dialogs';
import { EmptyState } from '../../design/feedback/empty-state';
import { Filter } from '../../design/field/filter';
import { SearchBox } from '../../design/field/search-box';
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
import { AccountCreateDialog } from './account-create-dialog';
import { accountAdminLinks } from './account-words';

@Component({
  selector: 'weir-accounts',
  imports: [
    Name,
    Cell,
    Chip,
    DataTable,
    EmptyState,
    Filter,
    Icon,
    MatButton,
    Money,
    Page,
    RouterLink,
    SearchBox,
    SubNav,
    Time,
  ],
  template: `
    <weir-page [heading]="t('accounts.title')" [intro]="t('accounts.intro')">
      @if (session.may('createAccount')) {
        <button pageAction matButton="filled" type="button" (click)="create()">
          <weir-icon matButtonIcon name="plus" />{{ t('accounts.create') }}
        </button>
      }
      <weir-sub-nav [label]="t('accounts.title')" [links]="links()" />
      <div class="cluster">
        <weir-search-box [label]="t('accounts.search')" [(value)]="search" />
        <weir-filter [label]="t('state.any')" [options]="statuses()" [(value)]="status" />
      </div>
      <weir-data-table
        [label]="t('accounts.title')"
        [list]="list"
        [columns]="columns()"
        [trackBy]="idOf"
      >
        <ng-template weirCell="name" [weirCellRows]="list.rows()" let-account>
          <a class="row-link" [routerLink]="['/admin/accounts', account.id]"
            ><weir-name [value]="account.name"
          /></a>
        </ng-template>
        <ng-template weirCell="emails" [weirCellRows]="list.rows()" let-account>
          <weir-name class="soft" [value]="account.emails.join(', ')" />
        </ng-template>
        <ng-template weirCell="status" [weirCellRows]="list.rows()" let-account>
          @if (account.deletedAt) {
            <weir-chip>{{ t('accounts.deleted') }}</weir-chip>
          } @else if (account.status === 'suspended') {
            <weir-chip tone="bad">{{ t('accounts.suspended') }}</weir-chip>
          } @else {
            <weir-chip tone="good">{{ t('state.active') }}</weir-chip>
          }
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
  protected readonly t = inject(I18n).t;
  protected readonly session = inject(Session);
  protected readonly links = accountAdminLinks();
  protected readonly search = signal('');
  protected readonly status = signal('');
  protected readonly idOf = ({ id }: AccountListItem): string => id;
  protected readonly list = new RowList<AccountListItem>((cursor) =>
    this.#api.call('listAccounts', { query: this.#query(cursor) }),
  );
  protected readonly statuses = computed(() => [
    { value: 'active', label: this.t('state.active') },
    { value: 'suspended', label: this.t('accounts.suspended') },
  ]);
  protected readonly columns = computed((): readonly Column[] => [
    { id: 'name', header: this.t('account.name'), width: '1.6fr', narrow: 'title' },
    { id: 'emails', header: this.t('login.email'), width: '2fr', narrow: 'note' },
    { id: 'status', header: this.t('keys.status'), width: '7rem', narrow: 'detail' },
    {
      id: 'created',
      header: this.t('account.since'),
      width: '8rem',
      narrow: 'hidden',
      wideOnly: true,
    },
    {
      id: 'balance',
      header: this.t('accounts.bookBalance'),
      width: '8rem',
      align: 'end',
      narrow: 'value',
    },
  ]);

  constructor() {
    effect(() => {
      this.search();
      this.status();
      untracked(() => void this.list.load());
    });
  }

  #query(cursor: string | undefined): {
    cursor?: string;
    search?: string;
    status?: 'active' | 'suspended';
  } {
    const search = this.search();
    const status = this.status();
    return {
      ...(cursor === undefined ? {} : { cursor }),
      ...(search === '' ? {} : { search }),
      ...(status === 'active' || status === 'suspended' ? { status } : {}),
    };
  }

  protected async create(): Promise<void> {
    const opened = await this.#dialogs.open<null, AccountView>(AccountCreateDialog, { data: null });
    if (opened !== undefined) await this.#router.navigate(['/admin/accounts', opened.id]);
  }
}
