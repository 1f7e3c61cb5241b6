import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminContext } from '../../../gateway/admin/api/context.ts';
import { runJob } from '../../../gateway/admin/housekeeping/housekeeping.ts';
import { layAdminGround, type AdminGround } from '../support/ground.ts';

let ground: AdminGround;

beforeAll(async () => {
  ground = await layAdminGround();
});
afterAll(() => ground.close());

function context(): AdminContext {
  return { pool: ground.pool } as unknown as AdminContext;
}

/** The server processes that hold an advisory lock of this database. */
async function holdersOf(lock: number): Promise<number[]> {
  const { rows } = await ground.pool.query<{ pid: number }>(
    `select pid from pg_locks l join pg_database d on d.oid = l.database
     where d.datname = current_database() and locktype = 'advisory' and granted and objid::bigint = $1`,
    [lock],
  );
  return rows.map(({ pid }) => pid);
}

async function endHolderOf(lock: number): Promise<void> {
  const [pid] = await holdersOf(lock);
  expect(pid).toBeDefined();
  await ground.pool.query('select pg_terminate_backend($1)', [pid]);
}

describe('a periodic job', () => {
  it('is done by one process at a time', async () => {
    let running = 0;
    let most = 0;
    const job = {
      lock: 77,
      run: async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 50));
        running -= 1;
      },
    };
    const done = await Promise.all(Array.from({ length: 5 }, () => runJob(context(), job)));
    expect(most).toBe(1);
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await runJob(context(), job)).toBe(true);
  });

  it('that fails frees its lock', async () => {
    const job = { lock: 78, run: () => Promise.reject(new Error('broken')) };
    await expect(runJob(context(), job)).rejects.toThrow('broken');
    expect(await runJob(context(), { lock: 78, run: () => Promise.resolve() })).toBe(true);
  });

  it('whose connection PostgreSQL ends while it holds the lock fails, and the next round does it', async () => {
    const lock = 79;
    const job = {
      lock,
      run: async () => {
        await endHolderOf(lock);
        await expect.poll(() => holdersOf(lock)).toEqual([]);
        // The connection is told by then, between two of its statements.
        await new Promise((resolve) => setTimeout(resolve, 50));
      },
    };
    await expect(runJob(context(), job)).rejects.toThrow(/connection|terminat/i);
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
    // The server process of a connection that was ended lets go of its locks a moment later.
    await expect.poll(() => holdersOf(80)).toEqual([]);
    expect(await runJob(context(), { lock: 80, run: () => Promise.resolve() })).toBe(true);
  });

  it('stops with the server', async () => {
    const started = await layAdminGround({ runJobs: true });
    await started.close();
  });
});
