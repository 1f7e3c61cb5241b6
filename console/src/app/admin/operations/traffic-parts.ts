import type { TrafficTotal } from '@weir/shared/watch/operations';
import type { Dimension } from './operations-state';

/** The state of a part. The word carries the meaning; the colour only helps to find it. */
export type PartState = 'fine' | 'slow' | 'failing' | 'idle';

/** One channel, model, group or customer in the period. */
export interface TrafficPart extends TrafficTotal {
  readonly state: PartState;
  /** For channels: failed attempts among all attempts. For others: failed requests among all. */
  readonly errorShare: number;
  /** The part of the period's spend. */
  readonly spendShare: number;
}

/** From this share of errors on, a part fails. */
const FAILING_SHARE = 0.1;
/** A part is slow if its first tokens take so many times as long as those of all, and this long. */
const SLOW_TIMES = 2;
const SLOW_MS_MIN = 1_000;

function attemptsOf({ requests, failed, failedAttempts }: TrafficTotal): number {
  return Math.max(0, requests - failed) + failedAttempts;
}

function errorShareOf(total: TrafficTotal, by: Dimension): number {
  const [errors, all] =
    by === 'channel' ? [total.failedAttempts, attemptsOf(total)] : [total.failed, total.requests];
  return all === 0 ? 0 : errors / all;
}

function stateOf(part: TrafficTotal, errorShare: number, allMsP95: number | null): PartState {
  if (part.requests === 0 && part.failedAttempts === 0) return 'idle';
  if (errorShare >= FAILING_SHARE) return 'failing';
  const slowMs = Math.max(SLOW_MS_MIN, SLOW_TIMES * (allMsP95 ?? 0));
  return part.firstByteMsP95 !== null && part.firstByteMsP95 > slowMs ? 'slow' : 'fine';
}

interface PartOptions {
  readonly by: Dimension;
  /** The whole period. */
  readonly total: TrafficTotal;
  /** Parts that have to be listed, also without a request. */
  readonly known?: readonly { readonly id: string; readonly name: string }[];
}

/** All parts of a period, each with its state. */
export function trafficParts(
  totals: readonly TrafficTotal[],
  { by, total, known = [] }: PartOptions,
): TrafficPart[] {
  const seen = new Set(totals.map(({ of }) => of));
  const idle = known
    .filter(({ id }) => !seen.has(id))
    .map(({ id, name }): TrafficTotal => ({ ...NOTHING, of: id, label: name }));
  const spend = Number(total.costUsd);
  return [...totals, ...idle].map((part) => {
    const errorShare = errorShareOf(part, by);
    return {
      ...part,
      errorShare,
      spendShare: spend === 0 ? 0 : Number(part.costUsd) / spend,
      state: stateOf(part, errorShare, total.firstByteMsP95),
    };
  });
}

const NOTHING: Omit<TrafficTotal, 'of' | 'label'> = {
  requests: 0,
  failed: 0,
  failedAttempts: 0,
  inputTokens: 0,
  outputTokens: 0,
  costUsd: '0',
  firstByteMsP50: null,
  firstByteMsP95: null,
  durationMsP95: null,
  streamTokensPerSecond: null,
};

/** The keys that parts are sorted by. With a minus, the order is descending. */
const SORT_KEYS: Readonly<Record<string, (part: TrafficPart) => number | string>> = {
  name: (part) => (part.label ?? part.of ?? '').toLowerCase(),
  state: ({ state, errorShare }) => STATE_ORDER.indexOf(state) + errorShare,
  requests: ({ requests }) => requests,
  errors: ({ errorShare }) => errorShare,
  firstToken: ({ firstByteMsP95 }) => firstByteMsP95 ?? -1,
  duration: ({ durationMsP95 }) => durationMsP95 ?? -1,
  speed: ({ streamTokensPerSecond }) => streamTokensPerSecond ?? -1,
  spend: ({ costUsd }) => Number(costUsd),
};
const STATE_ORDER: readonly PartState[] = ['idle', 'fine', 'slow', 'failing'];

/** The parts whose name has the text in it, in an order such as `-errors`. The rest comes last. */
export function sortParts(
  parts: readonly TrafficPart[],
  { order, search }: { readonly order: string; readonly search: string },
): TrafficPart[] {
  const text = search.trim().toLowerCase();
  const key = SORT_KEYS[order.replace(/^-/, '')] ?? (() => 0);
  const sign = order.startsWith('-') ? -1 : 1;
  return parts
    .filter(({ of, label }) => `${label ?? ''} ${of ?? ''}`.toLowerCase().includes(text))
    .toSorted((a, b) => {
      const [left, right] = [key(a), key(b)];
      const byKey = left < right ? -sign : left > right ? sign : 0;
      return Number(a.of === null) - Number(b.of === null) || byKey || b.requests - a.requests;
    });
}
