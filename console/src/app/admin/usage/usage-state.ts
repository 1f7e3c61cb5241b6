import { signal } from '@angular/core';
import type { UsageDayView, UsageRecordAdminView } from '@weir/shared/usage';
import type { ApiPort } from '../../core/api/call-input';
import { Loadable } from '../../core/state/loadable';
import { nextPage, RowList } from '../../core/state/row-list';
import type { Measure } from '../../usage/usage-days';
import { UsageFilters } from '../../usage/usage-filters';

export type AdminSplitBy = 'model' | 'account' | 'group' | 'key';

/** The usage of all accounts. */
export class AdminUsageState {
  readonly #api: ApiPort;
  readonly filters: UsageFilters;
  readonly accountId = signal('');
  readonly groupId = signal('');
  readonly channelId = signal('');
  readonly measure = signal<Measure>('cost');
  readonly by = signal<AdminSplitBy>('model');
  readonly days: Loadable<readonly UsageDayView[]>;
  readonly list: RowList<UsageRecordAdminView>;
  readonly models: Loadable<readonly string[]>;
  readonly groups: Loadable<readonly { readonly id: string; readonly name: string }[]>;
  readonly channels: Loadable<readonly { readonly id: string; readonly name: string }[]>;

  constructor(api: ApiPort, today: () => string) {
    this.#api = api;
    this.filters = new UsageFilters(today);
    this.days = new Loadable(async () => {
      const query = { ...this.filters.dayQuery(), ...this.#whose(), by: this.by() };
      return (await api.call('listUsageDays', { query })).data;
    });
    this.list = new RowList((cursor) =>
      api.call('listUsageRecords', {
        query: { ...this.query(), ...nextPage(cursor) },
      }),
    );
    this.models = new Loadable(async () =>
      (await api.call('getPricing')).models.map(({ publicId }) => publicId),
    );
    this.groups = new Loadable(async () => (await api.call('listGroups')).data);
    this.channels = new Loadable(async () => (await api.call('listChannels')).data);
  }

  query(): ReturnType<UsageFilters['recordQuery']> & {
    accountId?: string;
    groupId?: string;
    channelId?: string;
  } {
    return { ...this.filters.recordQuery(), ...this.#whose() };
  }

  /** What only an admin chooses by; the same for the list, the export and the chart. */
  #whose(): { accountId?: string; groupId?: string; channelId?: string } {
    const accountId = this.accountId();
    const groupId = this.groupId();
    const channelId = this.channelId();
    return {
      ...(accountId === '' ? {} : { accountId }),
      ...(groupId === '' ? {} : { groupId }),
      ...(channelId === '' ? {} : { channelId }),
    };
  }

  load(): void {
    void this.models.load();
    void this.groups.load();
    void this.channels.load();
  }

  exportAddress(): string {
    return this.#api.addressOf('exportUsage', { query: this.query() });
  }
}
