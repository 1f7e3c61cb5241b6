import { signal, type WritableSignal } from '@angular/core';
import type { KeyView } from '@weir/shared/keys';
import { PAGE_LIMIT_MAX } from '@weir/shared/pages';
import type { UsageDayView, UsageRecordAdminView, UsageRecordView } from '@weir/shared/usage';
import type { ApiPort } from '../core/api/call-input';
import { fetchAll } from '../core/api/fetch-all';
import type { Option } from '../core/i18n/i18n';
import { Loadable } from '../core/state/loadable';
import { nextPage, RowList } from '../core/state/row-list';
import type { Measure } from './usage-days';
import { UsageFilters } from './usage-filters';

/** A record, with the members that only operators see. */
export type UsageRow = UsageRecordView & Partial<Omit<UsageRecordAdminView, keyof UsageRecordView>>;

export const requestIdOf = ({ requestId }: UsageRow): string => requestId;

/** The state of a page about usage: the chart, the records and their filters. */
export interface ShownUsage<By extends string> {
  readonly filters: UsageFilters;
  readonly measure: WritableSignal<Measure>;
  readonly by: WritableSignal<By>;
  readonly days: Loadable<readonly UsageDayView[]>;
  readonly list: RowList<UsageRow>;
  /** Returns the query of the list and the export. */
  query(): object;
  exportAddress(): string;
}

export type SplitBy = 'model' | 'key';

/** One's own usage. */
export class UsageState implements ShownUsage<SplitBy> {
  readonly #api: ApiPort;
  readonly filters: UsageFilters;
  readonly measure = signal<Measure>('cost');
  readonly by = signal<SplitBy>('model');
  readonly days: Loadable<readonly UsageDayView[]>;
  readonly list: RowList<UsageRow>;
  readonly keys: Loadable<readonly KeyView[]>;

  constructor(api: ApiPort, today: () => string) {
    this.#api = api;
    this.filters = new UsageFilters(today);
    this.days = new Loadable(async () => {
      const query = { ...this.filters.dayQuery(), by: this.by() };
      return (await api.call('listOwnUsageDays', { query })).data;
    });
    this.list = new RowList<UsageRow>(
      (cursor) =>
        api.call('listOwnUsageRecords', { query: { ...this.query(), ...nextPage(cursor) } }),
      requestIdOf,
    );
    this.keys = new Loadable(() =>
      fetchAll((cursor) => api.call('listKeys', { query: { limit: PAGE_LIMIT_MAX, cursor } })),
    );
  }

  query() {
    return this.filters.recordQuery();
  }

  /**
   * The keys to choose from. One that came with the address may be deleted: what narrows the list
   * is named anyway.
   */
  keyOptions(other: string): readonly Option[] {
    const options = (this.keys.value() ?? []).map(({ id, name }) => ({ value: id, label: name }));
    const keyId = this.filters.keyId();
    if (keyId === '' || options.some(({ value }) => value === keyId)) return options;
    return [...options, { value: keyId, label: this.keys.waiting() ? '…' : other }];
  }

  exportAddress(): string {
    return this.#api.addressOf('exportOwnUsage', { query: this.query() });
  }
}
