import { encodeAccount } from '../../gateway/ledger/redis/commands/encode-payer.ts';
import { type LedgerGround, payerAt } from './ledger-ground.ts';
import { spend } from './spend.ts';

export interface HoldLatency {
  readonly accounts: number;
  /** One median per round, microseconds. */
  readonly p50Us: readonly number[];
  /**
   * The same of a script that only reads an account and writes it back: what Redis itself loses to
   * size.
   */
  readonly bareP50Us: readonly number[];
}

/**
 * One hold after the other, of accounts picked at random, on each ground in turn: so that what
 * slows the machine down falls on all of them. Answers the median time of a hold per round.
 */
export async function measureHoldLatency(
  grounds: readonly LedgerGround[],
  { rounds, holdsPerRound }: { readonly rounds: number; readonly holdsPerRound: number },
): Promise<HoldLatency[]> {
  const medians = grounds.map((): number[] => []);
  const bareMedians = grounds.map((): number[] => []);
  for (const ground of grounds) await medianHoldUs(ground, holdsPerRound);
  for (let round = 0; round < rounds; round += 1) {
    const order = [...grounds.keys()];
    if (round % 2 === 1) order.reverse();
    for (const at of order) {
      const ground = grounds[at];
      if (ground === undefined) continue;
      medians[at]?.push(await medianHoldUs(ground, holdsPerRound));
      bareMedians[at]?.push(await medianBareUs(ground, holdsPerRound));
    }
  }
  return grounds.map(({ accounts }, at) => ({
    accounts,
    p50Us: medians[at] ?? [],
    bareP50Us: bareMedians[at] ?? [],
  }));
}

const BARE = `
local found = redis.call('HMGET', KEYS[1], 'a', ARGV[1])
redis.call('HSET', KEYS[1], 'a', found[1])
return #found`;

async function medianBareUs({ redis, accounts }: LedgerGround, calls: number): Promise<number> {
  const sha = String(await redis.script('LOAD', BARE));
  const times: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const { account, key } = payerAt(Math.floor(Math.random() * accounts));
    const name = encodeAccount(account.id).text;
    const startMs = performance.now();
    await redis.evalsha(sha, 1, name, `k:${key.id}`);
    times.push(performance.now() - startMs);
  }
  return medianUs(times);
}

function medianUs(timesMs: number[]): number {
  timesMs.sort((a, b) => a - b);
  return (timesMs[Math.floor(timesMs.length / 2)] ?? 0) * 1_000;
}

async function medianHoldUs(ground: LedgerGround, holds: number): Promise<number> {
  const [ledger] = ground.ledgers;
  if (ledger === undefined) throw new Error('no ledger');
  const times: number[] = [];
  for (let hold = 0; hold < holds; hold += 1) {
    times.push(await spend(ledger, payerAt(Math.floor(Math.random() * ground.accounts))));
  }
  return medianUs(times);
}
