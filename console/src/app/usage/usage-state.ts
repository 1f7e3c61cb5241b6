import { signal } from '@angular/core';
import type { KeyView } from '@weir/shared/keys';
import type { UsageDayView, UsageRecordView } from '@weir/shared/usage';
import type { ApiPort } from '../core/api/call-input';
import { Loadable } from '../core/state/loadable';
import { nextPage, RowList } from '../core/state/row-list';
import type { Measure } from './usage-days';
import { UsageFilters } from './usage-filters';

export type SplitBy = 'model' | 'key';

/** One's own usage: the chart, the records and what they are filtered by. */
export class UsageState {
  readonly #api: ApiPort;
  readonly filters: UsageFilters;
  readonly measure = signal<Measure>('cost');
  readonly by = signal<SplitBy>('model');
  readonly days: Loadable<readonly UsageDayView[]>;
  readonly list: RowList<UsageRecordView>;
  readonly keys: Loadable<readonly KeyView[]>;
  readonly models: Loadable<readonly string[]>;

  constructor(api: ApiPort, today: () => string) {
    this.#api = api;
    this.filters = new UsageFilters(today);
    this.days = new Loadable(async () => {
      const query = { ...this.filters.dayQuery(), by: this.by() };
      return (await api.call('listOwnUsageDays', { query })).data;
    });
    this.list = new RowList((cursor) =>
      api.call('listOwnUsageRecords', {
        query: { ...this.filters.recordQuery(), ...nextPage(cursor) },
      }),
    );
    this.keys = new Loadable(
      async () => (await api.call('listKeys', { query: { limit: 200 } })).data,
    );
    this.models = new Loadable(async () =>
      (await api.call('getPricing')).models.map(({ publicId }) => publicId),
    );
  }

  exportAddress(): string {
    return this.#api.addressOf('exportOwnUsage', { query: this.filters.recordQuery() });
  }

  fetchRecord(requestId: string): Promise<UsageRecordView> {
    return this.#api.call('getOwnUsageRecord', { params: { requestId } });
  }
}
