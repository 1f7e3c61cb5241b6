import type { Bench } from '../bench.ts';
import type { RequestLogSize } from '../ground/request-log-size.ts';
import { unknownKeys } from '../keys.ts';
import type { OpenLoopResult } from '../load/open-loop.ts';
import { replyCaveat } from '../measure/caveats.ts';
import type { Figure } from '../measure/figure.ts';
import type { Measurement } from '../measure/measurement.ts';
import { shortRequest } from '../requests.ts';
import type { Target } from '../targets/target.ts';
import { openLoopOrder } from './open-loop-order.ts';
import type { Scenario } from './scenario.ts';

const SCENARIO = 'request-log';
const RATE_PER_SECOND = 2_000;
/** A load takes so many times as long as in other scenarios: a minute in a full run. */
const SECONDS_FACTOR = 15;
/** The most that the entry may add to the cost of a request, as a factor. */
const TIMES_MAX = 1.02;
const OFF = { REQUEST_LOG_ENTRIES_PER_SECOND: '0' };
const BYTES_PER_MEGABYTE = 1_000_000;

type Load = Measurement<OpenLoopResult>;

interface Logged {
  readonly load: Load;
  /** The growth of the log. */
  readonly grown: RequestLogSize;
}

async function logged(
  bench: Bench,
  subject: Target,
  keys: readonly string[],
  during: string,
): Promise<Logged> {
  const before = await bench.ground.requestLogSize();
  const load = await bench.measure(
    subject,
    openLoopOrder(bench, subject, {
      request: shortRequest(keys),
      ratePerSecond: bench.options.rate ?? RATE_PER_SECOND,
      seconds: SECONDS_FACTOR * bench.options.sizes.seconds,
    }),
    { scenario: SCENARIO, round: 0, during },
  );
  const after = await bench.ground.requestLogSize();
  return {
    load,
    grown: { entries: after.entries - before.entries, bytes: after.bytes - before.bytes },
  };
}

function figuresOf(name: string, { load, grown }: Logged, expected: number): Figure[] {
  const common = { scenario: SCENARIO, target: 'weir' } as const;
  const caveat = replyCaveat([load], [expected]);
  return [
    { ...common, name: `${name}: CPU per request`, unit: 'us', rounds: [cpuUs(load)], ...caveat },
    { ...common, name: `${name}: entries`, unit: '', rounds: [grown.entries] },
    {
      ...common,
      name: `${name}: disk`,
      unit: 'MB',
      rounds: [grown.bytes / BYTES_PER_MEGABYTE],
    },
  ];
}

const cpuUs = ({ cpuUs: us, result }: Load): number => us / result.sent;

/**
 * Measures the request log at a steady rate, and how much of the disk an attacker can fill: the
 * same load with entries and with sums alone, and a flood of unknown keys.
 */
export const requestLog: Scenario = {
  name: SCENARIO,
  about: `${RATE_PER_SECOND} requests a second for a minute, with the request log and without`,
  run: async (bench) => {
    const { hot } = bench.ground.keys;
    const withLog = await bench.subject();
    await bench.warmUp([withLog], shortRequest([hot]), 'short');
    const entered = await logged(bench, withLog, [hot], 'entries');
    const bad = unknownKeys(bench.options.sizes.unknownKeys);
    const flooded = await logged(bench, withLog, bad, 'flood');
    const without = await bench.subject(OFF);
    await bench.warmUp([without], shortRequest([hot]), 'short');
    const summed = await logged(bench, without, [hot], 'sums');
    const [cost, ...size] = figuresOf('entries', entered, 200);
    return [
      ...(cost === undefined
        ? []
        : [
            {
              ...cost,
              against: { target: 'weir', rounds: [cpuUs(summed.load)] },
              bar: { of: 'ratio', kind: 'at_most', limit: TIMES_MAX },
            } satisfies Figure,
          ]),
      ...size,
      ...figuresOf('sums alone', summed, 200),
      ...figuresOf('flood of bad keys', flooded, 401),
    ];
  },
};
