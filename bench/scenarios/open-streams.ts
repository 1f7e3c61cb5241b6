import { setTimeout as sleep } from 'node:timers/promises';
import { forTarget, type Bench } from '../bench.ts';
import type { Figure } from '../measure/figure.ts';
import { cpuTimeUs, openFilesMax, residentBytes } from '../processes/process-tree.ts';
import { streamRequest } from '../requests.ts';
import type { Target } from '../targets/target.ts';
import type { Scenario } from './scenario.ts';

const MB = 1_000_000;
const BAR_STREAMS = 10_000;
const BAR_MB = 400;
/** With fewer streams than this share of the bar's, a figure for the bar would be a guess. */
const CONTINUED_SHARE_MIN = 0.9;
/** Open files that a gateway has besides its streams. */
const FILES_BESIDES = 200;
/** Every stream is two open files of a proxy: its client and its upstream. */
const FILES_PER_STREAM = 2;
/**
 * V8 notices ten to thirty seconds after the last stream has opened that little happens, in each
 * thread for itself, and collects what opening them has left, unless it is told not to, as by Weir.
 * Shorter runs measure before that, which is more.
 */
const IDLE_SECONDS_MAX = 40;
/** Length of the idle phase, in lengths of another measurement. */
const IDLE_LENGTHS = 10;

interface Held {
  readonly asked: number;
  readonly open: number;
  /** Memory when the last one had opened. */
  readonly openedBytes: number;
  /** Memory when they had been idle for a while. */
  readonly residentBytes: number;
  /** CPU while nothing is sent, in microseconds per second. */
  readonly idleUsPerSecond: number;
}

async function hold(bench: Bench, target: Target, asked: number): Promise<Held> {
  const { result } = await bench.measure(
    target,
    {
      kind: 'hold_streams',
      destination: target.destination,
      request: forTarget(streamRequest([bench.ground.keys.hot], 'hold'), target),
      count: asked,
    },
    { scenario: 'open-streams', round: 0, asked },
  );
  const seconds = Math.min(IDLE_SECONDS_MAX, bench.options.sizes.seconds * IDLE_LENGTHS);
  const openedBytes = residentBytes(target.pid);
  const before = cpuTimeUs(target.pid);
  await sleep(1000 * seconds);
  const idleUsPerSecond = (cpuTimeUs(target.pid) - before) / seconds;
  const held = {
    asked,
    open: result.open,
    openedBytes,
    residentBytes: residentBytes(target.pid),
    idleUsPerSecond,
  };
  await bench.driver.drive({ kind: 'let_go' });
  return held;
}

/**
 * Memory at exactly 10,000 streams when this machine allows fewer open files: the last step goes
 * on.
 */
function atBar(held: readonly Held[]): { mb: number; note?: string; unjudged?: boolean } {
  const last = held.at(-1);
  const first = held[0];
  if (last === undefined || first === undefined) return { mb: Number.NaN };
  if (last.open >= BAR_STREAMS) return { mb: last.residentBytes / MB };
  const perStream = (last.residentBytes - first.residentBytes) / (last.open - first.open);
  return {
    mb: (last.residentBytes + perStream * (BAR_STREAMS - last.open)) / MB,
    note: `continued from ${last.open} streams; ulimit -n is ${openFilesMax()}`,
    ...(last.open < CONTINUED_SHARE_MIN * BAR_STREAMS ? { unjudged: true } : {}),
  };
}

function figuresOf(target: Target, held: readonly Held[], isSubject: boolean): Figure[] {
  const common = { scenario: 'open-streams', target: target.name };
  const figures = held.flatMap((step): Figure[] => {
    const lost = step.asked - step.open;
    const note = lost > 0 ? { note: `${lost} streams did not stay open`, unjudged: true } : {};
    const curve = { over: 'streams open', at: step.open };
    return [
      {
        ...common,
        ...note,
        curve,
        name: `memory at ${step.open} open streams, idle`,
        unit: 'MB',
        rounds: [step.residentBytes / MB],
      },
      {
        ...common,
        name: `memory when the last of ${step.open} streams has opened`,
        unit: 'MB',
        rounds: [step.openedBytes / MB],
      },
      {
        ...common,
        name: `CPU while ${step.open} streams idle`,
        unit: 'us/s',
        rounds: [step.idleUsPerSecond],
      },
    ];
  });
  const { mb, note, unjudged = false } = atBar(held);
  figures.push({
    ...common,
    name: 'memory at 10000 open streams, idle',
    unit: 'MB',
    rounds: [mb],
    ...(note === undefined ? {} : { note }),
    ...(isSubject ? { bar: { of: 'value', kind: 'at_most', limit: BAR_MB } as const } : {}),
    ...(unjudged || held.some(({ asked, open }) => open < asked) ? { unjudged: true } : {}),
  });
  return figures;
}

/** Memory of thousands of streams that are open and say nothing, as those of slow models do. */
export const openStreams: Scenario = {
  name: 'open-streams',
  about: 'memory while 1,000 and 10,000 streams are open',
  run: async (bench) => {
    const possible = Math.floor((openFilesMax() - FILES_BESIDES) / FILES_PER_STREAM);
    const counts = bench.options.sizes.streamsHeld.map((count) => Math.min(count, possible));
    const connectionsMax = Math.max(...counts) + FILES_BESIDES;
    const subject = await bench.subject({ UPSTREAM_CONNECTIONS_MAX: String(connectionsMax) });
    const passThrough = await bench.startPassThrough(connectionsMax);
    try {
      const figures: Figure[] = [];
      for (const target of [subject, passThrough]) {
        const held: Held[] = [];
        for (const count of counts) held.push(await hold(bench, target, count));
        figures.push(...figuresOf(target, held, target === subject));
      }
      return figures;
    } finally {
      await passThrough.stop();
    }
  },
};
