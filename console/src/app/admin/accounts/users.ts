import { Component, computed, inject, input, signal } from '@angular/core';
import { USER_SORTS } from '@weir/shared/people/users';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { keyIn } from '../../core/i18n/options';
import { Address } from '../../core/state/address';
import { filteredList } from '../../core/state/filtered-list';
import { TABLE_PAGE } from '../../design/page/page-parts';
import type { Column } from '../../design/table/column';
import { orderFrom } from '../../design/table/sort-order';
import { ACCOUNT_ADMIN_LINKS } from './account-links';

const COLUMNS: readonly Column[] = [
  { id: 'email', header: 'login.email', width: '2fr', narrow: 'title', sort: 'email' },
  { id: 'role', header: 'account.role', width: '1fr', narrow: 'note', sort: 'role' },
  { id: 'status', header: 'keys.status', width: '7rem', narrow: 'value' },
  { id: 'factor', header: 'secondFactor.title', width: '12rem', wideOnly: true },
  {
    id: 'login',
    header: 'users.lastLogin',
    width: '7.5rem',
    narrow: 'detail',
    sort: '-login',
  },
];

@Component({
  selector: 'weir-users',
  imports: [TABLE_PAGE],
  template: `
    <weir-page [heading]="t('accounts.title')" [intro]="t('users.intro')">
      <weir-sub-nav [label]="t('accounts.title')" [links]="links" />
      <div class="cluster">
        <weir-search-box [label]="t('users.search')" [(value)]="search" />
      </div>
      <weir-data-table
        [label]="t('accounts.users')"
        [list]="list"
        [columns]="columns"
        [order]="order()"
        (orderChange)="address.say('sort', $event)"
      >
        <ng-template weirCell="email" [weirCellRows]="list.rows()" let-user>
          <a class="row-link" [routerLink]="['/admin/accounts', user.accountId]"
            ><weir-name [value]="user.email"
          /></a>
        </ng-template>
        <ng-template weirCell="role" [weirCellRows]="list.rows()" let-user>{{
          t(roleKey(user.role))
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
  protected readonly links = ACCOUNT_ADMIN_LINKS;
  protected readonly roleKey = keyIn('role');
  protected readonly search = signal('');
  /** Query parameter: how the list is sorted. */
  readonly sort = input<string>();
  protected readonly address = inject(Address);
  protected readonly order = computed(() => orderFrom(this.sort(), USER_SORTS, '-created'));
  protected readonly list = filteredList(
    () => ({ search: this.search(), sort: this.order() }),
    (query) => this.#api.call('listUsers', { query }),
  );
  protected readonly columns = COLUMNS;
}
