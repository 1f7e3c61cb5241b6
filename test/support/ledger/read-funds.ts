import { partitionKey, partitionOf } from '../../../gateway/ledger/partition.ts';
import type { RedisClient } from '../../../gateway/stores/redis/connect.ts';

/** An account's row in Redis (gateway/ledger/redis/lua/accounts.lua), in nanodollars. */
export interface Funds {
  readonly available: number;
  readonly held: number;
  readonly owed: number;
  readonly inFlight: number;
}

const DOUBLE_BYTES = 8;

/**
 * Reads the store itself, not through a ledger: a ledger of the run's own would load accounts and
 * send settles again, which is the gateways' part. Undefined when Redis does not know the account.
 */
export async function readFunds(
  client: RedisClient,
  accountId: string,
): Promise<Funds | undefined> {
  const number = await readRow(client, accountId, 'a');
  if (number === undefined) return undefined;
  return { available: number(0), held: number(1), owed: number(2), inFlight: number(4) };
}

export interface SubscriptionFunds {
  readonly held: number;
  /** By window. */
  readonly used: Readonly<Record<'5h' | 'day' | 'week' | 'month', number>>;
}

/** Likewise of one of its subscriptions. */
export async function readSubscription(
  client: RedisClient,
  accountId: string,
  subscriptionId: string,
): Promise<SubscriptionFunds | undefined> {
  const number = await readRow(client, accountId, `s:${subscriptionId}`);
  if (number === undefined) return undefined;
  const used = { '5h': number(3), day: number(5), week: number(7), month: number(9) };
  return { held: number(1), used };
}

/** The row's numbers by their place, from 0. */
async function readRow(
  client: RedisClient,
  accountId: string,
  field: string,
): Promise<((place: number) => number) | undefined> {
  const name = partitionKey(partitionOf(accountId), `a:${accountId}`);
  const row = await client.hgetBuffer(name, field);
  return row === null ? undefined : (place) => row.readDoubleLE(place * DOUBLE_BYTES);
}
