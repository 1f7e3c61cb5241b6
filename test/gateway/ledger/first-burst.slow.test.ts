import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { applyCredits } from '../../../gateway/ledger/apply-credits.ts';
import { createPostgresLedger } from '../../../gateway/ledger/create-ledger.ts';
import type { Ledger, Payer } from '../../../gateway/ledger/ledger.ts';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { askInBetween } from '../../support/clocks/in-between.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';
import { addCredit, extendOf, fund, holdOf, settleOf, USD } from './support/fixtures.ts';
import { expectReconciled } from './support/reconcile.ts';

const ACCOUNTS = 4;
const REQUESTS = 40;
const AT_ONCE = 20;
const CONNECTIONS_MAX = 16;

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** Runs `work` with connections that nothing has used before, as after a start. */
async function withColdPool(work: (ledger: Ledger, pool: pg.Pool) => Promise<void>): Promise<void> {
  const pool = openPool(database.url, { connectionsMax: CONNECTIONS_MAX, applicationName: 'test' });
  try {
    await work(createPostgresLedger({ pool, closedMemoryMs: 86_400_000 }), pool);
  } finally {
    await pool.end();
  }
}

/** Deadlocks that PostgreSQL has resolved in this database; a retry does not hide them. */
async function deadlocks(): Promise<number> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ deadlocks: string }>(
    `select deadlocks from pg_stat_database where datname = current_database()`,
  );
  await client.end();
  return Number(rows[0]?.deadlocks);
}

/** Clients that each send the next request when the last one is answered. */
async function burst(request: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < REQUESTS) await request(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
}

async function payersOf(pool: pg.Pool): Promise<Payer[]> {
  return Promise.all(Array.from({ length: ACCOUNTS }, () => fund(pool, 100 * USD)));
}

it('a request that waits for another one’s first use keeps nothing that a settle needs', async () => {
  await withColdPool(async (ledger, pool) => {
    const payer = await fund(pool, USD);
    const { id } = payer.account;
    const outcome = await askInBetween(
      pool,
      // The first use has begun: its row is there and not committed.
      (client) => client.query('insert into ledger_accounts values ($1, 0, 0, 0, 0, 0)', [id]),
      () => ledger.hold(holdOf(payer)),
      () => pool.query('select from accounts where id = $1 for no key update nowait', [id]),
    );
    expect(outcome.code).toBe('insufficient_balance');
  });
});

it('sweepers that delete the same closed requests do not wait for each other', async () => {
  await withColdPool(async (ledger, pool) => {
    const payer = await fund(pool, USD);
    const hold = holdOf(payer);
    await ledger.hold(hold);
    await ledger.settle(settleOf(hold, 7));
    await pool.query(`update ledger_requests set closed_at = '2020-01-01'`);
    const client = await pool.connect();
    await client.query('begin');
    await client.query('select from ledger_requests for update');
    expect(await ledger.expire(10)).toBe(0);
    await client.query('rollback');
    client.release();
    await ledger.expire(10);
    expect((await pool.query('select from ledger_requests')).rowCount).toBe(0);
  });
});

it('an account’s first requests at once are all held and settled', async () => {
  const before = await deadlocks();
  for (let start = 0; start < ACCOUNTS; start += 1) {
    await withColdPool(async (ledger, pool) => {
      const payer = await fund(pool, 100 * USD);
      await burst(async () => {
        const hold = holdOf(payer);
        expect(await ledger.hold(hold)).toMatchObject({ code: 'held' });
        expect(await ledger.settle(settleOf(hold, 7))).toMatchObject({ code: 'settled' });
      });
      expect(await ledger.accountState(payer.account.id)).toMatchObject({
        availableNanoUsd: 100 * USD - 7 * REQUESTS,
        heldNanoUsd: 0,
      });
    });
  }
  expect(await deadlocks()).toBe(before);
});

it('no way to an account’s first use deadlocks with another', async () => {
  const before = await deadlocks();
  await withColdPool(async (ledger, pool) => {
    const payers = await payersOf(pool);
    const ways: readonly ((payer: Payer) => Promise<unknown>)[] = [
      (payer) => ledger.hold(holdOf(payer)),
      (payer) => ledger.settle(settleOf(holdOf(payer), 7)),
      (payer) =>
        ledger.release({ requestId: holdOf(payer).requestId, accountId: payer.account.id }),
      (payer) => ledger.extend(extendOf(holdOf(payer))),
      (payer) => ledger.accountState(payer.account.id),
      async ({ account }) => {
        await addCredit(pool, account.id, USD);
        await applyCredits(ledger, pool, account.id);
      },
      () => ledger.expire(100),
    ];
    await burst(async (index) => {
      const outcomes = await Promise.all(
        ways.map((way, at) => {
          const payer = payers[(index + at * 3) % ACCOUNTS];
          if (payer === undefined) throw new Error('no payer');
          return way(payer);
        }),
      );
      expect(outcomes).not.toContainEqual(expect.objectContaining({ code: 'ledger_unavailable' }));
    });
    await ledger.expire(1_000);
    await expectReconciled(pool);
  });
  expect(await deadlocks()).toBe(before);
});
