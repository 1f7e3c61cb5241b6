import { computed, signal } from '@angular/core';
import { LIMIT_CODES, type TrafficView } from '@weir/shared/watch/operations';
import type { Overview } from '@weir/shared/watch/overview';
import type { ApiPort } from '../../core/api/call-input';
import { Loadable } from '../../core/state/loadable';

const DAY_MS = 86_400_000;

export const OPERATION_RANGES = ['day', 'week', 'month', 'year'] as const;
export type OperationRange = (typeof OPERATION_RANGES)[number];
/** Less an hour where the first hour would be a part of one. */
const RANGE_DAYS = { day: 1, week: 6.9, month: 30, year: 365 } as const;

export const DIMENSIONS = ['model', 'channel', 'group', 'account'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** The parameter of the list of requests that a dimension is; it has none for groups. */
export const PARAMETERS: Readonly<Partial<Record<Dimension, string>>> = {
  model: 'model',
  channel: 'channel',
  account: 'account',
};

interface ChannelName {
  readonly id: string;
  readonly name: string;
}

/**
 * The state of the Operations page: the traffic of a period by code, with its whole, and by one
 * dimension.
 */
export class OperationsState {
  readonly #api: ApiPort;
  readonly range = signal<OperationRange>('day');
  readonly by = signal<Dimension>('model');
  readonly codes: Loadable<TrafficView>;
  readonly parts: Loadable<TrafficView>;
  readonly overview: Loadable<Overview>;
  readonly channels: Loadable<readonly ChannelName[]>;
  readonly limitsHit = computed(() =>
    (this.codes.value()?.totals ?? [])
      .filter(({ of }) => LIMIT_CODES.some((code) => code === of))
      .reduce((sum, { requests }) => sum + requests, 0),
  );
  readonly errors = computed(() =>
    (this.codes.value()?.totals ?? []).filter(({ of }) => of !== null),
  );

  constructor(api: ApiPort) {
    this.#api = api;
    this.codes = new Loadable(() => this.#traffic('code'));
    this.parts = new Loadable(() => this.#traffic(this.by()));
    this.overview = new Loadable(() => api.call('getOverview'));
    this.channels = new Loadable(async () => (await api.call('listChannelNames')).data);
  }

  /** Asks for all figures again. */
  async load(): Promise<void> {
    const all = [this.codes, this.parts, this.overview];
    await Promise.all(all.map((part) => part.load()));
  }

  /** For timers. */
  async loadWhenIdle(): Promise<void> {
    const all = [this.codes, this.parts, this.overview];
    await Promise.all(all.map((part) => part.loadWhenIdle()));
  }

  #traffic(by: Dimension | 'code'): Promise<TrafficView> {
    const from = new Date(Date.now() - RANGE_DAYS[this.range()] * DAY_MS).toISOString();
    return this.#api.call('getTraffic', { query: { from, by } });
  }
}
