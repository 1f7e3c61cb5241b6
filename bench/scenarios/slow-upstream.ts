import type { OpenLoopResult } from '../load/open-loop.ts';
import type { Figure } from '../measure/figure.ts';
import type { Measurement } from '../measure/measurement.ts';
import { eitherCaveat, replyCaveat } from '../measure/caveats.ts';
import { slowModel } from '../models.ts';
import { shortRequest } from '../requests.ts';
import { openLoopOrder } from './open-loop-order.ts';
import type { Scenario } from './scenario.ts';

type Slow = Measurement<OpenLoopResult>;

/** Connections beyond those in flight, so that a late reply makes nobody wait. */
const SPARE_SHARE = 1.2;
/** A measurement holds its full number in flight for this many times the upstream's delay. */
const DELAYS = 2;

/**
 * An upstream that takes two seconds, and the requests that pile up meanwhile: each must stay
 * cheap.
 */
export const slowUpstream: Scenario = {
  name: 'slow-upstream',
  about: 'an upstream that takes seconds with thousands of requests in flight, open loop',
  run: async (bench) => {
    const { sizes } = bench.options;
    const { slowMs, slowInFlight } = sizes;
    const ratePerSecond = (slowInFlight * 1000) / slowMs;
    const connections = Math.ceil(slowInFlight * SPARE_SHARE);
    const request = shortRequest([bench.ground.keys.hot], slowModel(sizes));
    const subject = await bench.subject({ UPSTREAM_CONNECTIONS_MAX: String(connections) });
    const passThrough = await bench.startPassThrough(connections);
    try {
      // At once, not after seconds: a few hundred requests would leave their code cold.
      await bench.warmUp([subject, passThrough], shortRequest([bench.ground.keys.hot]), 'short');
      const measured = await bench.takeTurns(
        [subject, passThrough].map((target) => ({
          name: target.name,
          target,
          order: openLoopOrder(bench, target, {
            request,
            ratePerSecond,
            connections,
            connectionsMax: connections,
            // Until then the number in flight still grows.
            leadInSeconds: slowMs / 1000,
            seconds: (DELAYS * slowMs) / 1000,
          }),
        })),
        { scenario: 'slow-upstream', inFlight: slowInFlight },
      );
      return figuresOf(measured.get('weir') ?? [], measured.get('pass-through') ?? [], slowMs);
    } finally {
      await passThrough.stop();
    }
  },
};

/** Requests that opened the connections were served too, and cost as much. */
const cpuUsPerRequest = ({ cpuUs, result }: Slow): number =>
  cpuUs / (result.sent + result.connections);

function figuresOf(weir: readonly Slow[], reference: readonly Slow[], slowMs: number): Figure[] {
  const sides = [
    { target: 'weir', own: weir },
    { target: 'pass-through', own: reference },
  ] as const;
  return sides.flatMap(({ target, own }): Figure[] => {
    const caveat = replyCaveat(own);
    const common = { scenario: 'slow-upstream', target, ...caveat };
    const latency = (quantile: 'p50' | 'p99'): Figure => ({
      ...common,
      name: `${quantile} over the upstream's ${slowMs} ms`,
      unit: 'ms',
      rounds: own.map(({ result }) => result.latencyMs[quantile] - slowMs),
    });
    return [
      {
        ...common,
        name: 'CPU per request',
        unit: 'us',
        rounds: own.map(cpuUsPerRequest),
        ...(target === 'weir'
          ? {
              against: { target: 'pass-through' as const, rounds: reference.map(cpuUsPerRequest) },
              ...eitherCaveat(caveat, replyCaveat(reference)),
            }
          : {}),
      },
      latency('p50'),
      latency('p99'),
    ];
  });
}
