import { partitionKey, partitionOf } from '../../gateway/ledger/partition.ts';
import type { RedisClient } from '../../gateway/redis/connect.ts';

/** An account's row in Redis (gateway/ledger/redis/lua/accounts.lua), in nanodollars. */
export interface Funds {
  readonly available: number;
  readonly held: number;
  readonly owed: number;
  readonly inFlight: number;
}

const DOUBLE_BYTES = 8;

/**
 * Reads the store itself, not through a ledger: a ledger of the run's own would load accounts and send settles again, which is
 * the gateways' part. Undefined when Redis does not know the account.
 */
export async function readFunds(
  client: RedisClient,
  accountId: string,
): Promise<Funds | undefined> {
  const name = partitionKey(partitionOf(accountId), `a:${accountId}`);
  const row = await client.hgetBuffer(name, 'a');
  if (row === null) return undefined;
  const number = (place: number): number => row.readDoubleLE(place * DOUBLE_BYTES);
  return { available: number(0), held: number(1), owed: number(2), inFlight: number(4) };
}
