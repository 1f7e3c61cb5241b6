import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { newRequestId } from '../../platform/ids/request-id.ts';
import type { Payer } from '../ledger.ts';
import { query } from '../postgres/queries.ts';
import { SelfTestFailure } from './self-test-failure.ts';
import { testPayer, testRecord } from './test-request.ts';

const MEMORY_MS = 86_400_000;
const USD = 1_000_000_000;
const KEY = readFileSync(
  new URL('../../data-plane/authentication/sql/key.sql', import.meta.url),
  'utf8',
);
const LOAD = readFileSync(
  new URL('../redis/commands/sql/load-account.sql', import.meta.url),
  'utf8',
);

type Client = Pick<pg.PoolClient, 'query'>;

/** SQLSTATE lock_not_available: others are at work, which says nothing of rights. */
const LOCK_TAKEN = '55P03';

/**
 * Does once what requests, bills, log-ins and jobs ask of PostgreSQL, in transactions that are
 * rolled back: no row stays. Rejects with PostgreSQL's error, or with what came out wrong.
 *
 * @param isLedger PostgreSQL is the ledger; otherwise it only takes what the ledger in Redis has
 * settled
 */
export async function tryPostgres(pool: pg.Pool, isLedger: boolean): Promise<void> {
  const payer = testPayer();
  const digest = randomBytes(32);
  await rolledBack(pool, async (client) => {
    await openAccount(client, payer, digest);
    await readAccount(client, payer, digest);
    await logIn(client, payer);
    await (isLedger ? useLedger(client, payer) : enterUsage(client, payer));
    await client.query("select enter_requests('[]')");
  });
  // Each in a transaction of its own, as locks of jobs are not to be held together.
  for (const job of JOBS) await rolledBack(pool, (client) => client.query(job));
}

/** The functions that periodic jobs call; the last one waits for batches that are under way. */
const JOBS = [
  'select ensure_usage_partitions(0)',
  'select ensure_request_partitions(0)',
  "select close_usage_day('1970-01-01')",
];

async function rolledBack(pool: pg.Pool, act: (client: Client) => Promise<unknown>): Promise<void> {
  const client = await pool.connect();
  let failed = true;
  try {
    await client.query('begin');
    await act(client).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === LOCK_TAKEN)) throw error;
    });
    await client.query('rollback');
    failed = false;
  } finally {
    client.release(failed);
  }
}

async function openAccount(client: Client, payer: Payer, digest: Buffer): Promise<void> {
  const { account, key, group } = payer;
  await client.query(`insert into accounts (id, name) values ($1, 'self-test')`, [account.id]);
  await client.query('insert into groups (id, name) values ($1, $2)', [
    group.id,
    `self-test ${group.id}`,
  ]);
  await client.query(
    `insert into keys (id, account_id, group_id, name, digest, prefix, has_check_letters)
     values ($1, $2, $3, 'self-test', $4, 'self-test', true)`,
    [key.id, account.id, group.id, digest],
  );
  await client.query(`select add_credit($1, $2, $3, 'adjustment', '', 'system')`, [
    randomUUID(),
    account.id,
    USD,
  ]);
  const { rowCount } = await client.query('select from changes where ref = $1', [account.id]);
  if (rowCount === 0) {
    throw new SelfTestFailure('PostgreSQL', 'triggers do not run: no change reaches the gateways');
  }
}

async function readAccount(client: Client, { account, key }: Payer, digest: Buffer): Promise<void> {
  const found = await client.query<{ accountId: string }>(KEY, [[digest]]);
  expectThat(found.rows[0]?.accountId === account.id, 'a key that was inserted is not found');
  const loaded = await client.query<{ balanceNanoUsd: number }>(LOAD, [
    account.id,
    [key.id],
    '[]',
    0,
    ['account'],
  ]);
  expectThat(loaded.rows[0]?.balanceNanoUsd === USD, 'a credit is not in the balance');
}

/** Writes a session as the admin API does: a time must be read back as it was written. */
async function logIn(client: Client, { account }: Payer): Promise<void> {
  const userId = randomUUID();
  const digest = randomBytes(32);
  const expiresAt = new Date(Date.UTC(2100, 11, 31, 23, 59, 59, 123));
  await client.query(
    `insert into users (id, account_id, email, password_hash) values ($1, $2, $3, '')`,
    [userId, account.id, `${userId}@self-test.invalid`],
  );
  await client.query(
    `insert into sessions (id, user_id, digest, address, expires_at) values ($1, $2, $3, '', $4)`,
    [randomUUID(), userId, digest, expiresAt],
  );
  const { rows } = await client.query<{ expiresAt: unknown; digest: unknown }>(
    'select expires_at as "expiresAt", digest from sessions where digest = $1',
    [digest],
  );
  const [session] = rows;
  const isTime = session?.expiresAt instanceof Date && +session.expiresAt === +expiresAt;
  expectThat(isTime, `a time is read as ${String(session?.expiresAt)}`);
  const isBytes = Buffer.isBuffer(session?.digest) && session.digest.equals(digest);
  expectThat(isBytes, 'bytes are read as something else');
}

async function useLedger(client: Client, payer: Payer): Promise<void> {
  const ask = async (name: string, code: string, values: readonly unknown[]): Promise<void> => {
    const { rows } = await client.query<{ code?: string }>(query(name), [...values, MEMORY_MS, 0]);
    const found = rows[0]?.code ?? code;
    expectThat(found === code, `the ledger answered ${found} to a ${name}`);
  };
  const payerJson = JSON.stringify(payer);
  const nowMs = await storeNowMs(client);
  const [settled, released] = [newRequestId(nowMs), newRequestId(nowMs)];
  await ask('hold', 'held', [settled, payerJson, USD / 2, USD / 2, 1, MEMORY_MS]);
  await ask('extend', 'extended', [settled, payerJson, 1, 1, 1, MEMORY_MS]);
  const record = JSON.stringify(testRecord(payer, settled, nowMs));
  await ask('settle', 'settled', [settled, payerJson, 1, 1, record]);
  await ask('hold', 'held', [released, payerJson, 1, 1, 1, MEMORY_MS]);
  await ask('release', 'released', [released, payer.account.id]);
  await ask('credit', 'exists', [payer.account.id, 1, USD, null]);
  await ask('expire', '', [0]);
  const { rows } = await client.query<{ availableNanoUsd: number }>(query('account-state'), [
    payer.account.id,
  ]);
  expectThat(rows[0]?.availableNanoUsd === USD - 1, 'the balance is not what was left');
}

/** Epoch milliseconds by the clock of PostgreSQL. */
async function storeNowMs(client: Client): Promise<number> {
  const { rows } = await client.query<{ nowMs: number }>(
    'select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"',
  );
  return rows[0]?.nowMs ?? Date.now();
}

async function enterUsage(client: Client, payer: Payer): Promise<void> {
  const nowMs = await storeNowMs(client);
  const entry = {
    ...testRecord(payer, newRequestId(nowMs), nowMs),
    settledAtMs: nowMs,
    balanceNanoUsd: 1,
    uncollectedNanoUsd: 0,
    subscriptions: [],
  };
  const { rows } = await client.query<{ added: number }>(
    `select note_entered('[]'), enter_usage($1::json, false) as added`,
    [JSON.stringify([entry])],
  );
  expectThat(rows[0]?.added === 1, 'a usage record is not taken');
}

function expectThat(holds: boolean, otherwise: string): void {
  if (!holds) throw new SelfTestFailure('PostgreSQL', otherwise);
}
