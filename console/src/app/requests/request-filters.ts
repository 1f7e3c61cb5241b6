import { computed, signal } from '@angular/core';
import { ERROR_CATALOGUE } from '@weir/shared/error-catalogue';
import { REQUEST_OUTCOMES } from '@weir/shared/requests';

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

/** What part of the request log is looked at. */
export class RequestFilters {
  readonly #now: () => number;
  readonly range = signal<RequestRange>('day');
  readonly outcome = signal<Outcome>('any');
  readonly keyId = signal('');
  readonly model = signal('');
  readonly code = signal('');
  readonly accountId = signal('');
  readonly channelId = signal('');

  readonly any = computed(
    () => this.outcome() !== 'any' || Object.values(this.#chosen()).some((value) => value !== ''),
  );

  constructor(now: () => number) {
    this.#now = now;
  }

  /** For the list. No end: what happens meanwhile belongs to it. */
  query() {
    const range = this.range();
    const outcome = this.outcome();
    const since = (hours: number): string => new Date(this.#now() - hours * HOUR_MS).toISOString();
    return {
      from: range === 'all' ? '' : since(RANGE_HOURS[range]),
      outcome: outcome === 'any' ? '' : outcome,
      ...this.#chosen(),
    } as const;
  }

  clear(): void {
    this.outcome.set('any');
    for (const filter of [this.keyId, this.model, this.code, this.accountId, this.channelId]) {
      filter.set('');
    }
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
