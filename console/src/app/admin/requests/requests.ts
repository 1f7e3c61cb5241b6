import { Component, inject } from '@angular/core';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { fetchOptions } from '../../core/i18n/options';
import { Address } from '../../core/state/address';
import { TABLE_PAGE } from '../../design/page/page-parts';
import type { Column } from '../../design/table/column';
import { REQUEST_ADMIN_LINKS } from '../../requests/request-links';
import { RequestLog } from '../../requests/request-log';
import { RequestsState } from '../../requests/requests-state';
import { AccountFilter } from '../accounts/account-filter';

const COLUMNS: readonly Column[] = [
  { id: 'time', header: 'record.time', width: '10.5rem', narrow: 'note' },
  { id: 'model', header: 'record.model', width: '1.4fr', narrow: 'title' },
  { id: 'account', header: 'record.account', width: '1.2fr' },
  { id: 'channel', header: 'record.channel', width: '1fr', wideOnly: true },
  { id: 'outcome', header: 'record.status', width: 'minmax(9.25rem, 1.2fr)', narrow: 'detail' },
  { id: 'status', header: 'requests.http', width: '5rem', align: 'end', wideOnly: true },
  { id: 'duration', header: 'record.latency', width: '5rem', align: 'end', narrow: 'value' },
];

/** Every request of everyone, with what its upstreams said. The address says what is shown. */
@Component({
  selector: 'weir-admin-requests',
  imports: [AccountFilter, RequestLog, TABLE_PAGE],
  template: `
    <weir-request-log
      heading="nav.adminRequests"
      intro="requests.adminIntro"
      [columns]="columns"
      [links]="links"
      [state]="state"
    >
      <weir-account-filter
        firstFilter
        [value]="state.filters.accountId()"
        (valueChange)="address.say('account', $event)"
      />
      <weir-filter
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
  protected readonly links = REQUEST_ADMIN_LINKS;
  protected readonly state = new RequestsState({
    list: (query) => this.#api.call('listRequests', { query }),
  });
  protected readonly channels = fetchOptions(() => this.#api.call('listChannelNames'));
}
