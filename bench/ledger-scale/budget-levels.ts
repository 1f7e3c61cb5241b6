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
 * One request after the other, by payers of each kind in turns, so that what slows the machine down
 * falls on all of them.
 */
export async function measureLevels(options: {
  readonly ledger: Ledger;
  readonly payers: Readonly<Record<LevelKind, readonly Payer[]>>;
  readonly rounds: number;
  readonly holdsPerRound: number;
  /** CPU time of the store so far, microseconds. */
  readonly storeCpuUs: () => number;
}): Promise<Record<LevelKind, LevelRound[]>> {
  const { ledger, payers, rounds, holdsPerRound, storeCpuUs } = options;
  const measured: Record<LevelKind, LevelRound[]> = { none: [], key: [], four: [] };
  for (let round = -1; round < rounds; round += 1) {
    const order = round % 2 === 0 ? LEVEL_KINDS : LEVEL_KINDS.toReversed();
    for (const kind of order) {
      const times: number[] = [];
      const before = storeCpuUs();
      for (let hold = 0; hold < holdsPerRound; hold += 1) {
        const payer = payers[kind][hold % payers[kind].length];
        if (payer === undefined) throw new Error('no payer');
        times.push(await spend(ledger, payer));
      }
      const storeUs = (storeCpuUs() - before) / holdsPerRound;
      // The first round loads the accounts.
      if (round >= 0) measured[kind].push({ holdUs: median(times) * 1_000, storeUs });
    }
  }
  return measured;
}
