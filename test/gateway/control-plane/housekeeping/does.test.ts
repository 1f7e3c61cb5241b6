import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AdminContext } from '../../../../gateway/control-plane/api/context.ts';
import { runJob } from '../../../../gateway/control-plane/housekeeping/housekeeping.ts';
import { until } from '../../../support/clocks/hang.ts';
import { createAdminFixture, type AdminFixture } from '../support/fixture.ts';

const CLEAN_UP_EVERY_MS = 600_000;

let fixture: AdminFixture;

beforeAll(async () => {
  fixture = await createAdminFixture();
});
afterAll(() => fixture.close());

function context(): AdminContext {
  return { pool: fixture.pool } as unknown as AdminContext;
}

/**
 * The server processes that hold an advisory lock of this database. Those of closed connections let
 * go of theirs a moment later.
 */
async function holdersOf(lock: number): Promise<number[]> {
  const { rows } = await fixture.pool.query<{ pid: number }>(
    `select pid from pg_locks l join pg_database d on d.oid = l.database
     where d.datname = current_database() and locktype = 'advisory' and granted and objid::bigint = $1`,
    [lock],
  );
  return rows.map(({ pid }) => pid);
}

async function endHolderOf(lock: number): Promise<void> {
  const [pid] = await holdersOf(lock);
  expect(pid).toBeDefined();
  await fixture.pool.query('select pg_terminate_backend($1)', [pid]);
}

describe('a periodic job', () => {
  it('is done by one process at a time', async () => {
    let turnedAway = 0;
    const job = {
      lock: 77,
      run: async () => {
        await until('the others to be turned away', () => turnedAway === 4);
      },
    };
    const attempts = Array.from({ length: 5 }, async () => {
      const done = await runJob(context(), job);
      if (!done) turnedAway += 1;
      return done;
    });
    expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1);
    expect(await runJob(context(), job)).toBe(true);
  });

  it('that fails frees its lock', async () => {
    const job = { lock: 78, run: () => Promise.reject(new Error('broken')) };
    await expect(runJob(context(), job)).rejects.toThrow('broken');
    await expect.poll(() => holdersOf(78)).toEqual([]);
    expect(await runJob(context(), { lock: 78, run: () => Promise.resolve() })).toBe(true);
  });

  it('whose connection PostgreSQL ends while it holds the lock fails, and the next round does it', async () => {
    const lock = 79;
    let told: Promise<unknown> | undefined;
    fixture.pool.once('acquire', (client: pg.PoolClient) => {
      // Not `events.once`, which rejects by the error that precedes the end.
      told = new Promise((resolve) => client.once('end', () => resolve(undefined)));
    });
    const job = {
      lock,
      run: async () => {
        await endHolderOf(lock);
        // The connection is told between two of its statements.
        await told;
      },
    };
    await expect(runJob(context(), job)).rejects.toThrow(/connection|terminat/i);
    // PostgreSQL may close a connection before it frees what that held.
    await expect.poll(() => holdersOf(lock)).toEqual([]);
    expect(await runJob(context(), { lock, run: () => Promise.resolve() })).toBe(true);
    expect(await holdersOf(lock)).toEqual([]);
  });

  it('that fails when its connection is gone tells of its own failure', async () => {
    const job = {
      lock: 80,
      run: async () => {
        await endHolderOf(80);
        throw new Error('broken');
      },
    };
    await expect(runJob(context(), job)).rejects.toThrow('broken');
    await expect.poll(() => holdersOf(80)).toEqual([]);
    expect(await runJob(context(), { lock: 80, run: () => Promise.resolve() })).toBe(true);
  });

  it('that is under way when the server stops is waited for, and none begins any more', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const before = vi.getTimerCount();
    const started = await createAdminFixture({ runJobs: true });
    const client = await started.pool.connect();
    // What the clean-up begins with: it cannot end.
    await client.query('begin');
    await client.query('lock table sessions');
    vi.advanceTimersByTime(CLEAN_UP_EVERY_MS);
    const waiting = async () =>
      (
        await client.query(
          `select 1 from pg_locks l join pg_database d on d.oid = l.database
           where d.datname = current_database() and not granted and relation = 'sessions'::regclass`,
        )
      ).rowCount;
    await expect.poll(waiting).toBe(1);
    let closed = false;
    const closing = started.app.close().then(() => {
      closed = true;
    });
    // The jobs are stopped. A close that does not wait for the one under way ends within these
    // round trips.
    await expect.poll(() => vi.getTimerCount()).toBe(before);
    for (let trip = 0; trip < 10; trip += 1) await client.query('select 1');
    expect(closed).toBe(false);
    await client.query('commit');
    await closing;
    expect(vi.getTimerCount()).toBe(before);
    client.release();
    await started.close();
  });
});
