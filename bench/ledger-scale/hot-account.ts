import { cpuTimeUs } from '../processes/process-tree.ts';
import { type LedgerGround, payerAt } from './ledger-ground.ts';
import { spend } from './spend.ts';

export interface HotAccountOptions {
  readonly ground: LedgerGround;
  /** Requests under way at the same time, spread over the ground's ledgers. */
  readonly callers: number;
  readonly rounds: number;
  readonly roundMs: number;
}

/** CPU microseconds per request, a hold and a settle. */
export interface RequestCost {
  readonly redisUs: number;
  readonly callerUs: number;
}

export interface HotAccountRound {
  readonly hot: RequestCost;
  readonly many: RequestCost;
}

/**
 * Requests of one account as fast as they go, then of all accounts in turn, and so on: each round
 * has both.
 */
export async function measureHotAccount(options: HotAccountOptions): Promise<HotAccountRound[]> {
  const { accounts } = options.ground;
  const rounds: HotAccountRound[] = [];
  await costOf(options, 1);
  await costOf(options, accounts);
  for (let round = 0; round < options.rounds; round += 1) {
    // Who goes first changes, so that what grows over time falls on both.
    const hotFirst = round % 2 === 0;
    const first = await costOf(options, hotFirst ? 1 : accounts);
    const second = await costOf(options, hotFirst ? accounts : 1);
    rounds.push(hotFirst ? { hot: first, many: second } : { hot: second, many: first });
  }
  return rounds;
}

async function costOf(options: HotAccountOptions, accounts: number): Promise<RequestCost> {
  const { ground, callers, roundMs } = options;
  let requests = 0;
  let next = 0;
  const redisBefore = cpuTimeUs(ground.redisPid);
  const before = process.cpuUsage();
  const endMs = performance.now() + roundMs;
  await Promise.all(
    Array.from({ length: callers }, async (_value, caller) => {
      const ledger = ground.ledgers[caller % ground.ledgers.length];
      if (ledger === undefined) throw new Error('no ledger');
      while (performance.now() < endMs) {
        next += 1;
        await spend(ledger, payers[next % accounts] ?? payerAtAndKeep(next % accounts));
        requests += 1;
      }
    }),
  );
  const used = process.cpuUsage(before);
  const cost = {
    redisUs: (cpuTimeUs(ground.redisPid) - redisBefore) / requests,
    callerUs: (used.user + used.system) / requests,
  };
  await ground.dropUsage();
  return cost;
}

/**
 * A gateway keeps a payer for a second and more; rebuilding it each time would measure the bench.
 */
const payers: ReturnType<typeof payerAt>[] = [];

function payerAtAndKeep(index: number): ReturnType<typeof payerAt> {
  return (payers[index] = payerAt(index));
}
