import { forTarget, type Bench } from '../bench.ts';
import { unknownKeys } from '../keys.ts';
import type { OpenLoopResult } from '../load/open-loop.ts';
import { eitherCaveat, floodCaveat, latencyCaveat } from '../measure/caveats.ts';
import type { Figure } from '../measure/figure.ts';
import type { Measurement } from '../measure/measurement.ts';
import { shortRequest } from '../requests.ts';
import type { Target } from '../targets/target.ts';
import { openLoopOrder } from './open-loop-order.ts';
import type { Scenario } from './scenario.ts';

type Good = Measurement<OpenLoopResult>;

/**
 * Clients with good keys send this share of what saturates the gateway, and the flood as much
 * again.
 */
const SHARE = 0.25;
/** Used when no scenario before has found saturation. */
const RATE_PER_SECOND_FALLBACK = 2_000;
/** A key that must be looked up gets a 503 when the queue of lookups is full. */
const REFUSED = [401, 503];
/** The flood outlasts the measurement by its connections' opening, and by no more than this. */
const FLOOD_EXTRA_SECONDS_MAX = 1.5;

/** One round: good clients three times, and what became of the flood. */
export interface Round {
  readonly calm: Good;
  /**
   * The flood goes to the upstream: it takes as much of the machine's driver, and nothing of the
   * gateway.
   */
  readonly alongside: Good;
  /** The result there. */
  readonly served: OpenLoopResult;
  readonly flooded: Good;
  readonly refused: OpenLoopResult;
}

async function oneRound(
  bench: Bench,
  subject: Target,
  ratePerSecond: number,
  round: number,
): Promise<Round> {
  const { keys } = bench.ground;
  const good = openLoopOrder(bench, subject, { request: shortRequest([keys.hot]), ratePerSecond });
  const bad = shortRequest(unknownKeys(bench.options.sizes.unknownKeys));
  const seconds = good.seconds + Math.min(good.seconds, FLOOD_EXTRA_SECONDS_MAX);
  const floodOn = (target: Target): Promise<OpenLoopResult> =>
    bench.secondDriver.drive({
      ...openLoopOrder(bench, target, { request: forTarget(bad, target), ratePerSecond, seconds }),
    });
  const measureGood = (during: string): Promise<Good> =>
    bench.measure(subject, good, { scenario: 'bad-key-flood', round, during });
  const calm = await measureGood('calm');
  const [alongside, served] = await Promise.all([
    measureGood('flood on the upstream'),
    floodOn(bench.direct),
  ]);
  const [flooded, refused] = await Promise.all([measureGood('flood'), floodOn(subject)]);
  return { calm, alongside, served, flooded, refused };
}

/**
 * Others' latency while somebody tries key after key. None should be looked up; how many found the
 * queue of lookups full is shown.
 */
export const badKeyFlood: Scenario = {
  name: 'bad-key-flood',
  about: "other clients' p99 while a flood of bad keys runs",
  run: async (bench) => {
    const subject = await bench.subject();
    await bench.warmUp([subject], shortRequest([bench.ground.keys.hot]), 'short');
    const ratePerSecond = Math.max(
      1,
      Math.round(SHARE * (bench.saturation ?? RATE_PER_SECOND_FALLBACK)),
    );
    const rounds: Round[] = [];
    for (let round = 0; round < bench.options.sizes.rounds; round += 1) {
      rounds.push(await oneRound(bench, subject, ratePerSecond, round));
    }
    return floodFigures(rounds, ratePerSecond);
  },
};

/** Returns the effect of the flood on others; a ratio is as sound as both of its sides. */
export function floodFigures(rounds: readonly Round[], ratePerSecond: number): Figure[] {
  const common = { scenario: 'bad-key-flood', target: 'weir' } as const;
  const p99 = (name: string, measured: readonly Good[]): Figure => ({
    ...common,
    name,
    unit: 'ms',
    rounds: measured.map(({ result }) => result.latencyMs.p99),
    ...latencyCaveat(measured),
  });
  const calm = rounds.map((one) => one.calm);
  const alongside = rounds.map((one) => one.alongside);
  const flooded = rounds.map((one) => one.flooded);
  const served = rounds.map((one) => one.served);
  const refused = rounds.map((one) => one.refused);
  const floods = floodCaveat(refused, REFUSED);
  return [
    p99('p99 of good clients, calm', calm),
    {
      ...p99('p99 of good clients, flood on the upstream instead', alongside),
      ...floodCaveat(served, [200]),
    },
    {
      ...p99(`p99 of good clients, flood of ${ratePerSecond}/s`, flooded),
      against: { target: 'weir', rounds: calm.map(({ result }) => result.latencyMs.p99) },
      bar: { of: 'ratio', kind: 'at_most', limit: 1.5 },
      ...eitherCaveat(latencyCaveat(flooded), latencyCaveat(calm)),
      ...floods,
    },
    {
      ...common,
      name: 'bad keys refused because the queue was full',
      unit: '%',
      rounds: refused.map(({ statuses, sent }) => (100 * (statuses[503] ?? 0)) / sent),
      ...floods,
    },
  ];
}
