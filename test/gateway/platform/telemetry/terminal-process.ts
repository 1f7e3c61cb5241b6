/**
 * Logs a line in the main thread and one in another, and says in which of them pino-pretty was
 * loaded.
 */
import { createRequire } from 'node:module';
import { isMainThread, Worker } from 'node:worker_threads';
import { createLogger, flushLog } from '../../../../gateway/platform/telemetry/logger.ts';

const thread = isMainThread ? 'main' : 'http';
const logger = createLogger({ logLevel: 'info' }, { thread });
const loaded = Object.keys(createRequire(import.meta.url).cache).some((path) =>
  path.includes('/pino-pretty/'),
);
logger.info({ loaded }, `line of ${thread}`);
if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url));
  await new Promise((resolve) => worker.once('exit', resolve));
}
await flushLog();
