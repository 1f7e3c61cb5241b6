import { Component, effect, inject, input, untracked } from '@angular/core';
import type { GroupAccountView, GroupDetail } from '@weir/shared/catalog/groups';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { keyIn } from '../../core/i18n/options';
import { Loadable } from '../../core/state/loadable';
import { RowList } from '../../core/state/row-list';
import { CopyButton } from '../../design/code/copy-button';
import { Dialogs } from '../../design/dialog/dialogs';
import { Toasts } from '../../design/feedback/toasts';
import { TABLE_PAGE } from '../../design/page/page-parts';
import type { Column } from '../../design/table/column';
import { GroupAccountActs } from './group-account-acts';

const COLUMNS: readonly Column[] = [
  { id: 'account', header: 'accounts.account', width: '2fr', narrow: 'title' },
  { id: 'price', header: 'groups.ownPrice', width: '1fr', narrow: 'value' },
  { id: 'joined', header: 'groups.joined', width: '1.4fr', narrow: 'detail' },
  { id: 'actions', header: '', width: '2.5rem', narrow: 'actions' },
];

/** One group: for whom it is, its code, and the accounts that have it. */
@Component({
  selector: 'weir-group',
  imports: [CopyButton, TABLE_PAGE],
  template: `
    <weir-page
      [heading]="group.value()?.name ?? t('keys.group')"
      [intro]="group.value()?.description ?? ''"
    >
      <weir-back-link pageBack to="/admin/groups" [label]="t('groups.title')" />
      <div pageAction class="cluster">
        <button matButton="outlined" type="button" (click)="edit()">{{ t('action.edit') }}</button>
        <button
          matButton="filled"
          type="button"
          data-testid="give-group"
          (click)="acts.open({ groupId: groupId() })"
        >
          {{ t('groups.addAccount') }}
        </button>
      </div>
      @if (group.failure(); as failure) {
        <weir-failure-note [failure]="failure" [retryable]="true" (retry)="load()" />
      }
      @if (group.value(); as group) {
        <section class="card stack">
          <p class="cluster">
            <weir-chip tone="brand">× {{ group.multiplier }}</weir-chip>
            <weir-chip [tone]="group.access === 'public' ? 'good' : 'plain'">{{
              t(accessKey(group.access))
            }}</weir-chip>
            @if (group.status === 'disabled') {
              <weir-chip>{{ t('state.disabled') }}</weir-chip>
            }
          </p>
          <p class="soft">{{ t(accessHintKey(group.access)) }}</p>
          @if (group.access === 'code') {
            <div class="cluster">
              @if (code.value(); as shown) {
                <code data-testid="group-code">{{ shown }}</code>
                <weir-copy-button [text]="shown" [what]="t('groups.code')" />
              }
              <button matButton type="button" (click)="replaceCode()">
                {{ t('groups.newCode') }}
              </button>
            </div>
            @if (code.failure(); as failure) {
              <weir-failure-note [failure]="failure" [retryable]="true" (retry)="code.load()" />
            }
          }
        </section>
      }
      <section class="stack">
        <h2>{{ t('groups.accounts') }}</h2>
        <weir-data-table [label]="t('groups.accounts')" [list]="accounts" [columns]="columns">
          <ng-template weirCell="account" [weirCellRows]="accounts.rows()" let-row>
            <a class="row-link" [routerLink]="['/admin/accounts', row.accountId]">{{
              row.accountName
            }}</a>
          </ng-template>
          <ng-template weirCell="price" [weirCellRows]="accounts.rows()" let-row>
            @if (row.multiplier; as multiplier) {
              <weir-chip tone="brand">× {{ multiplier }}</weir-chip>
            } @else {
              <span class="soft">× {{ row.groupMultiplier }}</span>
            }
          </ng-template>
          <ng-template weirCell="joined" [weirCellRows]="accounts.rows()" let-row>
            {{ t(row.joinedBy === 'code' ? 'groups.byCode' : 'groups.byOperator') }} ·
            <weir-time [at]="row.createdAt" />
          </ng-template>
          <ng-template weirCell="actions" [weirCellRows]="accounts.rows()" let-row>
            <weir-row-menu [row]="row" [name]="row.accountName" [acts]="acts.acts" />
          </ng-template>
          <weir-empty-state
            icon="groups"
            [heading]="t('groups.noAccounts')"
            [hint]="t('groups.noAccountsHint')"
          />
        </weir-data-table>
      </section>
    </weir-page>
  `,
})
export class Group {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly accessKey = keyIn('groupAccess');
  protected readonly accessHintKey = keyIn('groupAccessHint');
  protected readonly columns = COLUMNS;

  /** Route parameter. */
  readonly groupId = input.required<string>();

  protected readonly group = new Loadable<GroupDetail>(() =>
    this.#api.call('getGroup', { params: { groupId: this.groupId() } }),
  );
  protected readonly code = new Loadable<string | null>(
    async () =>
      (await this.#api.call('getGroupCode', { params: { groupId: this.groupId() } })).code,
  );
  protected readonly accounts = new RowList<GroupAccountView>(
    (cursor) =>
      this.#api.call('listGroupAccounts', {
        params: { groupId: this.groupId() },
        query: { cursor },
      }),
    ({ accountId }) => accountId,
  );
  protected readonly acts = new GroupAccountActs(() => this.load());

  constructor() {
    effect(() => {
      this.groupId();
      untracked(() => this.load());
    });
  }

  protected load(): void {
    void this.group.load();
    void this.code.load();
    void this.accounts.load();
  }

  protected async edit(): Promise<void> {
    await this.#toasts.reporting(async () => {
      const { GroupDialog } = await import('./group-dialog');
      const params = { groupId: this.groupId() };
      const data = await this.#api.callTagged('getGroup', { params });
      await this.#dialogs.open(GroupDialog, { data, wide: true });
      this.load();
    });
  }

  protected async replaceCode(): Promise<void> {
    const replaced = await this.#dialogs.confirm({
      heading: this.t('groups.newCodeTitle'),
      text: this.t('groups.newCodeText'),
      action: this.t('groups.newCode'),
      work: () => this.#api.call('replaceGroupCode', { params: { groupId: this.groupId() } }),
    });
    if (replaced) await this.code.load();
  }
}
