import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import type { OpenLoopResult } from '../load/open-loop.ts';
import type { UploadOrder, UploadResult } from '../load/upload.ts';
import { eitherCaveat, latencyCaveat, replyCaveat } from '../measure/caveats.ts';
import type { Figure } from '../measure/figure.ts';
import type { Measurement } from '../measure/measurement.ts';
import { imageModel } from '../models.ts';
import { residentBytes } from '../processes/process-tree.ts';
import { shortRequest } from '../requests.ts';
import type { Target } from '../targets/target.ts';
import { openLoopOrder } from './open-loop-order.ts';
import type { Scenario } from './scenario.ts';

type Good = Measurement<OpenLoopResult>;

/** Far below saturation: it is other clients' latency that counts. */
const RATE_PER_SECOND = 50;
const MB = 1_000_000;
const MEMORY_MB_MAX = 150;
const P99_TIMES_MAX = 2;
const LOOK_MS = 100;

interface Round {
  /** The uploads go straight to the upstream: the share of the driver and the machine. */
  readonly aside: Good;
  readonly during: Good;
  readonly uploaded: UploadResult;
  /** The most memory of the gateway meanwhile, above what it had before. */
  readonly memoryMb: number;
}

async function oneRound(bench: Bench, subject: Target, round: number): Promise<Round> {
  const { ground, options } = bench;
  const { sizes } = options;
  const { count, bytes, bytesPerSecond } = sizes.uploads;
  const uploadsTo = ({ destination }: Target): UploadOrder => ({
    kind: 'upload',
    destination,
    path: '/v1/images/edits',
    model: imageModel(sizes),
    keys: ground.keys.many.slice(0, count),
    ...{ uploads: count, bytes, bytesPerSecond },
  });
  const good = openLoopOrder(bench, subject, {
    request: shortRequest([ground.keys.hot]),
    ratePerSecond: RATE_PER_SECOND,
    seconds: Math.max(sizes.seconds, bytes / bytesPerSecond),
  });
  const measureWith = (name: string, to: Target): Promise<[Good, UploadResult]> =>
    Promise.all([
      bench.measure(subject, good, { scenario: 'uploads', round, uploads: name }),
      bench.secondDriver.drive(uploadsTo(to)),
    ]);
  const [aside] = await measureWith('aside', bench.direct);
  const before = residentBytes(subject.pid);
  let most = before;
  let isOver = false;
  const watch = async (): Promise<void> => {
    while (!isOver) {
      most = Math.max(most, residentBytes(subject.pid));
      await sleep(LOOK_MS);
    }
  };
  const watched = watch();
  const [during, uploaded] = await measureWith('through the gateway', subject);
  isOver = true;
  await watched;
  return { aside, during, uploaded, memoryMb: (most - before) / MB };
}

/**
 * Other clients' latency, and the gateway's memory, while many large files arrive. The latency is
 * compared with that while the same files go past the gateway.
 */
export const uploads: Scenario = {
  name: 'uploads',
  about: "other clients' p99 and the gateway's memory during fifty uploads of 50 MB",
  run: async (bench) => {
    const subject = await bench.subject();
    await bench.warmUp([subject], shortRequest([bench.ground.keys.hot]), 'short');
    const rounds: Round[] = [];
    for (let round = 0; round < bench.options.sizes.rounds; round += 1) {
      rounds.push(await oneRound(bench, subject, round));
    }
    const aside = rounds.map((one) => one.aside);
    const during = rounds.map((one) => one.during);
    const replies = replyCaveat(
      rounds.map(({ uploaded }) => ({ result: uploaded, unrecorded: 0 })),
    );
    const p99 = (measured: readonly Good[]): number[] =>
      measured.map(({ result }) => result.latencyMs.p99);
    const common = { scenario: 'uploads', target: 'weir', unit: 'ms' } as const;
    return [
      {
        ...common,
        name: 'p99 of other clients, the uploads aside',
        rounds: p99(aside),
        ...latencyCaveat(aside),
      },
      {
        ...common,
        name: 'p99 of other clients during uploads',
        rounds: p99(during),
        against: { target: 'weir', rounds: p99(aside) },
        bar: { of: 'ratio', kind: 'at_most', limit: P99_TIMES_MAX },
        ...eitherCaveat(latencyCaveat(during), latencyCaveat(aside)),
        ...replies,
      },
      {
        ...common,
        ...{ unit: 'MB', name: 'memory during uploads, above before' },
        rounds: rounds.map(({ memoryMb }) => memoryMb),
        bar: { of: 'value', kind: 'at_most', limit: MEMORY_MB_MAX },
        ...replies,
      },
    ] satisfies Figure[];
  },
};
