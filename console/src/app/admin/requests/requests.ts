import { Component, inject } from '@angular/core';
import { Api } from '../../core/api/api';
import { Formatter } from '../../core/format/formatter';
import { I18n, optionsOf } from '../../core/i18n/i18n';
import { fetchOptionsLater } from '../../core/i18n/options';
import { Address } from '../../core/state/address';
import { TABLE_PAGE } from '../../design/page/page-parts';
import type { Column } from '../../design/table/column';
import { RequestLog } from '../../requests/request-log';
import { RequestsState } from '../../requests/requests-state';
import { AccountFilter } from '../accounts/finder/account-filter';

const COLUMNS: readonly Column[] = [
  {
    ...{ id: 'time', header: 'record.time', width: '10.5rem', narrow: 'note' },
    sort: '-created',
  },
  { id: 'model', header: 'record.model', width: '1.4fr', narrow: 'title' },
  { id: 'account', header: 'record.account', width: '1.5fr' },
  { id: 'channel', header: 'record.channel', width: '1fr', widestOnly: true },
  { id: 'outcome', header: 'record.status', width: 'minmax(9.25rem, 1fr)', narrow: 'detail' },
  { id: 'status', header: 'requests.http', width: '3rem', align: 'end', widestOnly: true },
  { id: 'tokens', header: 'record.tokens', width: '6.5rem', align: 'end', wideOnly: true },
  {
    ...{ id: 'duration', header: 'record.latency', width: '5rem', align: 'end', wideOnly: true },
    sort: '-duration',
  },
  {
    ...{ id: 'cost', header: 'record.cost', width: '6rem', align: 'end', narrow: 'value' },
    sort: '-cost',
  },
];

const SPLITS = {
  model: 'usage.byModel',
  account: 'usage.byAccount',
  group: 'usage.byGroup',
} as const;

/** Every request of everyone, and the usage of it. The address says what is shown. */
@Component({
  selector: 'weir-admin-requests',
  imports: [AccountFilter, RequestLog, TABLE_PAGE],
  template: `
    <weir-request-log
      heading="nav.adminRequests"
      intro="requests.adminIntro"
      views="admin_requests"
      [columns]="columns"
      [splits]="splits()"
      [state]="state"
    >
      <weir-account-filter
        firstFilter
        [value]="state.filters.accountId()"
        (valueChange)="address.say('account', $event)"
      />
      <weir-filter
        chip
        [label]="t('accounts.anyGroup')"
        [options]="groups.value() ?? []"
        [value]="state.filters.groupId()"
        (valueChange)="address.say('group', $event)"
      />
      <weir-filter
        chip
        [label]="t('usageAdmin.anyChannel')"
        [options]="channels.value() ?? []"
        [value]="state.filters.channelId()"
        (valueChange)="address.say('channel', $event)"
      />
      <ng-template weirCell="account" [weirCellRows]="state.list.rows()" let-request>
        @if (request.accountId; as accountId) {
          <a [routerLink]="['/admin/accounts', accountId]"
            ><weir-name [value]="request.accountName ?? accountId"
          /></a>
        } @else {
          <span class="soft">{{ request.keyPrefix ?? request.clientAddress ?? '–' }}</span>
        }
      </ng-template>
      <ng-template weirCell="channel" [weirCellRows]="state.list.rows()" let-request>
        <span class="two-lines">{{ request.channelName ?? '–' }}</span>
      </ng-template>
    </weir-request-log>
  `,
})
export class AdminRequests {
  readonly #api = inject(Api);
  protected readonly address = inject(Address);
  protected readonly t = inject(I18n).t;
  protected readonly columns = COLUMNS;
  protected readonly state = new RequestsState<keyof typeof SPLITS>({
    list: (query) => this.#api.call('listRequests', { query }),
    days: (query) => this.#api.call('listUsageDays', { query }),
    exportAddress: (query) => this.#api.addressOf('exportUsage', { query }),
    today: inject(Formatter).today,
  });
  protected readonly splits = optionsOf(['model', 'account', 'group'], (by) => SPLITS[by]);
  protected readonly groups = fetchOptionsLater(() => this.#api.call('listGroups'));
  protected readonly channels = fetchOptionsLater(() => this.#api.call('listChannelNames'));
}
