/**
 * Boot: config -> stores -> migrate -> first start -> catalog -> admin API -> threads -> ready.
 * Shutdown is the reverse: stop accepting, finish what is in flight, settle, drain, close the
 * stores.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { announcement } from './boot/announce.ts';
import { startBookkeeping } from './boot/bookkeeping.ts';
import { startCatalogFeed, type CatalogFeed } from './boot/catalog-feed.ts';
import { ClosingStack } from './boot/closing-stack.ts';
import { exampleModel } from './boot/example-model.ts';
import { endAtOnce, onSignals } from './boot/on-signals.ts';
import { openStores, type Stores } from './boot/stores/open-stores.ts';
import { removeUploads } from './data-plane/http/body/upload-store.ts';
import { shownKey } from './boot/shown-key.ts';
import { startReports } from './boot/page/report-state.ts';
import { startWriters, type Writers } from './boot/start-writers.ts';
import { mintingProblems, startMinting } from './boot/start-minting.ts';
import { StoresWatch } from './boot/stores/stores-watch.ts';
import { sharedClocks } from './platform/clock/store-clock.ts';
import { shownHost, startAdmin } from './boot/start-admin.ts';
import { openDemoChannel } from './seed/demo-channel.ts';
import { keepDemoKey } from './seed/demo-key.ts';
import { firstStart, type FirstStart } from './seed/first-start.ts';
import { ConfigError, loadConfig, type Config } from './platform/config/config.ts';
import { workersPerThread } from './boot/workers-per-thread.ts';
import type { Problem } from '@weir/shared/api/problems';
import type { CredentialMinter } from './data-plane/credentials/credential-minter.ts';
import type { ToHttpThread } from './data-plane/threads/messages.ts';
import type { UsageDrain } from './usage/drain.ts';
import { unknownMigrations } from './stores/postgres/migrate.ts';
import { findSecretKey } from './platform/secrets/find-secret-key.ts';
import { refuseOtherKey } from './platform/secrets/refuse-other-key.ts';
import { deriveSecrets, type Secrets } from './platform/secrets/secrets.ts';
import { createLogger, flushLog, tolerateClosedOutput } from './platform/telemetry/logger.ts';
import { PeriodicJobs } from './platform/telemetry/periodic-jobs.ts';
import { keepLearned } from './catalog/learned-refusals.ts';
import { EXIT, type ExitCode } from './data-plane/threads/exit-codes.ts';
import { giveBackMemory } from './data-plane/threads/give-back-memory.ts';
import { probePort } from './data-plane/threads/probe-port.ts';
import { Supervisor } from './data-plane/threads/supervisor.ts';
import {
  collectSeldom,
  keepCompiledCode,
  keepHiddenClasses,
} from './data-plane/threads/v8-flags.ts';

/** Stores that hang must not keep the process for ever once its requests are done. */
const CLOSE_MS_MAX = 30_000;

tolerateClosedOutput();
keepHiddenClasses();
const config = readConfig();
const logger = createLogger(config, { thread: 'main' });
const closing = new ClosingStack();
let supervisor: Supervisor | undefined;
let stopping = false;

onSignals(() => void stop(EXIT.ok));
process.on('uncaughtException', (error) => {
  logger.fatal({ err: error }, 'the main thread broke an invariant');
  void stop(EXIT.broken);
});

const booting = boot();
try {
  await booting;
} catch (error) {
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
  else logger.fatal({ err: error }, 'Weir cannot start');
  await stop(EXIT.cannotStart);
}

async function boot(): Promise<void> {
  const embedded = config.databaseUrl === null;
  const stores = await openStores({
    config,
    logger,
    closing,
    onDatabaseDied: () => void stop(EXIT.databaseDied),
  });
  const { pool } = stores;
  await warnOfNewerSchema(pool);
  const secretKey = findSecretKey(config);
  const secrets = deriveSecrets(secretKey, config.secretKeyPrevious);
  await refuseOtherKey(pool, secrets);
  const first = await fillEmptyDatabase(stores, secrets);
  if (config.role === 'all') {
    const demo = await openDemoChannel(pool);
    closing.push('demo upstream', () => demo?.close());
  }
  const watch = await watchStores(stores);
  const broadcast = (message: ToHttpThread): void => supervisor?.broadcast(message);
  const minter = startMinting({ config, logger, closing, broadcast });
  const feed = await startCatalogFeed({
    config,
    stores,
    secrets,
    logger,
    closing,
    watch,
    minter,
    broadcast,
  });
  const processId = randomUUID();
  const jobs = new PeriodicJobs(logger);
  closing.push('periodic jobs', () => jobs.stop());
  const drain = startBookkeeping(stores, logger, closing, jobs);
  const writers = await startWriters(stores, { config, secrets, logger, closing, jobs });
  const problems = (): Problem[] => [...watch.problems(), ...mintingProblems(minter.status())];
  const gatewayUrl = await prepareThreads({ stores, secretKey, feed, minter, ...writers });
  supervisor?.broadcast({ kind: 'stores', ...watch.state() });
  // Before the threads: GET /ready is theirs, and a process that is ready serves its ADMIN_PORT,
  // too.
  const consoleUrl = await startAdmin({
    config,
    stores,
    secrets,
    logger,
    closing,
    gatewayUrl: gatewayUrl ?? publicUrl(config.port),
    version: readVersion(),
    processId,
    supervisor: supervisor ?? null,
    drain,
    ...writers,
    jobs,
    watch,
    minter,
    problems,
  });
  await supervisor?.start();
  report({ pool, processId, jobs, drain, problems });
  const apiKey = await shownKey({ config, pool, secrets }, first);
  const model = exampleModel(feed.snapshot());
  giveBackMemory();
  keepCompiledCode();
  collectSeldom();
  // The lines so far come before it, not in the middle.
  await flushLog();
  process.stdout.write(
    announcement({ gatewayUrl, consoleUrl, apiKey, model, firstStart: first, embedded }),
  );
  logger.info({ gatewayUrl, consoleUrl, role: config.role }, 'Weir is ready');
}

function report(of: {
  readonly pool: Stores['pool'];
  readonly processId: string;
  readonly jobs: PeriodicJobs;
  readonly drain: UsageDrain | null;
  readonly problems: () => readonly Problem[];
}): void {
  const { pool, processId, jobs, drain, problems } = of;
  const serving = supervisor;
  startReports(pool, jobs, {
    processId,
    counters: serving === undefined ? null : () => serving.counters(),
    drain: drain === null ? null : () => drain.status(),
    jobs: () => jobs.status(),
    problems,
  });
}

async function watchStores({ redis }: Stores): Promise<StoresWatch> {
  const watch = new StoresWatch({
    redis,
    clockDifferenceMsMax: config.clockDifferenceMsMax,
    logger,
    onState: (state) => supervisor?.broadcast({ kind: 'stores', ...state }),
  });
  closing.push('watch of the stores', () => {
    watch.stop();
    return undefined;
  });
  await watch.begin();
  return watch;
}

/**
 * No refusal: in the middle of an upgrade an instance of the former version must be able to
 * restart.
 */
async function warnOfNewerSchema(pool: Stores['pool']): Promise<void> {
  const migrations = await unknownMigrations(pool);
  if (migrations.length === 0) return;
  logger.warn(
    { migrations },
    'a newer version of Weir has migrated the database: its new features have no effect in this process',
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
    logger.warn(
      { model },
      'not on the price list: billed like its most expensive model until priced',
    );
  }
  if (first?.hasChannel === false) {
    logger.warn('there is no channel yet, so no model is served: make one in the console');
  }
  return first;
}

/**
 * Prepares the HTTP threads. Returns the address that clients use, null when this process serves
 * none.
 */
async function prepareThreads({
  stores: { databaseUrl, pool },
  secretKey,
  feed,
  minter,
  history,
  content,
}: {
  readonly stores: Stores;
  readonly secretKey: string;
  readonly feed: CatalogFeed;
  readonly minter: CredentialMinter;
} & Writers): Promise<string | null> {
  if (history === null) return null;
  await removeUploads(config.dataDir);
  const port = await probePort(config.host, config.port);
  // uWS reads it when the first thread loads it; a thread's own environment is a copy that it does
  // not see.
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(config.requestHeadBytesMax);
  supervisor = new Supervisor({
    threads: config.gatewayThreads,
    port,
    logger,
    start: () => ({
      config,
      databaseUrl,
      redisUrl: config.redisUrl,
      secretKey,
      workerThreads: workersPerThread(config),
      catalog: feed.snapshot(),
      minted: minter.entries(),
      clocks: sharedClocks(),
    }),
    onRequests: (batch) => history.add(batch),
    onContent: (captured) => content?.add(captured),
    onLearned: (refusal) => {
      keepLearned(pool, refusal).catch((error: unknown) => {
        logger.warn(
          { err: error },
          'a learned refusal could not be stored: it will be learned again',
        );
      });
    },
    onSecretRefused: (reference, secret) => minter.refused(reference, secret),
    onHopeless: () => void stop(EXIT.threadsKeepDying),
  });
  return publicUrl(port);
}

function publicUrl(port: number): string {
  return config.publicUrl ?? `http://${shownHost(config.host)}:${port}`;
}

async function stop(code: ExitCode): Promise<void> {
  if (stopping) return;
  stopping = true;
  // What is half open cannot be closed in order; one that never ends must not keep the process for
  // ever.
  const hanging = setTimeout(endAtOnce, CLOSE_MS_MAX);
  await booting.catch(() => undefined);
  clearTimeout(hanging);
  if (code === EXIT.ok) logger.info('stopping: requests in flight finish first');
  const delayMs = code === EXIT.ok ? config.shutdownDelayMs : 0;
  const drained = await supervisor?.drain(config.shutdownGraceMs, delayMs);
  const { unfinished = 0, givenUp = 0 } = drained ?? {};
  if (unfinished > 0)
    logger.error({ unfinished }, 'requests were cut off at the end of SHUTDOWN_GRACE_MS');
  if (givenUp > 0) logger.error({ givenUp }, 'bills were given up: the lines above have them');
  setTimeout(endAtOnce, CLOSE_MS_MAX).unref();
  await closing.close(logger);
  await flushLog();
  if (drained?.ended === false) endAtOnce();
  if (code !== EXIT.ok) process.exit(code);
  if (givenUp > 0) process.exit(EXIT.billsGivenUp);
  process.exit(unfinished > 0 ? EXIT.unfinished : EXIT.ok);
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

function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
