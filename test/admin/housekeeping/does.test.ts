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

  it('stops with the server', async () => {
    const started = await layAdminGround({ runJobs: true });
    await started.close();
  });
});
