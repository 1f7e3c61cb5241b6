import { Component, computed, effect, inject, signal, untracked } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { UserView } from '@weir/shared/users';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { RowList } from '../../core/state/row-list';
import { EmptyState } from '../../design/feedback/empty-state';
import { SearchBox } from '../../design/field/search-box';
import { Page } from '../../design/page/page';
import { SubNav } from '../../design/page/sub-nav';
import { Cell } from '../../design/table/cell';
import type { Column } from '../../design/table/column';
import { DataTable } from '../../design/table/data-table';
import { Chip } from '../../design/text/chip';
import { Name } from '../../design/text/name';
import { Time } from '../../design/text/time';
import { accountAdminLinks } from './account-words';

const ROLE_WORDS = {
  user: 'role.user',
  support: 'role.support',
  admin: 'role.admin',
} as const;

@Component({
  selector: 'weir-users',
  imports: [Name, Cell, Chip, DataTable, EmptyState, Page, RouterLink, SearchBox, SubNav, Time],
  template: `
    <weir-page [heading]="t('accounts.title')" [intro]="t('users.intro')">
      <weir-sub-nav [label]="t('accounts.title')" [links]="links()" />
      <div class="cluster">
        <weir-search-box [label]="t('users.search')" [(value)]="search" />
      </div>
      <weir-data-table
        [label]="t('accounts.users')"
        [list]="list"
        [columns]="columns()"
        [trackBy]="idOf"
      >
        <ng-template weirCell="email" [weirCellRows]="list.rows()" let-user>
          <a class="row-link" [routerLink]="['/admin/accounts', user.accountId]"
            ><weir-name [value]="user.email"
          /></a>
        </ng-template>
        <ng-template weirCell="role" [weirCellRows]="list.rows()" let-user>{{
          t(roleWords[user.role])
        }}</ng-template>
        <ng-template weirCell="status" [weirCellRows]="list.rows()" let-user>
          @if (user.disabled) {
            <weir-chip tone="bad">{{ t('state.disabled') }}</weir-chip>
          } @else {
            <weir-chip tone="good">{{ t('state.active') }}</weir-chip>
          }
        </ng-template>
        <ng-template weirCell="factor" [weirCellRows]="list.rows()" let-user>{{
          user.secondFactor ? t('secondFactor.on') : t('secondFactor.off')
        }}</ng-template>
        <ng-template weirCell="login" [weirCellRows]="list.rows()" let-user>
          @if (user.lastLoginAt; as at) {
            <weir-time [at]="at" />
          } @else {
            <span class="soft">{{ t('users.neverLoggedIn') }}</span>
          }
        </ng-template>
        <weir-empty-state icon="accounts" [heading]="t('users.none')" />
      </weir-data-table>
    </weir-page>
  `,
})
export class Users {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly roleWords = ROLE_WORDS;
  protected readonly links = accountAdminLinks();
  protected readonly search = signal('');
  protected readonly idOf = ({ id }: UserView): string => id;
  protected readonly list = new RowList<UserView>((cursor) => {
    const search = this.search();
    return this.#api.call('listUsers', {
      query: {
        ...(cursor === undefined ? {} : { cursor }),
        ...(search === '' ? {} : { search }),
      },
    });
  });
  protected readonly columns = computed((): readonly Column[] => [
    { id: 'email', header: this.t('login.email'), width: '2fr', narrow: 'title' },
    { id: 'role', header: this.t('account.role'), width: '1fr', narrow: 'note' },
    { id: 'status', header: this.t('keys.status'), width: '7rem', narrow: 'value' },
    {
      id: 'factor',
      header: this.t('secondFactor.title'),
      width: '8rem',
      narrow: 'hidden',
      wideOnly: true,
    },
    { id: 'login', header: this.t('users.lastLogin'), width: '7.5rem', narrow: 'detail' },
  ]);

  constructor() {
    effect(() => {
      this.search();
      untracked(() => void this.list.load());
    });
  }
}
