import { Component, effect, inject, input } from '@angular/core';
import { Api } from '../../core/api/api';
import { Formatter } from '../../core/format/formatter';
import { I18n, optionsOf, type PlainKey } from '../../core/i18n/i18n';
import { fetchOptions } from '../../core/i18n/options';
import { Address, idFrom } from '../../core/state/address';
import { TABLE_PAGE } from '../../design/page/page-parts';
import type { Column } from '../../design/table/column';
import { REQUEST_ADMIN_LINKS } from '../../requests/request-links';
import { UsageLog } from '../../usage/usage-log';
import { AccountFilter } from '../accounts/account-filter';
import { AdminUsageState, type AdminSplitBy } from './usage-state';

const COLUMNS: readonly Column[] = [
  { id: 'time', header: 'record.time', width: '10.5rem', narrow: 'note' },
  { id: 'model', header: 'record.model', width: '1.6fr', narrow: 'title' },
  { id: 'account', header: 'record.account', width: '1.4fr' },
  { id: 'channel', header: 'record.channel', width: '1fr', wideOnly: true },
  { id: 'status', header: 'record.status', width: '8.5rem', wideOnly: true },
  { id: 'tokens', header: 'record.tokens', width: '8rem', align: 'end', narrow: 'detail' },
  { id: 'cost', header: 'record.cost', width: '6.5rem', align: 'end', narrow: 'value' },
];

const SPLITS: Readonly<Record<AdminSplitBy, PlainKey>> = {
  model: 'usage.byModel',
  account: 'usage.byAccount',
  group: 'usage.byGroup',
};

@Component({
  selector: 'weir-admin-usage',
  imports: [AccountFilter, UsageLog, TABLE_PAGE],
  template: `
    <weir-usage-log
      heading="nav.adminUsage"
      intro="usageAdmin.intro"
      [columns]="columns"
      [links]="links"
      [splits]="splits()"
      [state]="state"
    >
      <weir-account-filter
        firstFilter
        [value]="state.accountId()"
        (valueChange)="address.say('account', $event)"
      />
      <weir-filter
        [label]="t('accounts.anyGroup')"
        [options]="groups.value() ?? []"
        [(value)]="state.groupId"
      />
      <weir-filter
        [label]="t('usageAdmin.anyChannel')"
        [options]="channels.value() ?? []"
        [(value)]="state.channelId"
      />
      <weir-empty-state icon="usage" [heading]="t('usage.noneFound')" />
      <ng-template weirCell="account" [weirCellRows]="state.list.rows()" let-record>
        <a [routerLink]="['/admin/accounts', record.accountId]"
          ><weir-name [value]="record.accountName ?? record.accountId"
        /></a>
      </ng-template>
      <ng-template weirCell="channel" [weirCellRows]="state.list.rows()" let-record>
        <span class="two-lines">{{ record.channelName ?? '–' }}</span>
      </ng-template>
    </weir-usage-log>
  `,
})
export class AdminUsage {
  readonly #api = inject(Api);
  /** It says whose usage is shown. */
  protected readonly address = inject(Address);
  protected readonly t = inject(I18n).t;
  protected readonly columns = COLUMNS;
  protected readonly links = REQUEST_ADMIN_LINKS;
  protected readonly state = new AdminUsageState(this.#api, inject(Formatter).today);
  protected readonly splits = optionsOf(
    ['model', 'account', 'group'] satisfies AdminSplitBy[],
    (by) => SPLITS[by],
  );
  protected readonly groups = fetchOptions(() => this.#api.call('listGroups'));
  protected readonly channels = fetchOptions(() => this.#api.call('listChannelNames'));

  /** Query parameter: one account only. */
  readonly account = input<string>();

  constructor() {
    effect(() => this.state.accountId.set(idFrom(this.account())));
  }
}
