/** Opens worker pools and closes each while its workers load, sooner or later; prints how many. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SILENT_LOG } from '../../../../gateway/ledger/ledger-log.ts';
import { WorkerPool } from '../../../../gateway/data-plane/threads/worker-pool.ts';
import { TEST_SECRET_KEY } from '../../../support/seed.ts';

const POOLS = 50;

function openWorkers(): WorkerPool {
  return new WorkerPool({
    // Only lookups would connect to it.
    start: {
      databaseUrl: 'postgres://weir@127.0.0.1:1/weir',
      secretKey: TEST_SECRET_KEY,
      secretKeyPrevious: null,
      loginTokenSeconds: 60,
    },
    threads: 4,
    queueMax: 4,
    log: SILENT_LOG,
  });
}

async function measureLoadMs(): Promise<number> {
  const startedAtMs = performance.now();
  const workers = openWorkers();
  await workers.countText('gpt-4o', 'loaded');
  await workers.close();
  return performance.now() - startedAtMs;
}

const loadMs = await measureLoadMs();
for (let pool = 0; pool < POOLS; pool += 1) {
  const workers = openWorkers();
  await sleep((loadMs * pool) / POOLS);
  await workers.close();
}
process.stdout.write(`${POOLS} pools closed\n`);
