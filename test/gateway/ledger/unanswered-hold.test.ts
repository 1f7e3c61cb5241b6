import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createPostgresLedger } from '../../../gateway/ledger/create-ledger.ts';
import type { Ledger } from '../../../gateway/ledger/ledger.ts';
import { openPool } from '../../../gateway/postgres/connect.ts';
import { createDatabase, type TestDatabase } from '../../support/postgres.ts';
import { stateOf } from './support/ask.ts';
import { fund, holdOf, USD } from './support/fixtures.ts';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 5, applicationName: 'test' });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

describe('with PostgreSQL', () => {
  let impatientPool: pg.Pool;
  let ledger: Ledger;

  beforeAll(() => {
    // It gives a statement up without telling the server, as when the answer is late or lost.
    impatientPool = openPool(`${database.url}?query_timeout=100`, {
      connectionsMax: 5,
      applicationName: 'impatient',
      statementTimeoutMs: 0,
    });
    ledger = createPostgresLedger({ pool: impatientPool });
  });
  afterAll(() => impatientPool.end());

  it('a hold that PostgreSQL makes after it was refused for want of an answer is given back, be it a while later', async () => {
    const payer = await fund(pool, 5 * USD);
    const stateNow = () => stateOf({ ledger: createPostgresLedger({ pool }) }, payer.account.id);
    // So that the first try of giving it back fails.
    await pool.query('alter function ledger_release rename to ledger_release_away');
    const before = await pool.connect();
    await before.query('begin');
    await before.query('select ledger_lock_account($1)', [payer.account.id]);
    expect(await ledger.hold(holdOf(payer))).toEqual({
      code: 'ledger_unavailable',
      cause: 'Query read timeout',
    });
    await before.query('commit');
    before.release();
    await expect.poll(stateNow).toEqual([4 * USD, USD, 0, 1]);
    await pool.query('alter function ledger_release_away rename to ledger_release');
    await expect.poll(stateNow, { timeout: 5_000 }).toEqual([5 * USD, 0, 0, 0]);
  });

  it('one whose connection ended before it had come about is not: nothing was sent', async () => {
    // As a proxy does whose server is down.
    const server = createServer((socket) => socket.once('data', () => socket.end()));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const awayPool = openPool(`postgres://x@127.0.0.1:${port}/x`, {
      connectionsMax: 2,
      applicationName: 'test',
    });
    const away = createPostgresLedger({ pool: awayPool });
    const release = vi.spyOn(away, 'release');
    expect(await away.hold(holdOf(await fund(pool, USD)))).toEqual({
      code: 'ledger_unavailable',
      cause: 'Connection terminated unexpectedly',
    });
    expect(release).not.toHaveBeenCalled();
    await Promise.all([away.close(), awayPool.end()]);
    server.close();
  });
});
