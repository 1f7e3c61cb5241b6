import { setImmediate as turn } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ChangeFeed, type Changes } from '../../../gateway/catalog/change-feed.ts';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { migrate } from '../../../gateway/stores/postgres/migrate.ts';
import { until } from '../../support/clocks/hang.ts';
import {
  createDatabase,
  startPostgres,
  type PostgresServer,
  type TestDatabase,
} from '../../support/stores/postgres.ts';

const POLL_MS = 50;
const TRIM_EVERY_MS = 600_000;

interface Watched {
  readonly feed: ChangeFeed;
  readonly changes: Changes[];
  /** `away`, `back` and `resumed`, in the order they happened. */
  readonly events: string[];
}

const running: ChangeFeed[] = [];

async function watch(pool: pg.Pool): Promise<Watched> {
  const changes: Changes[] = [];
  const events: string[] = [];
  const feed = new ChangeFeed({
    pool,
    pollMs: POLL_MS,
    onChanges: (change) => changes.push(change),
    onResumed: () => events.push('resumed'),
    onReachable: (reachable) => events.push(reachable ? 'back' : 'away'),
  });
  await feed.begin();
  feed.start();
  running.push(feed);
  return { feed, changes, events };
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((feed) => feed.stop()));
});

async function record(db: Pick<pg.Pool, 'query'>, kind: string, ref: string): Promise<void> {
  await db.query('select record_change($1, $2)', [kind, ref]);
}

const untilEvents = (events: readonly string[], count: number): Promise<true> =>
  until(`${count} events`, () => events.length >= count);

/** So many turns of the event loop, in which other writers and looks get on. */
async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await turn();
}

const keyIds = (changes: readonly Changes[]): string[] =>
  changes.flatMap((change) => change.keyIds);

describe('the change feed', () => {
  let database: TestDatabase;
  let pool: pg.Pool;

  beforeAll(async () => {
    database = await createDatabase();
    pool = openPool(database.url, { connectionsMax: 20, applicationName: 'test' });
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('tells what was committed after it began, and nothing from before', async () => {
    await record(pool, 'key', 'before');
    const { changes } = await watch(pool);
    await record(pool, 'key', 'after');
    await expect.poll(() => keyIds(changes)).toEqual(['after']);
  });

  it('tells each thing once per look, by its kind', async () => {
    const { changes } = await watch(pool);
    const client = await pool.connect();
    await client.query('begin');
    for (const kind of ['key', 'key', 'account', 'catalog', 'catalog', 'credit']) {
      await record(client, kind, `the ${kind}`);
    }
    await client.query('commit');
    client.release();
    await expect
      .poll(() => changes)
      .toEqual([
        {
          catalog: true,
          keyIds: ['the key'],
          accountIds: ['the account'],
          creditedAccountIds: ['the credit'],
          sequence: expect.any(Number) as number,
        },
      ]);
  });

  it('tells nothing of what is rolled back', async () => {
    const { changes } = await watch(pool);
    const client = await pool.connect();
    await client.query('begin');
    await record(client, 'key', 'undone');
    await client.query('rollback');
    client.release();
    await record(pool, 'key', 'done');
    await expect.poll(() => keyIds(changes)).toEqual(['done']);
  });

  it('misses nothing of what many write at once, in whatever order they commit', async () => {
    const { changes } = await watch(pool);
    const writers = 12;
    const rounds = 15;
    await Promise.all(
      Array.from({ length: writers }, async (_value, writer) => {
        for (let round = 0; round < rounds; round += 1) {
          const client = await pool.connect();
          await client.query('begin');
          // Half take their time after the change, half before: commits overtake each other.
          if (writer % 2 === 0) await turns(round);
          await record(client, 'key', `${writer}.${round}`);
          if (writer % 2 === 1) await turns(round);
          await client.query('commit');
          client.release();
        }
      }),
    );
    await expect.poll(() => keyIds(changes).length).toBe(writers * rounds);
    expect(new Set(keyIds(changes)).size).toBe(writers * rounds);
  });

  it('drops what is older than a day, now and then', async () => {
    const refs = async () =>
      (await pool.query<{ ref: string }>(`select ref from changes where kind = 'age' order by ref`))
        .rows;
    await record(pool, 'age', 'new');
    await record(pool, 'age', 'old');
    await pool.query(`update changes set at = now() - interval '25 hours' where ref = 'old'`);
    await watch(pool);
    const now = performance.now.bind(performance);
    onTestFinished(() => void vi.restoreAllMocks());
    vi.spyOn(performance, 'now').mockImplementation(() => now() + TRIM_EVERY_MS);
    await expect.poll(refs).toEqual([{ ref: 'new' }]);
  });

  it('hears of rows that triggers watch: a key that is disabled, a price, a credit', async () => {
    const ids = { account: crypto.randomUUID(), group: crypto.randomUUID() };
    const key = crypto.randomUUID();
    await pool.query('insert into accounts (id, name) values ($1, $2)', [ids.account, 'a']);
    await pool.query('insert into groups (id, name) values ($1, $2)', [ids.group, 'g']);
    await pool.query(
      `insert into keys (id, account_id, group_id, name, digest, prefix)
       values ($1, $2, $3, 'k', sha256($4::bytea), 'sk-abc')`,
      [key, ids.account, ids.group, key],
    );
    const { changes } = await watch(pool);
    await pool.query(`update keys set last_used_at = now() where id = $1`, [key]);
    await pool.query(`update keys set status = 'disabled' where id = $1`, [key]);
    await pool.query(`select add_credit('e', $1, 5, 'top_up', '', 'system')`, [ids.account]);
    await expect
      .poll(() => changes.flatMap((one) => one.creditedAccountIds))
      .toEqual([ids.account]);
    expect(keyIds(changes)).toEqual([key]);
    expect(changes.some(({ catalog }) => catalog)).toBe(false);
  });

  it('takes a new key for a change of the catalog when it can only be known by its prefix', async () => {
    const ids = { account: crypto.randomUUID(), group: crypto.randomUUID() };
    await pool.query('insert into accounts (id, name) values ($1, $2)', [ids.account, 'b']);
    await pool.query('insert into groups (id, name) values ($1, $2)', [ids.group, 'h']);
    const insert = `
      insert into keys (id, account_id, group_id, name, digest, prefix, has_check_letters)
      values (gen_random_uuid(), $1, $2, 'k', sha256($3::bytea), 'sk-abc', $4)`;
    const { changes } = await watch(pool);
    await pool.query(insert, [ids.account, ids.group, 'checked', true]);
    await expect.poll(() => keyIds(changes)).toHaveLength(1);
    expect(changes.some(({ catalog }) => catalog)).toBe(false);
    await pool.query(insert, [ids.account, ids.group, 'unchecked', false]);
    await expect.poll(() => changes.some(({ catalog }) => catalog)).toBe(true);
  });
});

describe('the change feed when Postgres goes away', () => {
  let server: PostgresServer;
  let pool: pg.Pool;

  beforeAll(async () => {
    server = await startPostgres({ fsync: true });
    pool = openPool(server.url, { connectionsMax: 4, applicationName: 'test' });
    await migrate(pool);
  });
  afterAll(async () => {
    await pool.end();
    await server.stop();
  });

  it('says so once, and when it is back says that everything may have changed', async () => {
    const { changes, events } = await watch(pool);
    await server.kill();
    await untilEvents(events, 1);
    const query = vi.spyOn(pool, 'query');
    await until('some more looks', () => query.mock.calls.length >= 3);
    query.mockRestore();
    expect(events).toEqual(['away']);
    await server.restart();
    await untilEvents(events, 3);
    expect(events).toEqual(['away', 'back', 'resumed']);
    await record(pool, 'key', 'later');
    await expect.poll(() => keyIds(changes)).toEqual(['later']);
  });

  it('does not wait for a Postgres that hangs', async () => {
    const { changes, events } = await watch(pool);
    const client = await pool.connect();
    await client.query('begin');
    await client.query('lock table changes in access exclusive mode');
    await untilEvents(events, 1);
    expect(events).toEqual(['away']);
    await client.query('commit');
    client.release();
    await untilEvents(events, 3);
    expect(events).toEqual(['away', 'back', 'resumed']);
    await record(pool, 'key', 'after the pause');
    await expect.poll(() => keyIds(changes)).toEqual(['after the pause']);
  });

  it('starts over when the newest change is older than what it has seen', async () => {
    await record(pool, 'key', 'lost in the failover');
    const { changes, events } = await watch(pool);
    await server.stop();
    await untilEvents(events, 1);
    expect(events).toEqual(['away']);
    await server.restart();
    await untilEvents(events, 3);
    await pool.query('truncate changes restart identity');
    // Noticed at the next interruption, which a failover is.
    await server.stop();
    await untilEvents(events, 4);
    await server.restart();
    await untilEvents(events, 6);
    await record(pool, 'key', 'first of the new life');
    await expect.poll(() => keyIds(changes)).toEqual(['first of the new life']);
  });
});
