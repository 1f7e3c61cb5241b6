import { afterAll, beforeAll, expect, it } from 'vitest';
import { SILENT_LOG } from '../../../../gateway/ledger/ledger-log.ts';
import { WorkerPool } from '../../../../gateway/data-plane/threads/worker-pool.ts';
import { freePort } from '../../../support/machine/free-port.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { TEST_SECRET_KEY } from '../../../support/seed.ts';

const MODEL = 'gpt-4o';
const KEYS = 6;

let database: TestDatabase;
let workers: WorkerPool;

beforeAll(async () => {
  database = await createDatabase();
  workers = new WorkerPool({
    start: {
      databaseUrl: database.url,
      secretKey: TEST_SECRET_KEY,
      secretKeyPrevious: null,
      loginTokenSeconds: 60,
    },
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

it('verifies new keys however much there is to count', async () => {
  // A hundred turns of slow work each, and more of them than a worker takes tasks.
  const slow = '!😀'.repeat(140_000);
  let counted = 0;
  for (let task = 0; task < 20; task += 1) {
    void workers.countText(MODEL, slow).then(() => (counted += 1));
  }
  for (let key = 0; key < KEYS; key += 1) expect(await workers.verifyKey(`sk-${key}`)).toBeNull();
  // A key that had to wait for the end of a count would wait for one at each lookup.
  expect(counted).toBeLessThan(KEYS / 2);
});

it('says once that PostgreSQL is away, however many keys cannot be verified', async () => {
  const told: [object, string][] = [];
  const away = new WorkerPool({
    start: {
      databaseUrl: `postgres://weir@127.0.0.1:${await freePort()}/weir`,
      secretKey: TEST_SECRET_KEY,
      secretKeyPrevious: null,
      loginTokenSeconds: 60,
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

it('outlives a worker that fails while it has nothing to do', async () => {
  const told: string[] = [];
  const failing = new WorkerPool({
    // Its workers fail before their first task.
    start: {
      databaseUrl: database.url,
      secretKey: JSON.parse('null') as string,
      secretKeyPrevious: null,
      loginTokenSeconds: 60,
    },
    threads: 1,
    queueMax: 100,
    log: { ...SILENT_LOG, error: (_details, message) => told.push(message) },
  });
  await expect.poll(() => told).toEqual(['a worker thread failed while it had nothing to do']);
  await failing.close();
});
