import { computed, signal } from '@angular/core';
import { ERROR_CATALOGUE } from '@weir/shared/error-catalogue';
import { REQUEST_OUTCOMES } from '@weir/shared/usage-record';
import { Instant } from '@weir/shared/wire-values';
import { matchesSchema } from '../core/api/matches-schema';
import { idFrom } from '../core/state/address';

const HOUR_MS = 3_600_000;

/** How far back a list goes; `all` is as far as the log is kept. */
export const REQUEST_RANGES = ['hour', 'day', 'week', 'all'] as const;
export type RequestRange = (typeof REQUEST_RANGES)[number];
const RANGE_HOURS = { hour: 1, day: 24, week: 168 } as const;

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

/** Query parameters of the list's address. */
export const REQUEST_PARAMETERS = [
  ...['range', 'from', 'to', 'outcome', 'key', 'model', 'code', 'account', 'channel'],
] as const;

/** A period with both ends, as a bar of a chart has. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/**
 * The part of the request log that is looked at. It is written in the address of the page, so that
 * it can be passed on and other pages lead to it.
 */
export class RequestFilters {
  readonly #now: () => number;
  readonly range = signal<RequestRange>('day');
  /** In place of the range, if there is one. */
  readonly period = signal<Period | null>(null);
  readonly outcome = signal<Outcome>('any');
  readonly keyId = signal('');
  readonly model = signal('');
  readonly code = signal('');
  readonly accountId = signal('');
  readonly channelId = signal('');

  readonly any = computed(
    () =>
      this.outcome() !== 'any' ||
      this.period() !== null ||
      Object.values(this.#chosen()).some((value) => value !== ''),
  );

  constructor(now: () => number) {
    this.#now = now;
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
  }

  /** For the list. A range has no end: what happens meanwhile belongs to it. */
  query() {
    const range = this.range();
    const outcome = this.outcome();
    const period = this.period();
    const since = (hours: number): string => new Date(this.#now() - hours * HOUR_MS).toISOString();
    return {
      from: period?.from ?? (range === 'all' ? '' : since(RANGE_HOURS[range])),
      to: period?.to ?? '',
      outcome: outcome === 'any' ? '' : outcome,
      ...this.#chosen(),
    } as const;
  }

  #chosen() {
    return {
      keyId: this.keyId(),
      model: this.model(),
      code: this.code(),
      accountId: this.accountId(),
      channelId: this.channelId(),
    };
  }
}
