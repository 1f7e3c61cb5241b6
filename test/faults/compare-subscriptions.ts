import type pg from 'pg';
import type { RedisClient } from '../../gateway/stores/redis/connect.ts';
import { readSubscription } from '../support/ledger/read-funds.ts';
import type { Payers } from './seed-payers.ts';

/**
 * Compares what subscriptions have paid in PostgreSQL and in Redis; all windows were open when the
 * run began.
 */
export async function compareSubscriptions(
  client: RedisClient,
  pool: pg.Pool,
  payers: Payers,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string; window: string; used: number }>(
    `select subscription_id as id, allowance_window as window, used_nano_usd as used
     from subscription_windows where subscription_id = any($1)`,
    [payers.subscriptionIds],
  );
  const found: string[] = [];
  for (const id of payers.subscriptionIds) {
    const inRedis = await readSubscription(client, payers.subscriber.id, id);
    if (inRedis === undefined) continue;
    if (inRedis.held !== 0) found.push(`I4: subscription ${id} holds ${inRedis.held}`);
    for (const [window, used] of Object.entries(inRedis.used)) {
      const booked = rows.find((row) => row.id === id && row.window === window)?.used ?? 0;
      if (booked === used) continue;
      found.push(`subscription ${id}, ${window}: ${used} used in Redis, ${booked} in the book`);
    }
  }
  return found;
}
