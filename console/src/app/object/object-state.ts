import { computed, signal } from '@angular/core';
import type { TrafficView } from '@weir/shared/watch/operations';
import { Loadable } from '../core/state/loadable';
import type { RequestRow } from '../requests/requests-state';
import type { ObjectSource } from './object-source';

const DAY_MS = 86_400_000;

export const OBJECT_RANGES = ['day', 'week', 'month'] as const;
export type ObjectRange = (typeof OBJECT_RANGES)[number];
/** A week less an hour where the first hour would be a part of one: longer spans are by day. */
const RANGE_DAYS = { day: 1, week: 6.9, month: 30 } as const;

/** Traffic and latest failures of one object. */
export class ObjectState {
  readonly range = signal<ObjectRange>('day');
  readonly traffic: Loadable<TrafficView>;
  readonly failures: Loadable<readonly RequestRow[]>;
  readonly total = computed(() => this.traffic.value()?.total);
  /** Requests that failed; of a channel, attempts, also those after which another one served. */
  readonly failed = computed(() => {
    const { failed = 0, failedAttempts = 0 } = this.total() ?? {};
    return Math.max(failed, failedAttempts);
  });
  /** Requests, or attempts of a channel. */
  readonly tries = computed(() => {
    const { requests = 0, failed = 0 } = this.total() ?? {};
    return requests - failed + this.failed();
  });
  /** Null without requests. */
  readonly errorShare = computed(() => (this.tries() === 0 ? null : this.failed() / this.tries()));

  constructor(source: () => ObjectSource, now: () => number = () => Date.now()) {
    this.traffic = new Loadable(() => {
      const from = new Date(now() - RANGE_DAYS[this.range()] * DAY_MS).toISOString();
      return source().traffic(from);
    });
    this.failures = new Loadable(() => source().failures());
  }

  load(): void {
    void this.traffic.load();
    void this.failures.load();
  }
}
