import type pg from 'pg';
import type { Redis } from 'ioredis';
import { createRedisLedger } from '../../gateway/ledger/create-ledger.ts';
import type { Payer } from '../../gateway/ledger/ledger.ts';
import { partitionKey, PARTITION_NAMES } from '../../gateway/ledger/partition.ts';
import { encodeAccount } from '../../gateway/ledger/redis/commands/encode-payer.ts';
import type { RedisLedger } from '../../gateway/ledger/redis/redis-ledger.ts';
import { ScriptCaller } from '../../gateway/ledger/redis/transport/script-caller.ts';
import { connectRedis } from '../../gateway/stores/redis/connect.ts';
import { payerOf } from '../../test/support/ledger/payer.ts';
import { startRedis } from '../../test/support/stores/redis-server.ts';

const DAY_MS = 86_400_000;
const HOT_MS = 60_000;
const TIMEOUT_MS = 30_000;
const LOADS_AT_ONCE = 5_000;
const BALANCE_NANO_USD = 1_000_000_000_000_000;
const POLL_MS = 50;

/**
 * A Redis of its own with accounts loaded, one key each, and ledgers on it as HTTP threads have
 * them.
 */
export interface LedgerGround {
  readonly redis: Redis;
  readonly redisPid: number;
  readonly ledgers: readonly RedisLedger[];
  readonly accounts: number;
  /**
   * Removes the usage records, as the drain does: nothing drains them here, and with too many of
   * them the ledger refuses holds.
   */
  dropUsage(): Promise<void>;
  close(): Promise<void>;
}

const BUDGETS = (['total', 'day', 'month'] as const).map((period) => ({
  period,
  limitNanoUsd: BALANCE_NANO_USD,
}));

/** The n-th payer with budgets of its key, which are never reached. */
export function keyBudgetedPayerAt(index: number): Payer {
  const { account, key, group } = payerAt(index);
  return payerOf({ account, key: { ...key, budgets: BUDGETS }, group });
}

/** The n-th payer with budgets of account, team, member and key. */
export function budgetedPayerAt(index: number): Payer {
  const { account, key, group } = keyBudgetedPayerAt(index);
  const shared = { id: index + 1, budgets: BUDGETS };
  return payerOf({
    account: { ...account, budgets: BUDGETS },
    key,
    group,
    team: shared,
    member: shared,
  });
}

/** Enters the first accounts into the database, for a ledger that is in it or loads from it. */
export async function insertAccounts(pool: pg.Pool, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_value, index) => payerAt(index).account.id);
  await pool.query(
    `insert into accounts (id, name, balance_nano_usd, credit_sequence, budgeted)
     select id, 'bench', $2, 1, true from unnest($1::uuid[]) id on conflict do nothing`,
    [ids, BALANCE_NANO_USD],
  );
}

/** The n-th payer: neither the bench nor Postgres has to keep a million of them. */
export function payerAt(index: number): Payer {
  const id = (kind: string): string => `00000000-0000-4000-8${kind}-${padded(index)}`;
  return payerOf({
    account: { id: id('a00'), preference: 'balance_first' },
    key: { id: id('b00') },
    group: { id: '00000000-0000-4000-8c00-000000000000' },
  });
}

function padded(index: number): string {
  return index.toString(16).padStart(12, '0');
}

/**
 * Starts a Redis with an append-only file and loads `accounts` accounts by the ledger's own load.
 * The database only agrees on epochs: from then on no account has to be read from it.
 */
export async function openLedgerGround(
  pool: pg.Pool,
  { accounts, ledgers }: { readonly accounts: number; readonly ledgers: number },
): Promise<LedgerGround> {
  const server = await startRedis({
    appendonly: true,
    // Loading makes the log due for a rewrite at once. Its copies of pages would count as time of
    // whatever is measured then.
    config: { 'auto-aof-rewrite-percentage': '0' },
  });
  // Each ground has epochs to itself: its Redis is new, and grounds stand side by side.
  await pool.query('update ledger_epochs set epoch = 0');
  const clients = Array.from({ length: ledgers }, () => connectRedis(server.url) as Redis);
  await Promise.all(clients.map((client) => client.connect()));
  const [redis] = clients;
  if (redis === undefined) throw new Error('a ground has at least one ledger');
  const opened = clients.map((client) =>
    createRedisLedger({ redis: client, pool, closedMemoryMs: DAY_MS, timeoutMs: TIMEOUT_MS }),
  );
  await untilEpochs(redis);
  await loadAccounts({ redis, pool, accounts });
  const info = await redis.info('server');
  return {
    redis,
    redisPid: Number(/process_id:(\d+)/.exec(info)?.[1]),
    ledgers: opened,
    accounts,
    dropUsage: async () => {
      for (const partition of PARTITION_NAMES.keys()) {
        await redis.xtrim(partitionKey(partition, 'usage'), 'MAXLEN', 0);
        await redis.del(partitionKey(partition, 'joined'));
      }
    },
    close: async () => {
      await Promise.all(opened.map((ledger) => ledger.close()));
      for (const client of clients) client.disconnect();
      await server.stop();
    },
  };
}

/** The ledger gives every partition its epoch by itself, once it has looked at the store. */
async function untilEpochs(redis: Redis): Promise<void> {
  const keys = PARTITION_NAMES.map((_name, partition) => partitionKey(partition, 'epoch'));
  while ((await redis.exists(...keys)) < keys.length) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function loadAccounts({
  redis,
  pool,
  accounts,
}: {
  readonly redis: Redis;
  readonly pool: pg.Pool;
  readonly accounts: number;
}): Promise<void> {
  const caller = new ScriptCaller({
    redis,
    pool,
    timeoutMs: TIMEOUT_MS,
    hotMs: HOT_MS,
    closedMemoryMs: DAY_MS,
    clockOffsetMs: () => 0,
    restoreEpoch: () => Promise.reject(new Error('the epochs were there')),
  });
  for (let from = 0; from < accounts; from += LOADS_AT_ONCE) {
    const count = Math.min(LOADS_AT_ONCE, accounts - from);
    await Promise.all(
      Array.from({ length: count }, async (_value, at) => {
        const payer = payerAt(from + at);
        const { partition, text } = encodeAccount(payer.account.id);
        const rows = `${text};k${payer.key.id},0,0,0,0,0`;
        const line = await caller.ask(partition, `l1,1,${String(BALANCE_NANO_USD)}`, rows);
        if (line !== 'l') throw new Error(`the load answered ${line}`);
      }),
    );
  }
  caller.stop();
}
