import { signal } from '@angular/core';
import type { UsageDayView } from '@weir/shared/usage';
import type { ApiPort } from '../../core/api/call-input';
import { Loadable } from '../../core/state/loadable';
import { nextPage, RowList } from '../../core/state/row-list';
import type { Measure } from '../../usage/usage-days';
import { UsageFilters } from '../../usage/usage-filters';
import { requestIdOf, type ShownUsage, type UsageRow } from '../../usage/usage-state';

export type AdminSplitBy = 'model' | 'account' | 'group';

/** The usage of all accounts. */
export class AdminUsageState implements ShownUsage<AdminSplitBy> {
  readonly #api: ApiPort;
  readonly filters: UsageFilters;
  readonly accountId = signal('');
  readonly groupId = signal('');
  readonly channelId = signal('');
  readonly measure = signal<Measure>('cost');
  readonly by = signal<AdminSplitBy>('model');
  readonly days: Loadable<readonly UsageDayView[]>;
  readonly list: RowList<UsageRow>;

  constructor(api: ApiPort, today: () => string) {
    this.#api = api;
    this.filters = new UsageFilters(today);
    this.days = new Loadable(async () => {
      const query = { ...this.filters.dayQuery(), ...this.#whose(), by: this.by() };
      return (await api.call('listUsageDays', { query })).data;
    });
    this.list = new RowList<UsageRow>(
      (cursor) => api.call('listUsageRecords', { query: { ...this.query(), ...nextPage(cursor) } }),
      requestIdOf,
    );
  }

  query() {
    return { ...this.filters.recordQuery(), ...this.#whose() };
  }

  /** The filters of admins alone; the same for the list, the export and the chart. */
  #whose() {
    return { accountId: this.accountId(), groupId: this.groupId(), channelId: this.channelId() };
  }

  exportAddress(): string {
    return this.#api.addressOf('exportUsage', { query: this.query() });
  }
}
