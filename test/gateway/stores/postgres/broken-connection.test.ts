import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '../../../../gateway/control-plane/api/transaction.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import {
  isConnectionError,
  isNoSpaceError,
  isReadOnlyError,
  mayHaveExecuted,
} from '../../../../gateway/stores/postgres/is-connection-error.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

it('a connection that PostgreSQL ends amid a transaction fails it alone: the next one succeeds', async () => {
  const pool = openPool(database.url, { connectionsMax: 1, applicationName: 'breaks' });
  const other = openPool(database.url, { connectionsMax: 1, applicationName: 'test' });
  const broken = inTransaction(pool, async (client) => {
    await client.query('create table t (n integer)');
    const told = new Promise((resolve) => client.once('end', resolve));
    await other.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'breaks'`,
    );
    // The connection breaks between two of its statements.
    await told;
    await client.query('insert into t values (1)');
    return undefined;
  });
  const failure = await broken.then(() => undefined, asError);
  expect(failure?.message).toMatch(/connection|terminat/i);
  expect(failure && isConnectionError(failure)).toBe(true);
  await inTransaction(pool, async (client) => {
    await client.query('create table t (n integer)');
    return undefined;
  });
  await Promise.all([pool.end(), other.end()]);
});

async function failureOf(url: string, statement: string): Promise<Error> {
  const pool = openPool(url, { connectionsMax: 1, applicationName: 'fails' });
  const failure = await pool.query(statement).then(() => undefined, asError);
  await pool.end();
  if (failure === undefined) throw new Error('it succeeded');
  return failure;
}

it('a database that is unavailable is distinguished from one that refuses', async () => {
  const away = async (url: string, statement: string) =>
    isConnectionError(await failureOf(url, statement));
  // Nothing listens on port 9 (discard).
  expect(await away('postgres://127.0.0.1:9/none', 'select 1')).toBe(true);
  // Like a stopped container: its name no longer resolves.
  expect(await away('postgres://postgres.invalid/none', 'select 1')).toBe(true);
  const { url } = database;
  const endOwn = 'select pg_terminate_backend(pg_backend_pid())';
  expect(await away(url, endOwn)).toBe(true);
  expect(await away(url, `set statement_timeout = 5; select pg_sleep(60)`)).toBe(true);
  expect(await away(url, 'select nothing')).toBe(false);
  expect(await away(url, 'select 1 / 0')).toBe(false);
});

it('a query that may have been executed is distinguished from one that was not', async () => {
  const unknown = async (url: string, statement: string) =>
    mayHaveExecuted(await failureOf(url, statement));
  const { url } = database;
  expect(await unknown('postgres://127.0.0.1:9/none', 'select 1')).toBe(false);
  expect(await unknown(url, `set statement_timeout = 5; select pg_sleep(60)`)).toBe(false);
  expect(await unknown(url, 'select nothing')).toBe(false);
  expect(await unknown(`${url}?query_timeout=5`, 'select pg_sleep(60)')).toBe(true);
  expect(await unknown(url, 'select pg_terminate_backend(pg_backend_pid())')).toBe(true);
});

it.each(['reset', 'closed'])('nor is it known of one whose connection is %s', async (how) => {
  const server = createServer((socket) => {
    socket.once('data', () => {
      // "R": no password required; "Z": ready for a query.
      socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]));
      socket.once('data', () => (how === 'reset' ? socket.resetAndDestroy() : socket.destroy()));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(mayHaveExecuted(await failureOf(`postgres://x@127.0.0.1:${port}/x`, 'select 1'))).toBe(
    true,
  );
  server.close();
});

it('a database that takes no changes, or has no room for them, is distinguished from one that is away', async () => {
  const readOnly = await failureOf(database.url, 'begin read only; create table t2 (n integer)');
  expect([isReadOnlyError(readOnly), isConnectionError(readOnly)]).toEqual([true, false]);
  for (const code of ['53100', '53200']) {
    const full = await failureOf(
      database.url,
      `do $$ begin raise exception 'no room' using errcode = '${code}'; end $$`,
    );
    expect([isNoSpaceError(full), isReadOnlyError(full)], code).toEqual([true, false]);
  }
});

it.each(['08006', '28P01', '3D000', '53300', '55000', '57P01', '57P02', '57P03', '57P05'])(
  'a statement that fails with %s may succeed later',
  (code) => {
    expect(isConnectionError(Object.assign(new Error('some words'), { code }))).toBe(true);
  },
);
