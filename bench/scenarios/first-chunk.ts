import { forTarget } from '../bench.ts';
import type { OpenLoopResult } from '../load/open-loop.ts';
import type { Bar, Figure } from '../measure/figure.ts';
import type { Measurement } from '../measure/measurement.ts';
import { eitherCaveat, latencyCaveat } from '../measure/caveats.ts';
import { FIRST_CHUNK_STREAM } from '../models.ts';
import { streamRequest } from '../requests.ts';
import { openLoopOrder } from './open-loop-order.ts';
import type { Scenario } from './scenario.ts';

const SHARE = 0.5;
/**
 * Streams wait for their next chunk most of the time: saturation takes more clients than whole
 * replies do.
 */
const CONNECTIONS_FACTOR = 4;

const BARS: readonly { readonly quantile: 'p50' | 'p99'; readonly bar: Bar }[] = [
  { quantile: 'p50', bar: { of: 'value', kind: 'at_most', limit: 0.3 } },
  { quantile: 'p99', bar: { of: 'value', kind: 'at_most', limit: 2 } },
];

/**
 * Measures how much later a stream's first chunk comes through the gateway than from the upstream
 * itself.
 */
export const firstChunk: Scenario = {
  name: 'first-chunk',
  about: 'time to the first chunk over the upstream called directly, at half of saturation',
  run: async (bench) => {
    const { sizes } = bench.options;
    const request = streamRequest([bench.ground.keys.hot], FIRST_CHUNK_STREAM);
    const subject = await bench.subject();
    const targets = [subject, bench.passThrough, bench.direct];
    await bench.warmUpStreams(targets, request);
    const { result } = await bench.measure(
      subject,
      {
        kind: 'saturate',
        destination: subject.destination,
        request: forTarget(request, subject),
        connections: CONNECTIONS_FACTOR * sizes.connections,
        seconds: sizes.seconds,
      },
      { scenario: 'first-chunk', round: 0 },
    );
    const ratePerSecond = Math.max(1, Math.round(SHARE * result.requestsPerSecond));
    const measured = await bench.takeTurns(
      targets.map((target) => ({
        name: target.name,
        target,
        order: openLoopOrder(bench, target, { request, ratePerSecond }),
      })),
      { scenario: 'first-chunk', rate: ratePerSecond },
    );
    const direct = measured.get('direct') ?? [];
    const added = (
      own: readonly Measurement<OpenLoopResult>[],
      quantile: 'p50' | 'p99',
    ): number[] =>
      own.map(
        (one, round) =>
          one.result.firstByteMs[quantile] -
          (direct[round]?.result.firstByteMs[quantile] ?? Number.NaN),
      );
    return [subject, bench.passThrough].flatMap((target): Figure[] => {
      const own = measured.get(target.name) ?? [];
      const caveat = eitherCaveat(latencyCaveat(own), latencyCaveat(direct));
      return BARS.map(({ quantile, bar }) => ({
        scenario: 'first-chunk',
        name: `added ${quantile} to first chunk at 50 % (${ratePerSecond}/s)`,
        target: target.name,
        unit: 'ms',
        rounds: added(own, quantile),
        ...(target === subject ? { bar } : {}),
        ...caveat,
      }));
    });
  },
};
