import { computed, signal, type Signal } from '@angular/core';
import type { DashboardView } from '@weir/shared/watch/dashboard';
import type { UsageDayView, UsageRecordView, UsageSummary } from '@weir/shared/watch/usage';
import type { ApiPort } from '../core/api/call-input';
import { add, decimal, writeDecimal, ZERO, type Decimal } from '../core/format/decimal';
import { Loadable } from '../core/state/loadable';
import { lastDays, type Measure } from '../usage/usage-days';

/** The parts of the chart. */
export type SplitBy = 'model' | 'key';

const CHART_DAYS = 30;
const RECENT_RECORDS = 5;

export interface TopEntry {
  readonly id: string;
  readonly name: string;
  readonly costUsd: string;
  readonly requests: number;
}

/** Returns the entries with the highest spend, exactly summed. */
export function topEntries(days: readonly UsageDayView[], count: number): TopEntry[] {
  const entries = new Map<string, { name: string; cost: Decimal; requests: number }>();
  for (const { of: id, label, costUsd, requests } of days) {
    // The sum of the rest has no name.
    if (id === null) continue;
    const entry = entries.get(id) ?? { name: label ?? id, cost: ZERO, requests: 0 };
    entry.cost = add(entry.cost, decimal(costUsd));
    entry.requests += requests;
    entries.set(id, entry);
  }
  return [...entries]
    .map(([id, { name, cost, requests }]) => ({
      id,
      name,
      costUsd: writeDecimal(cost),
      requests,
    }))
    .sort((one, other) => Number(other.costUsd) - Number(one.costUsd))
    .slice(0, count);
}

/** The state of the dashboard, a user's first page. */
export class DashboardState {
  readonly range: Signal<ReturnType<typeof lastDays>>;
  readonly measure = signal<Measure>('cost');
  readonly by = signal<SplitBy>('model');
  readonly summary: Loadable<UsageSummary>;
  readonly days: Loadable<readonly UsageDayView[]>;
  readonly view: Loadable<DashboardView>;
  readonly recent: Loadable<readonly UsageRecordView[]>;

  readonly top = computed(() => topEntries(this.days.value() ?? [], 5));
  /** Nothing was ever sent: the way is to the first steps. */
  readonly untouched = computed(() => this.recent.value()?.length === 0);

  constructor(api: ApiPort, today: () => string) {
    this.range = computed(() => lastDays(CHART_DAYS, Date.parse(today())));
    this.summary = new Loadable(() => api.call('getOwnUsageSummary'));
    this.days = new Loadable(async () => {
      const query = { ...this.range(), by: this.by() };
      return (await api.call('listOwnUsageDays', { query })).data;
    });
    this.view = new Loadable(() => api.call('getDashboard'));
    this.recent = new Loadable(
      async () =>
        (await api.call('listOwnUsageRecords', { query: { limit: RECENT_RECORDS } })).data,
    );
  }

  load(): void {
    void this.summary.load();
    void this.view.load();
    void this.recent.load();
  }
}
