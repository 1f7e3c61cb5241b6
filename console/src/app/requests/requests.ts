import { Component, computed, inject } from '@angular/core';
import { PAGE_LIMIT_MAX } from '@weir/shared/api/pages';
import { Api } from '../core/api/api';
import { fetchAll } from '../core/api/fetch-all';
import { Formatter } from '../core/format/formatter';
import { I18n } from '../core/i18n/i18n';
import { fetchOptionsLater } from '../core/i18n/options';
import { Address } from '../core/state/address';
import { Filter } from '../design/field/filter';
import type { Column } from '../design/table/column';
import { ownSplits, type OwnSplit } from './own-splits';
import { RequestLog } from './request-log';
import { RequestsState } from './requests-state';
import { withChosen } from './with-chosen';

const COLUMNS: readonly Column[] = [
  {
    ...{ id: 'time', header: 'record.time', width: '10.5rem', narrow: 'note' },
    sort: '-created',
  },
  { id: 'model', header: 'record.model', width: '1.4fr', narrow: 'title' },
  { id: 'key', header: 'record.key', width: '1.3fr', wideOnly: true },
  { id: 'outcome', header: 'record.status', width: 'minmax(9.25rem, 1fr)', narrow: 'detail' },
  { id: 'status', header: 'requests.http', width: '3rem', align: 'end', wideOnly: true },
  { id: 'tokens', header: 'record.tokens', width: '7rem', align: 'end', wideOnly: true },
  {
    ...{ id: 'duration', header: 'record.latency', width: '5rem', align: 'end' },
    sort: '-duration',
  },
  {
    ...{ id: 'cost', header: 'record.cost', width: '6.5rem', align: 'end', narrow: 'value' },
    sort: '-cost',
  },
];

/** Every request of one's own, and the usage of it. */
@Component({
  selector: 'weir-requests',
  imports: [Filter, RequestLog],
  template: `
    <weir-request-log
      heading="requests.title"
      intro="requests.intro"
      views="requests"
      [columns]="columns"
      [splits]="splits()"
      [state]="state"
    >
      <weir-filter
        chip
        [label]="t('usage.anyKey')"
        [options]="keyOptions()"
        [value]="state.filters.keyId()"
        (valueChange)="address.say('key', $event)"
      />
    </weir-request-log>
  `,
})
export class Requests {
  readonly #api = inject(Api);
  protected readonly address = inject(Address);
  protected readonly t = inject(I18n).t;
  protected readonly columns = COLUMNS;
  protected readonly state = new RequestsState<OwnSplit>({
    // Accounts and channels are filters of operators.
    list: ({ accountId: _account, channelId: _channel, ...query }) =>
      this.#api.call('listOwnRequests', { query }),
    days: ({ accountId: _account, channelId: _channel, ...query }) =>
      this.#api.call('listOwnUsageDays', { query }),
    daysAddress: ({ accountId: _account, channelId: _channel, ...query }) =>
      this.#api.addressOf('exportOwnUsageDays', { query }),
    exportAddress: ({ accountId: _account, channelId: _channel, ...query }) =>
      this.#api.addressOf('exportOwnUsage', { query }),
    today: inject(Formatter).today,
  });
  protected readonly splits = ownSplits();
  readonly #keys = fetchOptionsLater(async () => ({
    data: await fetchAll((cursor) =>
      this.#api.call('listKeys', { query: { limit: PAGE_LIMIT_MAX, cursor } }),
    ),
  }));
  protected readonly keyOptions = computed(() =>
    withChosen(this.#keys.value(), this.state.filters.keyId(), this.t('usage.otherKey')),
  );
}
