import type { OpenLoopResult } from '../load/open-loop.ts';
import type { Quantiles } from '../load/quantiles.ts';
import { forTarget, type Bench } from '../bench.ts';
import type { Bar, Figure } from '../measure/figure.ts';
import type { Measurement } from '../measure/measurement.ts';
import { eitherCaveat, latencyCaveat } from '../measure/caveats.ts';
import { shortRequest } from '../requests.ts';
import type { Target } from '../targets/target.ts';
import { openLoopOrder } from './open-loop-order.ts';
import type { Scenario } from './scenario.ts';

type Quantile = 'p50' | 'p90' | 'p99' | 'p999';
const QUANTILES: readonly Quantile[] = ['p50', 'p90', 'p99', 'p999'];

/** The bars hold at half of saturation. */
const BARRED_SHARE = 0.5;
const BARS: Readonly<Partial<Record<Quantile, Bar>>> = {
  p50: { of: 'value', kind: 'at_most', limit: 0.4 },
  p99: { of: 'value', kind: 'at_most', limit: 2.5 },
};

/** Requests per second at saturation; measured quickly when no scenario before has found it. */
async function findSaturation(bench: Bench, subject: Target): Promise<number> {
  if (bench.saturation !== undefined) return bench.saturation;
  const { connections, seconds } = bench.options.sizes;
  const { result } = await bench.measure(
    subject,
    {
      kind: 'saturate',
      destination: subject.destination,
      request: forTarget(shortRequest([bench.ground.keys.hot]), subject),
      connections,
      seconds,
    },
    { scenario: 'added-latency', round: 0 },
  );
  bench.saturation = result.requestsPerSecond;
  return result.requestsPerSecond;
}

interface Point {
  readonly label: string;
  readonly ratePerSecond: number;
  readonly share: number | null;
}

async function points(bench: Bench, subject: Target): Promise<Point[]> {
  const { rate, sizes } = bench.options;
  if (rate !== null) return [{ label: `${rate}/s`, ratePerSecond: rate, share: null }];
  const saturation = await findSaturation(bench, subject);
  return sizes.rateShares.map((share) => {
    const ratePerSecond = Math.max(1, Math.round(share * saturation));
    return { label: `${share * 100} % (${ratePerSecond}/s)`, ratePerSecond, share };
  });
}

/** Round by round: both sides of a round had the same machine. */
function added(
  own: readonly Measurement<OpenLoopResult>[],
  direct: readonly Measurement<OpenLoopResult>[],
  quantile: Quantile,
): number[] {
  return own.map((one, round) => {
    const reference = direct[round];
    return reference === undefined ? Number.NaN : read(one, quantile) - read(reference, quantile);
  });
}

const read = (measured: Measurement<OpenLoopResult>, quantile: Quantile): number =>
  measured.result.latencyMs[quantile satisfies keyof Quantiles];

/**
 * Measures what the gateway adds to the upstream's own latency while requests arrive at a fixed
 * rate.
 */
export const addedLatency: Scenario = {
  name: 'added-latency',
  about: 'latency over the upstream called directly, open loop at shares of saturation',
  run: async (bench) => {
    const request = shortRequest([bench.ground.keys.hot]);
    const subject = await bench.subject();
    const targets = [subject, bench.passThrough, bench.direct];
    await bench.warmUp(targets, request, 'short');
    const figures: Figure[] = [];
    for (const { label, ratePerSecond, share } of await points(bench, subject)) {
      const measured = await bench.takeTurns(
        targets.map((target) => ({
          name: target.name,
          target,
          order: openLoopOrder(bench, target, { request, ratePerSecond }),
        })),
        { scenario: 'added-latency', rate: ratePerSecond },
      );
      const direct = measured.get('direct') ?? [];
      for (const quantile of ['p50', 'p99'] as const) {
        figures.push({
          scenario: 'added-latency',
          name: `${quantile} without anything between at ${label}`,
          target: 'direct',
          unit: 'ms',
          rounds: direct.map((one) => read(one, quantile)),
        });
      }
      for (const target of [subject, bench.passThrough]) {
        const own = measured.get(target.name) ?? [];
        const caveat = eitherCaveat(latencyCaveat(own), latencyCaveat(direct));
        for (const quantile of QUANTILES) {
          const bar = target === subject && share === BARRED_SHARE ? BARS[quantile] : undefined;
          figures.push({
            scenario: 'added-latency',
            name: `added ${quantile} at ${label}`,
            target: target.name,
            unit: 'ms',
            rounds: added(own, direct, quantile),
            curve: { over: `rate ${quantile}`, at: ratePerSecond },
            ...caveat,
            ...(bar === undefined ? {} : { bar }),
          });
        }
      }
    }
    return figures;
  },
};
