import { Component, computed, inject, input } from '@angular/core';
import { KEY_SORTS, type KeyView } from '@weir/shared/people/keys';
import { Activities } from '../../activity/activities';
import { ActivityCells } from '../../activity/activity-cells';
import { ACTIVITY_COLUMNS } from '../../activity/activity-columns';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { fetchOptions, statusOptions } from '../../core/i18n/options';
import { Session } from '../../core/session/session';
import { Address } from '../../core/state/address';
import { addressChoice, addressId, addressSearch } from '../../core/state/address-value';
import { FilterBar } from '../../views/filter-bar';
import { filteredList } from '../../core/state/filtered-list';
import { Selection } from '../../core/state/selection';
import { BulkChanges } from '../../design/bulk/bulk-changes';
import { Dialogs } from '../../design/dialog/dialogs';
import { Toasts } from '../../design/feedback/toasts';
import { TABLE_PAGE } from '../../design/page/page-parts';
import { BulkBar } from '../../design/table/bulk-bar';
import type { Column } from '../../design/table/column';
import { orderFrom } from '../../design/table/sort-order';
import { KeyBatchDialog, type KeyBatchDialogData } from '../../keys/dialogs/key-batch-dialog';
import { keyState } from '../../keys/key-status';
import { keyActs } from '../../keys/key-acts';
import { AccountFilter } from './finder/account-filter';
import { ACCOUNT_ADMIN_LINKS } from './account-links';
import { findableText } from './finder/findable-text';

const COLUMNS: readonly Column[] = [
  { id: 'name', header: 'keys.name', width: '1.5fr', narrow: 'title', sort: 'name' },
  { id: 'account', header: 'accounts.account', width: '1.8fr', narrow: 'note' },
  { id: 'group', header: 'keys.group', width: '5.25rem', widestOnly: true },
  { id: 'status', header: 'keys.status', width: '5rem', narrow: 'detail' },
  ACTIVITY_COLUMNS.requests,
  ACTIVITY_COLUMNS.errors,
  ACTIVITY_COLUMNS.firstByte,
  ACTIVITY_COLUMNS.hours,
  {
    id: 'spend',
    header: 'keys.spendMonth',
    width: '6rem',
    align: 'end',
    narrow: 'value',
    sort: '-spend',
  },
  { id: 'used', header: 'keys.lastUsed', width: '6rem', wideOnly: true, sort: '-used' },
  { id: 'actions', header: '', width: '4.5rem', align: 'end', narrow: 'actions' },
];

@Component({
  selector: 'weir-keys-of-everyone',
  imports: [AccountFilter, ActivityCells, BulkBar, FilterBar, TABLE_PAGE],
  template: `
    <weir-page [heading]="t('accounts.title')" [intro]="t('accounts.keysIntro')">
      <weir-sub-nav [label]="t('accounts.title')" [links]="links" />
      @if (session.may('createKeyBatchForAccount')) {
        <button
          pageAction
          matButton="outlined"
          type="button"
          data-testid="create-several"
          (click)="createSeveral()"
        >
          {{ t('keys.batchTitle') }}
        </button>
      }
      <weir-filter-bar list="admin_keys">
        <weir-search-box [label]="t('keys.search')" [(value)]="sought" />
        <weir-account-filter [(value)]="accountId" />
        <weir-filter
          chip
          [label]="t('accounts.anyGroup')"
          [options]="groups.value() ?? []"
          [(value)]="group"
        />
        <weir-filter chip [label]="t('state.any')" [options]="statuses()" [(value)]="status" />
      </weir-filter-bar>
      <weir-activity-cells #figures [activities]="activities" [rows]="list.rows()" />
      <weir-bulk-bar [selection]="selection" [acts]="acts" />
      <weir-data-table
        [selection]="session.may('updateKeyOfAnyone') ? selection : undefined"
        [label]="t('accounts.keys')"
        [list]="list"
        [columns]="columns"
        [moreCells]="figures.cells()"
        [order]="order()"
        (orderChange)="address.say('sort', $event)"
      >
        <ng-template weirCell="name" [weirCellRows]="list.rows()" let-key>
          <span class="name-first">
            <a class="row-link" [routerLink]="['/admin/accounts/keys', key.id]"
              ><span class="two-lines">{{ key.name }}</span></a
            >
            <code class="soft clip">{{ key.prefix }}…</code>
          </span>
        </ng-template>
        <ng-template weirCell="account" [weirCellRows]="list.rows()" let-key>
          <a class="row-link" [routerLink]="['/admin/accounts', key.accountId]"
            ><weir-name [value]="key.accountName"
          /></a>
        </ng-template>
        <ng-template weirCell="group" [weirCellRows]="list.rows()" let-key>{{
          key.groupName
        }}</ng-template>
        <ng-template weirCell="status" [weirCellRows]="list.rows()" let-key>
          @let shown = keyState(key);
          <weir-chip [tone]="shown.tone">{{ t(shown.key) }}</weir-chip>
        </ng-template>
        <ng-template weirCell="spend" [weirCellRows]="list.rows()" let-key>
          <weir-money [usd]="key.spend.monthUsd" />
        </ng-template>
        <ng-template weirCell="actions" [weirCellRows]="list.rows()" let-key>
          @if (session.may('updateKeyOfAnyone')) {
            <button
              matButton
              type="button"
              [attr.aria-label]="
                t(key.status === 'active' ? 'keys.disableNamed' : 'keys.enableNamed', {
                  name: key.name,
                })
              "
              (click)="toggle(key)"
            >
              {{ key.status === 'active' ? t('action.disable') : t('action.enable') }}
            </button>
          }
        </ng-template>
        <weir-empty-state icon="key" [heading]="t('keys.noneFound')" />
      </weir-data-table>
    </weir-page>
  `,
})
export class KeysOfEveryone {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  protected readonly address = inject(Address);
  protected readonly t = inject(I18n).t;
  protected readonly session = inject(Session);
  protected readonly links = ACCOUNT_ADMIN_LINKS;
  protected readonly keyState = keyState;
  /** Query parameter: how the list is sorted. */
  readonly sort = input<string>();
  protected readonly order = computed(() => orderFrom(this.sort(), KEY_SORTS, '-created'));
  protected readonly sought = addressSearch('search');
  protected readonly status = addressChoice('status', ['active', 'disabled']);
  protected readonly group = addressId('group');
  protected readonly accountId = addressId('account');
  protected readonly groups = fetchOptions(() => this.#api.call('listGroups'));
  protected readonly statuses = statusOptions();
  protected readonly list = filteredList(
    () => ({
      search: this.sought(),
      status: this.status(),
      groupId: this.group(),
      accountId: this.accountId(),
      sort: this.order(),
    }),
    async (query) => {
      const search = await findableText(this.#api, query.search);
      return this.#api.call('listKeysOfEveryone', { query: { ...query, search } });
    },
  );
  protected readonly columns = COLUMNS;
  protected readonly activities = new Activities(this.list.rows, (ids) =>
    this.#api.call('listActivities', { query: { kind: 'key', ids } }),
  );
  protected readonly selection = new Selection(this.list, {
    idOf: ({ id }) => id,
    nameOf: ({ name, accountName }) => `${name} (${accountName})`,
  });
  protected readonly acts = keyActs({
    groups: () => this.groups.value() ?? [],
    t: this.t,
    bulk: new BulkChanges<KeyView>({
      dialogs: this.#dialogs,
      toasts: inject(Toasts),
      selection: this.selection,
      list: this.list,
      filters: async () => ({
        search: await findableText(this.#api, this.sought()),
        status: this.status(),
        groupId: this.group(),
        accountId: this.accountId(),
      }),
      send: ({ body, dryRun }, idempotencyKey) =>
        this.#api.call('changeKeysInBulk', { body: { ...body, dryRun }, idempotencyKey }),
    }),
  });

  protected async toggle(key: KeyView): Promise<void> {
    const status = key.status === 'active' ? 'disabled' : 'active';
    await this.#dialogs.confirm({
      heading: this.t(status === 'disabled' ? 'keys.disableTitle' : 'keys.enableTitle'),
      text: this.t(status === 'disabled' ? 'keys.disableText' : 'keys.enableText', {
        name: key.name,
      }),
      action: this.t(status === 'disabled' ? 'action.disable' : 'action.enable'),
      destructive: status === 'disabled',
      work: () => this.#setStatus(key, status),
    });
  }

  protected async createSeveral(): Promise<void> {
    const done = await this.#dialogs.open<KeyBatchDialogData, boolean>(KeyBatchDialog, {
      data: { forAccount: true },
      wide: true,
    });
    if (done === true) await this.list.load();
  }

  async #setStatus(key: KeyView, status: 'active' | 'disabled'): Promise<void> {
    const updated = await this.#api.call('updateKeyOfAnyone', {
      params: { keyId: key.id },
      ifMatch: '*',
      body: { status },
    });
    this.list.replace(updated);
  }
}
