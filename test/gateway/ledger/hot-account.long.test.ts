import { afterAll, beforeAll, expect, it } from 'vitest';
import type pg from 'pg';
import { measureHotAccount } from '../../../bench/ledger-scale/hot-account.ts';
import { type LedgerGround, openLedgerGround } from '../../../bench/ledger-scale/ledger-ground.ts';
import { PARTITION_NAMES, partitionKey } from '../../../gateway/ledger/partition.ts';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';

/** The documented ratio. CPU time hardly depends on the load of the machine. */
const RATIO_MAX = 1.1;

let database: TestDatabase;
let pool: pg.Pool;
let ground: LedgerGround;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
  ground = await openLedgerGround(pool, { accounts: 10_000, ledgers: 2 });
});

afterAll(async () => {
  await ground.close();
  await pool.end();
  await database.drop();
});

it('costs the store no more than requests of many accounts do', async () => {
  const rounds = await measureHotAccount({ ground, callers: 64, rounds: 4, roundMs: 500 });
  // A run that is longer or faster would otherwise be refused because of the backlog.
  const left = PARTITION_NAMES.map((_name, at) => ground.redis.xlen(partitionKey(at, 'usage')));
  expect(new Set(await Promise.all(left))).toEqual(new Set([0]));
  const total = (kind: 'hot' | 'many'): number =>
    rounds.reduce((sum, round) => sum + round[kind].redisUs + round[kind].callerUs, 0);
  expect(total('hot') / total('many')).toBeLessThanOrEqual(RATIO_MAX);
});
