/**
 * Boot: config -> stores -> migrate -> first start -> catalog -> threads -> admin API -> ready.
 * Shutdown is the reverse: stop accepting, finish what is in flight, settle, drain, close the stores.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { announcement } from './boot/announce.ts';
import { startCatalogFeed, type CatalogFeed } from './boot/catalog-feed.ts';
import { ClosingStack } from './boot/closing-stack.ts';
import { openStores, type Stores } from './boot/open-stores.ts';

import { shownHost, startAdmin } from './boot/start-admin.ts';
import { openDemoChannel } from './bootstrap/demo-channel.ts';
import { keepDemoKey, recallDemoKey } from './bootstrap/demo-key.ts';
import { firstStart, type FirstStart } from './bootstrap/first-start.ts';
import { ConfigError, loadConfig, type Config } from './config/config.ts';
import { startSweeper } from './ledger/sweeper.ts';
import { findSecretKey } from './secrets/find-secret-key.ts';
import { deriveSecrets, type Secrets } from './secrets/secrets.ts';
import { createLogger, flushLog } from './telemetry/logger.ts';
import { EXIT, type ExitCode } from './threads/exit-codes.ts';
import { Supervisor } from './threads/supervisor.ts';
import { startDrain, type UsageDrain } from './usage/drain.ts';

/** Usage records that wait for Postgres get this long at the end; what is left waits in Redis for the next gateway. */
const DRAIN_MS = 10_000;

const config = readConfig();
const logger = createLogger(config, { thread: 'main' });
const closing = new ClosingStack();
let supervisor: Supervisor | undefined;
let stopping = false;

process.on('SIGTERM', () => void stop(EXIT.ok));
process.on('SIGINT', () => void stop(EXIT.ok));
process.on('uncaughtException', (error) => {
  logger.fatal({ err: error }, 'the main thread broke an invariant');
  void stop(EXIT.broken);
});

try {
  await boot();
} catch (error) {
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
  else logger.fatal({ err: error }, 'Weir cannot start');
  await stop(EXIT.cannotStart);
}

async function boot(): Promise<void> {
  const stores = await openStores(config, logger, closing);
  const secretKey = findSecretKey(config);
  const secrets = deriveSecrets(secretKey, config.secretKeyPrevious);
  const first = await fillEmptyDatabase(stores, secrets);
  const demo = await openDemoChannel(stores.pool);
  closing.push('demo upstream', () => demo?.close());
  const feed = await startCatalogFeed({
    config,
    pool: stores.pool,
    secrets,
    ledger: stores.ledger,
    logger,
    closing,
    broadcast: (message) => supervisor?.broadcast(message),
  });
  const drain = startBookkeeping(stores);
  const gatewayUrl = await startThreads(stores, secretKey, feed);
  const consoleUrl = await startAdmin({
    config,
    stores,
    secrets,
    logger,
    closing,
    gatewayUrl: gatewayUrl ?? publicUrl(config.port),
    version: readVersion(),
    supervisor: supervisor ?? null,
    drain,
    postgresReady: () => feed.postgresReady(),
  });
  logger.info({ gatewayUrl, consoleUrl, role: config.role }, 'Weir is ready');
  await flushLog(logger);
  const embedded = config.databaseUrl === null;
  process.stdout.write(
    announcement({
      gatewayUrl,
      consoleUrl,
      apiKey: first?.apiKey ?? (embedded ? recallDemoKey(config.dataDir) : null),
      model: feed.snapshot().models[0]?.publicId ?? null,
      firstStart: first,
      embedded,
    }),
  );
}

async function fillEmptyDatabase({ pool }: Stores, secrets: Secrets): Promise<FirstStart | null> {
  const embedded = config.databaseUrl === null;
  const first = await firstStart(pool, {
    config,
    secrets,
    keepKey: (generated) => (embedded ? keepDemoKey(config.dataDir, generated) : generated),
  });
  for (const model of first?.unlistedModels ?? []) {
    logger.warn({ model }, 'not on the price list: billed like its dearest model until priced');
  }
  return first;
}

/** What carries bills from Redis to Postgres, and closes holds whose gateway died. */
function startBookkeeping({ redis, pool, ledger }: Stores): UsageDrain | null {
  const drain = redis === null ? null : startDrain({ redis, pool, logger });
  closing.push('usage drain', () => drain?.stop(DRAIN_MS));
  const sweeper = startSweeper({ ledger, logger });
  closing.push('sweeper', () => sweeper.stop());
  return drain;
}

/** Starts the HTTP threads; answers the address clients use, null when this process serves none. */
async function startThreads(
  { databaseUrl }: Stores,
  secretKey: string,
  feed: CatalogFeed,
): Promise<string | null> {
  if (config.role === 'admin') return null;
  supervisor = new Supervisor({
    threads: config.gatewayThreads,
    port: config.port,
    logger,
    start: () => ({
      config,
      databaseUrl,
      redisUrl: config.redisUrl,
      secretKey,
      workerThreads: workersPerThread(config),
      catalog: feed.snapshot(),
    }),
    onHopeless: () => void stop(EXIT.threadsKeepDying),
  });
  return publicUrl(await supervisor.start());
}

function publicUrl(port: number): string {
  return config.publicUrl ?? `http://${shownHost(config.host)}:${port}`;
}

async function stop(code: ExitCode): Promise<void> {
  if (stopping) process.exit(EXIT.stoppedTwice);
  stopping = true;
  if (code === EXIT.ok) logger.info('stopping: requests in flight finish first');
  const unfinished = (await supervisor?.drain(config.shutdownGraceMs)) ?? 0;
  if (unfinished > 0) logger.error({ unfinished }, 'requests were cut off: their time was over');
  await closing.close(logger);
  await flushLog(logger);
  process.exit(code === EXIT.ok && unfinished > 0 ? EXIT.unfinished : code);
}

function readConfig(): Config {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(EXIT.cannotStart);
  }
}

/** WORKER_THREADS split over the HTTP threads that are sensible on this machine, at least one each. */
function workersPerThread({ workerThreads, gatewayThreads }: Config): number {
  const each = Math.floor(workerThreads / gatewayThreads);
  return Math.min(Math.max(1, each), Math.max(1, availableParallelism()));
}

function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
