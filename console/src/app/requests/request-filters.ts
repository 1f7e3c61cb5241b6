import { computed, signal } from '@angular/core';
import { ERROR_CATALOGUE } from '@weir/shared/api/error-catalogue';
import type { UsageDayView } from '@weir/shared/watch/usage';
import {
  REQUEST_OUTCOMES,
  USAGE_STATUSES,
  type UsageStatus,
} from '@weir/shared/watch/usage-record';
import { Instant } from '@weir/shared/api/wire-values';
import { matchesSchema } from '../core/api/matches-schema';
import { idFrom } from '../core/state/address';
import { lastDays, slotOf } from '../usage/usage-days';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The chart of so few days shows hours. */
const HOUR_DAYS_MAX = 2;

/** How far back a list goes; `all` is as far as bills are kept. */
export const REQUEST_RANGES = ['hour', 'day', 'week', 'month', 'quarter', 'all'] as const;
export type RequestRange = (typeof REQUEST_RANGES)[number];
/** Hours from now on, or whole days of UTC up to today. */
const RANGE_HOURS: Partial<Record<RequestRange, number>> = { hour: 1, day: 24 };
const RANGE_DAYS: Partial<Record<RequestRange, number>> = { week: 7, month: 30, quarter: 90 };

export const OUTCOMES = ['any', ...REQUEST_OUTCOMES] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Statuses of replies that ended too soon, which are codes here. */
const BROKEN_REPLIES = [
  'client_disconnected',
  'upstream_disconnected',
  'funds_exhausted',
  'ledger_unavailable',
];
/** The first code of the catalogue that belongs to the console alone. */
const FIRST_OTHER = 'not_authenticated';

/** Codes that requests fail with, as the log has them. */
export const REQUEST_CODES: readonly string[] = (() => {
  const all = Object.keys(ERROR_CATALOGUE);
  return [...new Set([...all.slice(0, all.indexOf(FIRST_OTHER)), ...BROKEN_REPLIES])];
})();

/** A period with both ends, as a bar of a chart has. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** True at the beginning of a day of UTC. */
function isMidnight(instant: string): boolean {
  return Date.parse(instant) % DAY_MS === 0;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/**
 * The requests that are looked at. It is written in the address of the page, so that it can be
 * passed on and other pages lead to it.
 */
export class RequestFilters {
  readonly #now: () => number;
  readonly #today: () => string;
  readonly range = signal<RequestRange>('day');
  /** In place of the range, if there is one. */
  readonly period = signal<Period | null>(null);
  readonly outcome = signal<Outcome>('any');
  readonly keyId = signal('');
  readonly model = signal('');
  readonly code = signal('');
  readonly accountId = signal('');
  readonly channelId = signal('');
  readonly groupId = signal('');

  readonly any = computed(
    () =>
      this.outcome() !== 'any' ||
      this.period() !== null ||
      this.code() !== '' ||
      Object.values(this.#chosen()).some((value) => value !== ''),
  );

  /** The days of the chart, in UTC; undefined where the list shows no days. */
  readonly days = computed((): { readonly from: string; readonly to: string } | undefined => {
    const period = this.period();
    if (period !== null) {
      if (!isMidnight(period.from) || !isMidnight(period.to)) return undefined;
      return { from: period.from.slice(0, 10), to: dayOf(Date.parse(period.to) - DAY_MS) };
    }
    if (this.range() === 'day') return { from: dayOf(this.#now() - DAY_MS), to: this.#today() };
    const days = RANGE_DAYS[this.range()];
    return days === undefined ? undefined : lastDays(days, Date.parse(this.#today()));
  });
  readonly perHour = computed(() => {
    const { from, to } = this.days() ?? { from: '', to: '' };
    return Date.parse(to) - Date.parse(from) < HOUR_DAYS_MAX * DAY_MS;
  });
  /** The first hour of the latest 24, `2026-01-31T07`; '' where the chart has whole days. */
  readonly firstSlot = computed(() => {
    if (this.range() !== 'day' || this.period() !== null) return '';
    return new Date(this.#now() - DAY_MS).toISOString().slice(0, 13);
  });
  /** A code that is the status of a bill; undefined for one that no bill has. */
  readonly #status = computed((): UsageStatus | '' | undefined => {
    const code = this.code();
    return code === '' ? '' : USAGE_STATUSES.find((status) => status === code);
  });

  /** @param today The day of UTC, `2026-01-31`. */
  constructor(now: () => number, today: () => string) {
    this.#now = now;
    this.#today = today;
  }

  /**
   * Takes the filters from the address. What it does not say, or says wrongly, narrows nothing.
   * @param parameter Returns a query parameter; null if there is none.
   */
  read(parameter: (name: string) => string | null): void {
    const text = (name: string): string => parameter(name) ?? '';
    const [from, to] = [text('from'), text('to')];
    const isPeriod = matchesSchema(Instant, from) && matchesSchema(Instant, to);
    this.range.set(REQUEST_RANGES.find((range) => range === text('range')) ?? 'day');
    // The same one again must not ask for the list again.
    const known = this.period();
    if (known?.from !== from || known.to !== to) this.period.set(isPeriod ? { from, to } : null);
    this.outcome.set(OUTCOMES.find((outcome) => outcome === text('outcome')) ?? 'any');
    this.keyId.set(idFrom(text('key')));
    this.model.set(text('model'));
    this.code.set(text('code'));
    this.accountId.set(idFrom(text('account')));
    this.channelId.set(idFrom(text('channel')));
    this.groupId.set(idFrom(text('group')));
  }

  /** For the list. A range has no end: what happens meanwhile belongs to it. */
  query() {
    return { ...this.#times(), code: this.code(), ...this.#outcome(), ...this.#chosen() } as const;
  }

  /** For the bills of these requests. A code that no bill has narrows nothing. */
  billQuery() {
    return {
      ...this.#times(),
      status: this.#status() ?? '',
      ...this.#outcome(),
      ...this.#chosen(),
    } as const;
  }

  /** For the chart; undefined where bills cannot show what the list does. */
  chartQuery() {
    const days = this.days();
    const status = this.#status();
    if (days === undefined || status === undefined) return undefined;
    const per = this.perHour() ? 'hour' : 'day';
    return { ...days, per, status, ...this.#outcome(), ...this.#chosen() } as const;
  }

  /** Leaves out the hours before the latest 24. */
  sinceSlot(rows: readonly UsageDayView[]): readonly UsageDayView[] {
    const first = this.firstSlot();
    return rows.filter((row) => slotOf(row) >= first);
  }

  #times(): { readonly from: string; readonly to: string } {
    const period = this.period();
    if (period !== null) return period;
    const range = this.range();
    const hours = RANGE_HOURS[range];
    if (hours !== undefined) {
      return { from: new Date(this.#now() - hours * HOUR_MS).toISOString(), to: '' };
    }
    const days = this.days();
    return { from: days === undefined ? '' : `${days.from}T00:00:00.000Z`, to: '' };
  }

  #outcome() {
    const outcome = this.outcome();
    return { outcome: outcome === 'any' ? '' : outcome } as const;
  }

  #chosen() {
    return {
      keyId: this.keyId(),
      model: this.model(),
      accountId: this.accountId(),
      channelId: this.channelId(),
      groupId: this.groupId(),
    };
  }
}
