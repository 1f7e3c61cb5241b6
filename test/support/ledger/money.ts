import type pg from 'pg';
import { connectRedis } from '../../../gateway/stores/redis/connect.ts';
import { createPostgresLedger, createRedisLedger } from '../../../gateway/ledger/create-ledger.ts';
import type { AccountState, Ledger } from '../../../gateway/ledger/ledger.ts';
import { until } from '../clocks/hang.ts';

/** A ledger of the test's own on the stores a gateway uses, to look at the money. */
export async function openTestLedger(
  pool: pg.Pool,
  redisUrl: string | null,
): Promise<{ ledger: Ledger; close: () => Promise<void> }> {
  if (redisUrl === null) {
    const ledger = createPostgresLedger({ pool });
    return { ledger, close: () => ledger.close() };
  }
  const redis = connectRedis(redisUrl);
  await redis.connect();
  const ledger = createRedisLedger({ redis, pool, closedMemoryMs: 86_400_000 });
  return {
    ledger,
    close: async () => {
      await ledger.close();
      redis.disconnect();
    },
  };
}

/** Waits until nothing is held, then answers the account's state. */
export async function settledState(ledger: Ledger, accountId: string): Promise<AccountState> {
  return until('nothing is held', async () => {
    const state = await ledger.accountState(accountId);
    if (state === undefined) throw new Error('the account is not known');
    return state.inFlight === 0 && state;
  });
}
