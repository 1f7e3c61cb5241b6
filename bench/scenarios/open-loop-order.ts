import { forTarget, type Bench } from '../bench.ts';
import type { OpenLoopOrder } from '../load/open-loop.ts';
import type { RequestShape } from '../load/request-shape.ts';
import type { Target } from '../targets/target.ts';

/**
 * Far more than are busy at once below saturation; it bounds what a stalled server can make the
 * driver open.
 */
const CONNECTIONS_MAX = 4_096;

export interface OpenLoad {
  readonly request: RequestShape;
  readonly ratePerSecond: number;
  readonly leadInSeconds?: number;
  readonly seconds?: number;
  readonly connections?: number;
  readonly connectionsMax?: number;
}

/** Requests at a fixed rate against a target, with the run's own length and spacing. */
export function openLoopOrder(bench: Bench, target: Target, load: OpenLoad): OpenLoopOrder {
  const { sizes, spacing } = bench.options;
  return {
    kind: 'open_loop',
    destination: target.destination,
    request: forTarget(load.request, target),
    ratePerSecond: load.ratePerSecond,
    leadInSeconds: load.leadInSeconds ?? sizes.leadInSeconds,
    seconds: load.seconds ?? sizes.seconds,
    spacing,
    connections: load.connections ?? sizes.connections,
    connectionsMax: load.connectionsMax ?? CONNECTIONS_MAX,
  };
}
