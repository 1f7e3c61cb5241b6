import { type LedgerGround, payerAt } from './ledger-ground.ts';
import { spend } from './spend.ts';

export interface HoldLatency {
  readonly accounts: number;
  /** One median per round, microseconds. */
  readonly p50Us: readonly number[];
}

/**
 * One hold after the other, of accounts picked at random, on each ground in turn: so that what slows the machine down
 * falls on all of them. Answers the median time of a hold per round.
 */
export async function measureHoldLatency(
  grounds: readonly LedgerGround[],
  { rounds, holdsPerRound }: { readonly rounds: number; readonly holdsPerRound: number },
): Promise<HoldLatency[]> {
  const medians = grounds.map((): number[] => []);
  for (const ground of grounds) await medianHoldUs(ground, holdsPerRound);
  for (let round = 0; round < rounds; round += 1) {
    const order = [...grounds.keys()];
    if (round % 2 === 1) order.reverse();
    for (const at of order) {
      const ground = grounds[at];
      if (ground !== undefined) medians[at]?.push(await medianHoldUs(ground, holdsPerRound));
    }
  }
  return grounds.map(({ accounts }, at) => ({ accounts, p50Us: medians[at] ?? [] }));
}

async function medianHoldUs(ground: LedgerGround, holds: number): Promise<number> {
  const [ledger] = ground.ledgers;
  if (ledger === undefined) throw new Error('no ledger');
  const times: number[] = [];
  for (let hold = 0; hold < holds; hold += 1) {
    times.push(await spend(ledger, payerAt(Math.floor(Math.random() * ground.accounts))));
  }
  times.sort((a, b) => a - b);
  return (times[Math.floor(times.length / 2)] ?? 0) * 1_000;
}
