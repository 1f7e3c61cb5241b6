import { Component, computed, effect, inject, input, signal, untracked } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { RouterLink } from '@angular/router';
import type { KeyView } from '@weir/shared/keys';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { Session } from '../../core/session/session';
import { Loadable } from '../../core/state/loadable';
import { RowList } from '../../core/state/row-list';
import { Dialogs } from '../../design/dialog/dialogs';
import { EmptyState } from '../../design/feedback/empty-state';
import { Filter } from '../../design/field/filter';
import { SearchBox } from '../../design/field/search-box';
import { Page } from '../../design/page/page';
import { SubNav } from '../../design/page/sub-nav';
import { Cell } from '../../design/table/cell';
import type { Column } from '../../design/table/column';
import { DataTable } from '../../design/table/data-table';
import { Chip } from '../../design/text/chip';
import { Money } from '../../design/text/money';
import { Name } from '../../design/text/name';
import { Time } from '../../design/text/time';
import { keyState } from '../../keys/key-status';
import { AccountFilter } from './account-filter';
import { accountAdminLinks } from './account-words';

@Component({
  selector: 'weir-keys-of-everyone',
  imports: [
    AccountFilter,
    Cell,
    Chip,
    DataTable,
    EmptyState,
    Filter,
    MatButton,
    Money,
    Name,
    Page,
    RouterLink,
    SearchBox,
    SubNav,
    Time,
  ],
  template: `
    <weir-page [heading]="t('accounts.title')" [intro]="t('accounts.keysIntro')">
      <weir-sub-nav [label]="t('accounts.title')" [links]="links()" />
      <div class="cluster">
        <weir-search-box [label]="t('keys.search')" [(value)]="sought" />
        <weir-account-filter [(value)]="accountId" />
        <weir-filter
          [label]="t('accounts.anyGroup')"
          [options]="groupOptions()"
          [(value)]="group"
        />
        <weir-filter [label]="t('state.any')" [options]="statuses()" [(value)]="status" />
      </div>
      <weir-data-table
        [label]="t('accounts.keys')"
        [list]="list"
        [columns]="columns()"
        [trackBy]="idOf"
      >
        <ng-template weirCell="name" [weirCellRows]="list.rows()" let-key>
          <span class="name-first">
            <span class="strong two-lines">{{ key.name }}</span>
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
        <ng-template weirCell="used" [weirCellRows]="list.rows()" let-key>
          @if (key.lastUsedAt; as at) {
            <weir-time [at]="at" />
          } @else {
            <span class="soft">{{ t('keys.neverUsed') }}</span>
          }
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
  protected readonly t = inject(I18n).t;
  protected readonly session = inject(Session);
  protected readonly links = accountAdminLinks();
  protected readonly keyState = keyState;
  /** Query parameter: what to look for at first. */
  readonly search = input<string>();
  protected readonly sought = signal('');
  protected readonly status = signal('');
  protected readonly group = signal('');
  protected readonly accountId = signal('');
  protected readonly idOf = ({ id }: KeyView): string => id;
  protected readonly groups = new Loadable(async () => (await this.#api.call('listGroups')).data);
  protected readonly groupOptions = computed(() =>
    (this.groups.value() ?? []).map(({ id, name }) => ({ value: id, label: name })),
  );
  protected readonly statuses = computed(() => [
    { value: 'active', label: this.t('state.active') },
    { value: 'disabled', label: this.t('state.disabled') },
  ]);
  protected readonly list = new RowList<KeyView>((cursor) =>
    this.#api.call('listKeysOfEveryone', { query: this.#query(cursor) }),
  );
  protected readonly columns = computed((): readonly Column[] => [
    { id: 'name', header: this.t('keys.name'), width: '2fr', narrow: 'title' },
    { id: 'account', header: this.t('accounts.account'), width: '1.6fr', narrow: 'note' },
    { id: 'group', header: this.t('keys.group'), width: '1fr', narrow: 'hidden', wideOnly: true },
    { id: 'status', header: this.t('keys.status'), width: '6.5rem', narrow: 'detail' },
    {
      id: 'spend',
      header: this.t('keys.spendMonth'),
      width: '7rem',
      align: 'end',
      narrow: 'value',
    },
    {
      id: 'used',
      header: this.t('keys.lastUsed'),
      width: '7.5rem',
      narrow: 'hidden',
      wideOnly: true,
    },
    { id: 'actions', header: '', width: '5rem', align: 'end', narrow: 'actions' },
  ]);

  constructor() {
    void this.groups.load();
    effect(() => this.sought.set(this.search() ?? ''));
    effect(() => {
      this.sought();
      this.status();
      this.group();
      this.accountId();
      untracked(() => void this.list.load());
    });
  }

  #query(cursor: string | undefined): {
    cursor?: string;
    search?: string;
    accountId?: string;
    groupId?: string;
    status?: 'active' | 'disabled';
  } {
    const search = this.sought();
    const status = this.status();
    const groupId = this.group();
    const accountId = this.accountId();
    return {
      ...(cursor === undefined ? {} : { cursor }),
      ...(search === '' ? {} : { search }),
      ...(groupId === '' ? {} : { groupId }),
      ...(accountId === '' ? {} : { accountId }),
      ...(status === 'active' || status === 'disabled' ? { status } : {}),
    };
  }

  protected async toggle(key: KeyView): Promise<void> {
    const status = key.status === 'active' ? 'disabled' : 'active';
    await this.#dialogs.confirm({
      heading: this.t(status === 'disabled' ? 'keys.disableTitle' : 'keys.enableTitle'),
      text: this.t(status === 'disabled' ? 'keys.disableText' : 'keys.enableText', {
        name: key.name,
      }),
      action: this.t(status === 'disabled' ? 'action.disable' : 'action.enable'),
      destructive: status === 'disabled',
      work: async () => {
        const updated = await this.#api.call('updateKeyOfAnyone', {
          params: { keyId: key.id },
          ifMatch: '*',
          body: { status },
        });
        this.list.replace(({ id }) => id === updated.id, updated);
      },
    });
  }
}
