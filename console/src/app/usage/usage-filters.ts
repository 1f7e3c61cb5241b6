import { computed, signal } from '@angular/core';
import { Day } from '@weir/shared/api/wire-values';
import type { UsageStatus } from '@weir/shared/watch/usage-record';
import { matchesSchema } from '../core/api/matches-schema';
import { lastDays } from './usage-days';

export const RANGE_DAYS = { '1': 1, '7': 7, '30': 30, '90': 90 } as const;
export type Range = keyof typeof RANGE_DAYS | 'custom';
/** The most days of which the chart shows hours. */
const HOUR_DAYS_MAX = 2;
const DAY_MS = 86_400_000;

function isDay(text: string): boolean {
  return matchesSchema(Day, text);
}

/** The filters of the usage: the same for the table, the export and the chart. */
export class UsageFilters {
  readonly #today: () => string;
  readonly range = signal<Range>('30');
  readonly keyId = signal('');
  readonly model = signal('');
  readonly status = signal<UsageStatus | ''>('');

  /** Chosen freely, `2026-01-31`; days of UTC, both included. */
  readonly from = signal('');
  readonly to = signal('');

  readonly days = computed((): { readonly from: string; readonly to: string } => {
    const range = this.range();
    if (range !== 'custom') return lastDays(RANGE_DAYS[range], Date.parse(this.#today()));
    const ends = [this.from(), this.to()].map((day) => (isDay(day) ? day : this.#today()));
    const [from = '', to = ''] = ends.toSorted();
    return { from, to };
  });
  readonly perHour = computed(() => {
    const { from, to } = this.days();
    return (Date.parse(to) - Date.parse(from)) / DAY_MS < HOUR_DAYS_MAX;
  });
  readonly any = computed(() => this.keyId() !== '' || this.model() !== '' || this.status() !== '');

  constructor(today: () => string) {
    this.#today = today;
  }

  /** For the list and the export. Today has no end: what happens meanwhile belongs to it. */
  recordQuery() {
    const { from, to } = this.days();
    const isOver = to < this.#today();
    return {
      from: `${from}T00:00:00.000Z`,
      ...(isOver ? { to: new Date(Date.parse(to) + DAY_MS).toISOString() } : {}),
      ...this.#chosen(),
    };
  }

  /** For the chart. */
  dayQuery() {
    const per = this.perHour() ? 'hour' : 'day';
    return { ...this.days(), per, ...this.#chosen() } as const;
  }

  #chosen() {
    return { keyId: this.keyId(), model: this.model(), status: this.status() };
  }

  clear(): void {
    this.keyId.set('');
    this.model.set('');
    this.status.set('');
  }
}
