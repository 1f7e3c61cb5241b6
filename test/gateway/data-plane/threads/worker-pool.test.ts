import { afterAll, beforeAll, expect, it } from 'vitest';
import { SILENT_LOG } from '../../../../gateway/ledger/ledger-log.ts';
import { WorkerPool } from '../../../../gateway/data-plane/threads/worker-pool.ts';
import { freePort } from '../../../support/free-port.ts';
import { createDatabase, type TestDatabase } from '../../../support/postgres.ts';
import { TEST_SECRET_KEY } from '../../../support/seed.ts';

const MODEL = 'gpt-4o';
const PATIENCE_MS = 500;

let database: TestDatabase;
let workers: WorkerPool;

beforeAll(async () => {
  database = await createDatabase();
  workers = new WorkerPool({
    start: { databaseUrl: database.url, secretKey: TEST_SECRET_KEY, secretKeyPrevious: null },
    threads: 1,
    queueMax: 100,
    log: SILENT_LOG,
  });
  // The vocabulary is loaded once in a worker's life, and Postgres connected to.
  await Promise.all([workers.countText(MODEL, 'warm'), workers.verifyKey('sk-warm')]);
});

afterAll(async () => {
  await workers.close();
  await database.drop();
});

it('verifies new keys within half a second however much there is to count', async () => {
  // Seconds of work each, and more of them than a worker takes tasks.
  const slow = '!😀'.repeat(600_000);
  let counted = 0;
  for (let task = 0; task < 20; task += 1) {
    void workers.countText(MODEL, slow).then(() => (counted += 1));
  }
  const tookMs: number[] = [];
  for (const key of ['sk-one', 'sk-two', 'sk-three']) {
    const startMs = performance.now();
    expect(await workers.verifyKey(key)).toBeNull();
    tookMs.push(performance.now() - startMs);
  }
  expect(counted).toBe(0);
  // What else the machine does just then is not what is measured.
  expect(Math.min(...tookMs)).toBeLessThan(PATIENCE_MS);
});

it('says once that PostgreSQL is away, however many keys cannot be verified', async () => {
  const told: [object, string][] = [];
  const away = new WorkerPool({
    start: {
      databaseUrl: `postgres://weir@127.0.0.1:${await freePort()}/weir`,
      secretKey: TEST_SECRET_KEY,
      secretKeyPrevious: null,
    },
    threads: 1,
    queueMax: 100,
    log: { ...SILENT_LOG, warn: (details, message) => told.push([details, message]) },
  });
  for (const key of ['sk-one', 'sk-two']) {
    expect(await away.verifyKey(key)).toMatchObject({ refused: 'overloaded' });
  }
  expect(told).toEqual([
    [
      { cause: expect.stringContaining('ECONNREFUSED') as string },
      'PostgreSQL does not answer; new keys are not verified',
    ],
  ]);
  await away.close();
});
