import type { Ledger, Payer } from '../../gateway/ledger/ledger.ts';
import { median } from '../measure/figure.ts';
import { spend } from './spend.ts';

/** Budgets of the payers of a measurement. */
export const LEVEL_KINDS = ['none', 'key', 'four'] as const;
export type LevelKind = (typeof LEVEL_KINDS)[number];

export interface LevelRound {
  /** Median time of a hold, microseconds. */
  readonly holdUs: number;
  /** CPU of the store per request, a hold and its settle, microseconds. */
  readonly storeUs: number;
}

/**
 * Requests of a round whose CPU is measured, for each one that is timed: the kernel counts CPU time
 * in steps of 10 ms.
 */
const COUNTED_PER_TIMED = 10;

/**
 * First one request after the other, which is timed, then many at a time, whose CPU is measured: by
 * payers of each kind in turns, so that what slows the machine down falls on all of them.
 */
export async function measureLevels(options: {
  readonly ledger: Ledger;
  readonly payers: Readonly<Record<LevelKind, readonly Payer[]>>;
  readonly rounds: number;
  readonly holdsPerRound: number;
  /** Requests under way at the same time while CPU is measured. */
  readonly callers: number;
  /** CPU time of the store so far, microseconds. */
  readonly storeCpuUs: () => number;
  /** See `LedgerGround.dropUsage`. */
  readonly dropUsage: () => Promise<void>;
}): Promise<Record<LevelKind, LevelRound[]>> {
  const { payers, rounds } = options;
  const measured: Record<LevelKind, LevelRound[]> = { none: [], key: [], four: [] };
  for (let round = -1; round < rounds; round += 1) {
    const order = round % 2 === 0 ? LEVEL_KINDS : LEVEL_KINDS.toReversed();
    for (const kind of order) {
      await options.dropUsage();
      const holdUs = await timeHolds(options, payers[kind]);
      const storeUs = await measureCpu(options, payers[kind]);
      // The first round loads the accounts.
      if (round >= 0) measured[kind].push({ holdUs, storeUs });
    }
  }
  return measured;
}

type Options = Parameters<typeof measureLevels>[0];

function payerAt(payers: readonly Payer[], index: number): Payer {
  const payer = payers[index % payers.length];
  if (payer === undefined) throw new Error('no payer');
  return payer;
}

async function timeHolds(
  { ledger, holdsPerRound }: Options,
  payers: readonly Payer[],
): Promise<number> {
  const times: number[] = [];
  for (let hold = 0; hold < holdsPerRound; hold += 1) {
    times.push(await spend(ledger, payerAt(payers, hold)));
  }
  return median(times) * 1_000;
}

async function measureCpu(
  { ledger, holdsPerRound, callers, storeCpuUs }: Options,
  payers: readonly Payer[],
): Promise<number> {
  const requests = holdsPerRound * COUNTED_PER_TIMED;
  const before = storeCpuUs();
  let next = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (next < requests) await spend(ledger, payerAt(payers, (next += 1)));
    }),
  );
  return (storeCpuUs() - before) / requests;
}
