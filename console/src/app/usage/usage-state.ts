import { signal } from '@angular/core';
import type { KeyView } from '@weir/shared/keys';
import type { UsageDayView, UsageRecordView } from '@weir/shared/usage';
import { PAGE_LIMIT_MAX } from '@weir/shared/pages';
import type { ApiPort } from '../core/api/call-input';
import { fetchAll } from '../core/api/fetch-all';
import { Loadable } from '../core/state/loadable';
import { nextPage, RowList } from '../core/state/row-list';
import type { FilterOption } from '../design/field/filter';
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
    this.keys = new Loadable(() =>
      fetchAll((cursor) =>
        api.call('listKeys', {
          query: { limit: PAGE_LIMIT_MAX, ...(cursor === undefined ? {} : { cursor }) },
        }),
      ),
    );
    this.models = new Loadable(async () =>
      (await api.call('getPricing')).models.map(({ publicId }) => publicId),
    );
  }

  /**
   * The keys to choose from. One that came with the address may be deleted: what narrows the list
   * is named all the same.
   */
  keyOptions(other: string): FilterOption[] {
    const options = (this.keys.value() ?? []).map(({ id, name }) => ({ value: id, label: name }));
    const keyId = this.filters.keyId();
    if (keyId === '' || options.some(({ value }) => value === keyId)) return options;
    return [...options, { value: keyId, label: this.keys.waiting() ? '…' : other }];
  }

  exportAddress(): string {
    return this.#api.addressOf('exportOwnUsage', { query: this.filters.recordQuery() });
  }

  fetchRecord(requestId: string): Promise<UsageRecordView> {
    return this.#api.call('getOwnUsageRecord', { params: { requestId } });
  }
}
