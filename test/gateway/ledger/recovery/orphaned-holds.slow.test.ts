import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createPostgresLedger } from '../../../../gateway/ledger/create-ledger.ts';
import type { Ledger } from '../../../../gateway/ledger/ledger.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { connectRedis, type RedisClient } from '../../../../gateway/stores/redis/connect.ts';
import { until } from '../../../support/clocks/hang.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { startRedis, type RedisServer } from '../../../support/stores/redis-server.ts';
import { startSilentProxy, type SilentProxy } from '../../../support/upstreams/silent-proxy.ts';
import { stateOf } from '../support/ask.ts';
import { fund, holdOf, USD } from '../support/fixtures.ts';
import { openRedisLedger } from '../support/redis-ledger.ts';

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

/** An account cannot be queried while its connection is being restored. */
function untilState(ask: () => Promise<number[]>, expected: readonly number[]): Promise<true> {
  return until(`the state ${expected.join()}`, async () => {
    const found = await ask().catch(() => []);
    return found.join() === expected.join();
  });
}

describe('with PostgreSQL', () => {
  let impatientPool: pg.Pool;
  let ledger: Ledger;

  beforeAll(() => {
    // Gives up a statement without telling the server, as when the reply is late or lost.
    impatientPool = openPool(`${database.url}?query_timeout=1000`, {
      connectionsMax: 5,
      applicationName: 'impatient',
      statementTimeoutMs: 0,
    });
    ledger = createPostgresLedger({ pool: impatientPool });
  });
  afterAll(() => impatientPool.end());

  it('a hold that PostgreSQL makes after it was refused for want of an answer is given back, even a while later', async () => {
    const payer = await fund(pool, 5 * USD);
    const stateNow = () => stateOf({ ledger: createPostgresLedger({ pool }) }, payer.account.id);
    // Makes the first release fail.
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
    await untilState(stateNow, [4 * USD, USD, 0, 1]);
    await pool.query('alter function ledger_release_away rename to ledger_release');
    await untilState(stateNow, [5 * USD, 0, 0, 0]);
  });

  it('one whose connection ended before it had come about is not: nothing was sent', async () => {
    // Like a proxy whose server is down.
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

describe('with Redis', () => {
  const TIMEOUT_MS = 2_000;
  let server: RedisServer;
  let proxy: SilentProxy;
  let redis: RedisClient;
  let ledger: Ledger;

  beforeAll(async () => {
    server = await startRedis();
    proxy = await startSilentProxy(server.url);
    redis = connectRedis(proxy.url);
    await redis.connect();
    ledger = openRedisLedger({ redis, pool, timeoutMs: TIMEOUT_MS });
  });
  afterAll(async () => {
    await ledger.close();
    redis.disconnect();
    await proxy.stop();
    await server.kill();
  });

  /** An account with one hold that Redis has loaded. */
  const loaded = async () => {
    const payer = await fund(pool, 5 * USD);
    await until('a hold', async () => (await ledger.hold(holdOf(payer))).code === 'held');
    return payer;
  };
  /** Reply to a single call that has made a hold. */
  const HOLD_MADE = /\nh\r/;
  const UNAVAILABLE = { code: 'ledger_unavailable' };

  it('a hold whose connection breaks before its answer is given back', async () => {
    const payer = await loaded();
    proxy.cutAtAnswer(HOLD_MADE);
    expect(await ledger.hold(holdOf(payer))).toMatchObject(UNAVAILABLE);
    await untilState(() => stateOf({ ledger }, payer.account.id), [4 * USD, USD, 0, 1]);
  });

  it('so is one whose connection breaks after it was refused for want of an answer', async () => {
    const payer = await loaded();
    server.pause();
    expect(await ledger.hold(holdOf(payer))).toMatchObject({ cause: 'no answer in time' });
    proxy.cutAtAnswer(HOLD_MADE);
    server.resume();
    await untilState(() => stateOf({ ledger }, payer.account.id), [4 * USD, USD, 0, 1]);
  });

  it('one whose answer has come while the thread was held up is made: nobody is refused what Redis has granted', async () => {
    const payer = await loaded();
    // The proxy runs in this thread.
    const direct = connectRedis(server.url);
    await direct.connect();
    const impatient = openRedisLedger({ redis: direct, pool, timeoutMs: 20 });
    const hold = impatient.hold(holdOf(payer));
    // Once it is sent. A query on another connection is answered after it.
    await turn();
    execFileSync(process.execPath, [
      '-e',
      `require('net').connect(${server.port}).on('data', () => process.exit()).write('PING\\r\\n')`,
    ]);
    expect(await hold).toMatchObject({ code: 'held' });
    await impatient.close();
    direct.disconnect();
  });

  it('many are released at once, because a late Redis is late for releases too', async () => {
    const payer = await loaded();
    const release = vi.spyOn(ledger, 'release').mockReturnValue(new Promise(() => undefined));
    server.pause();
    const holds = Array.from({ length: 30 }, () => holdOf(payer, { amountNanoUsd: 1 }));
    await Promise.all(holds.map((hold) => ledger.hold(hold)));
    server.resume();
    await until('the releases', () => release.mock.calls.length >= 30);
    expect(release).toHaveBeenCalledTimes(30);
    release.mockRestore();
  });

  it('one that was never sent, or that Redis refused, is not', async () => {
    const payer = await loaded();
    const release = vi.spyOn(ledger, 'release');
    await redis.config('SET', 'maxmemory', '1');
    expect((await ledger.hold(holdOf(payer))).code).toBe('ledger_unavailable');
    await redis.config('SET', 'maxmemory', '0');
    redis.disconnect();
    expect((await ledger.hold(holdOf(payer))).code).toBe('ledger_unavailable');
    expect(release).not.toHaveBeenCalled();
  });
});
