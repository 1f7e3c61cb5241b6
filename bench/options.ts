import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Spacing } from './load/arrivals.ts';
import { SIZES, type SizeName, type Sizes } from './sizes.ts';

const BASELINES = ['pass-through', 'metered', 'nginx', 'portkey'] as const;
export type BaselineName = (typeof BASELINES)[number];

export interface Options {
  readonly size: SizeName;
  readonly sizes: Sizes;
  /** Names of scenarios; empty runs all. */
  readonly scenarios: readonly string[];
  /** The pass-through is always among them: every ratio needs it. */
  readonly against: readonly BaselineName[];
  /** Set as GATEWAY_THREADS and WORKER_THREADS; null leaves Weir's own defaults. */
  readonly threads: number | null;
  readonly workers: number | null;
  /** Requests per second of the open loop; null takes shares of saturation. */
  readonly rate: number | null;
  readonly spacing: Spacing;
  /**
   * The subject of the measurement: the gateway, or the pass-through against itself, which shows
   * the noise.
   */
  readonly subject: 'weir' | 'pass-through';
  /** Root of another checkout whose gateway is measured alongside this one; null for none. */
  readonly base: string | null;
  readonly resultsFolder: string;
}

export const USAGE = `npm run bench -- [flags]
  --quick                     within two minutes, fewer and shorter rounds
  --tiny                      only shows that every scenario works
  --scenario a,b              only these; --scenario list names them
  --against pass-through,metered,nginx,portkey
  --threads N --workers N     GATEWAY_THREADS and WORKER_THREADS
  --connections N             clients of the closed loop
  --seconds N --rounds N      length and number of measurements
  --rate N                    requests per second of the open loop, instead of shares of saturation
  --arrivals even|poisson     spacing of the open loop
  --base FOLDER               measures the gateway of another checkout alongside this one
  --subject pass-through      measures the pass-through against itself: the noise of this machine
  --results FOLDER            where results go (bench/results)
`;

function positive(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const value = Number(text);
  if (value > 0) return value;
  throw new Error(`--${name} takes a number above 0, not "${text}".`);
}

function list(text: string | undefined): string[] {
  return (text ?? '').split(',').filter((item) => item !== '');
}

function baselines(text: string | undefined): BaselineName[] {
  const asked = list(text);
  const unknown = asked.find((name) => !BASELINES.some((known) => known === name));
  if (unknown !== undefined) {
    throw new Error(`--against knows ${BASELINES.join(', ')}, not "${unknown}".`);
  }
  return BASELINES.filter((name) => name === 'pass-through' || asked.includes(name));
}

function oneOf<const T extends string>(name: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((item) => item === text);
  if (found === undefined) throw new Error(`--${name} takes ${allowed.join(' or ')}.`);
  return found;
}

/** Reads the command line. Throws with a message for the person when it makes no sense. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      tiny: { type: 'boolean', default: false },
      scenario: { type: 'string' },
      against: { type: 'string' },
      threads: { type: 'string' },
      workers: { type: 'string' },
      connections: { type: 'string' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      rate: { type: 'string' },
      arrivals: { type: 'string', default: 'even' },
      subject: { type: 'string', default: 'weir' },
      base: { type: 'string' },
      results: { type: 'string' },
    },
  });
  const size: SizeName = values.tiny ? 'tiny' : values.quick ? 'quick' : 'full';
  const sizes = SIZES[size];
  return {
    size,
    sizes: {
      ...sizes,
      seconds: positive('seconds', values.seconds) ?? sizes.seconds,
      rounds: positive('rounds', values.rounds) ?? sizes.rounds,
      connections: positive('connections', values.connections) ?? sizes.connections,
    },
    scenarios: list(values.scenario),
    against: baselines(values.against),
    threads: positive('threads', values.threads),
    workers: positive('workers', values.workers),
    rate: positive('rate', values.rate),
    spacing: oneOf('arrivals', values.arrivals, ['even', 'poisson']),
    subject: oneOf('subject', values.subject, ['weir', 'pass-through']),
    base: values.base === undefined ? null : resolve(values.base),
    resultsFolder: values.results ?? new URL('./results/', import.meta.url).pathname,
  };
}
