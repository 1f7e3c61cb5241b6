import type pg from 'pg';
import { FORM_LIMITS } from '../../platform/multipart/read-multipart.ts';
import type { HttpThreadStart } from './messages.ts';
import { Counters } from './counters.ts';
import { WorkerPool } from './worker-pool.ts';
import type { AdmissionOptions } from '../admission/admit.ts';
import { TokenCountThrottle } from '../admission/token-count-throttle.ts';
import { Principals } from '../authentication/principals.ts';
import { Catalog } from '../../catalog/catalog.ts';
import type { LearnedRefusal } from '../../catalog/learned-refusals.ts';
import { Ticker } from '../../platform/event-loop/ticker.ts';
import { PerTickLimiter } from '../../platform/event-loop/per-tick-limiter.ts';
import type { Config } from '../../platform/config/config.ts';
import { MintedCredentials } from '../credentials/minted-credentials.ts';
import { SpendStandings } from '../device-login/spend-standings.ts';
import { BodyBuffers } from '../http/body/body-buffers.ts';
import { BodyQuota } from '../http/body/body-quota.ts';
import type { BodyLimits } from '../http/body/incoming-body.ts';
import type { UploadLimits } from '../http/body/incoming-form.ts';
import { UploadStore } from '../http/body/upload-store.ts';
import { LedgerHealth } from '../../ledger/ledger-health.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { LedgerLog } from '../../ledger/ledger-log.ts';
import { LedgerReadiness } from '../../ledger/ledger-readiness.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
import { openPool } from '../../stores/postgres/connect.ts';
import { CONNECTIONS } from '../../stores/postgres/pool-sizes.ts';
import type { ThreadContext, ThreadState } from '../thread-context.ts';
import { ChannelHealth } from '../routing/health/channel-health.ts';
import { LearnedFields } from '../routing/learned-fields.ts';
import { hasCheckLetters } from '../../platform/secrets/api-key.ts';
import { deriveSecrets } from '../../platform/secrets/secrets.ts';
import { StoredIds } from '../stored/stored-ids.ts';
import { createSettlement, type Settlement } from '../settlement/settle-once.ts';
import { createLogger } from '../../platform/telemetry/logger.ts';
import { requestLog } from '../../platform/telemetry/request-log.ts';
import type { CapturedContent } from '../../content-log/captured-content.ts';
import { ContentRecorder } from '../content-log/content-recorder.ts';
import { RequestHistory, type EntryBatch } from '../../request-history/request-history.ts';
import { proxiesOf } from '../upstream/choose-proxy.ts';
import { UpstreamPools } from '../upstream/upstream-pools.ts';
import { WebSockets } from '../web-socket/web-sockets.ts';
import { REQUEST_LIMITS } from '../../protocols/protocol.ts';

/** A thread's context and its end. */
export interface OwnedThreadContext {
  readonly context: ThreadContext;
  /** Lets pending settles land and closes every connection. */
  close(): Promise<void>;
}

/**
 * Several times what the longest statement takes: 500 settles that Redis has lost. All of them are
 * tried again.
 */
const BESIDE_REDIS_TIMEOUT_MS = 5_000;
/** Settles that have not landed get this long at the end; after it their holds expire. */
const FLUSH_MS = 5_000;
/**
 * Requests taken up in one turn of the event loop. Six are a third to half a millisecond of work:
 * with 64 clients at saturation they cost what they cost without a bound, with three they cost 6 %
 * more (bench/README.md).
 */
const REQUESTS_PER_TICK = 6;

/** The reports of a thread to the main thread while it serves. */
export interface ThreadReports {
  requests(batch: EntryBatch): void;
  content(content: CapturedContent): void;
  learned(refusal: LearnedRefusal): void;
  /** An upstream has answered 401 to a minted secret. */
  secretRefused(reference: string, secret: string): void;
}

/** Opens everything one HTTP thread needs. */
export async function createThreadContext(
  start: HttpThreadStart,
  send: ThreadReports,
): Promise<OwnedThreadContext> {
  const { config } = start;
  const secrets = deriveSecrets(start.secretKey, config.secretKeyPrevious);
  const logger = createLogger(config, { thread: start.index });
  const pool = openThreadPool(start);
  const { redisUrl } = start;
  const { ledger, disconnect } = await openLedger({ config, redisUrl, pool, logger });
  const ledgerHealth = new LedgerHealth(logger);
  const settlement = openSettlement({ config, ledger, ledgerHealth, logger });
  const workers = openWorkers(start, logger);
  const state: ThreadState = {
    catalog: new Catalog(start.catalog),
    requestsUnderWay: 0,
    stores: { postgresReady: true, notReady: null },
    shuttingDown: false,
  };
  const principals = new Principals({
    entriesMax: config.keyCacheEntriesMax,
    mayExist: (key) => hasCheckLetters(secrets, key) || state.catalog.mayBeUncheckedKey(key),
    verify: (key) => workers.verifyKey(key),
  });
  const ticker = new Ticker();
  const context: ThreadContext = {
    config,
    state,
    ...limitsOf(config, ticker, logger),
    requestLimits: { ...REQUEST_LIMITS, choicesMax: config.choicesMax },
    admission: admissionOf(config, ledger, ledgerHealth),
    ledgerReadiness: new LedgerReadiness(ledger, ledgerHealth, logger),
    perTickLimiter: new PerTickLimiter(REQUESTS_PER_TICK),
    principals,
    storedIds: new StoredIds(secrets.replyIdKeys),
    webSockets: new WebSockets({
      connectionsMax: config.websocketsMax,
      connectionsPerAccountMax: config.websocketsPerAccountMax,
      keptBytesMax: config.websocketMemoryBytesMax,
    }),
    spendStandings: new SpendStandings((keyId) => workers.readKeySpend(keyId)),
    workers,
    ledger,
    settlement,
    upstreams: openUpstreams(config),
    minted: openMinted(start, send),
    health: new ChannelHealth(),
    learnedFields: new LearnedFields((refusal) => send.learned(refusal)),
    ticker,
    counters: new Counters(),
    log: requestLog(logger, config.unauthenticatedLogLinesPerSecond),
    history: new RequestHistory(config.requestLogEntriesPerSecond, (batch) => send.requests(batch)),
    content: openContentRecorder(config, send),
  };
  return {
    context,
    close: async () => {
      ticker.stop();
      // A count that is not over yet ends with the workers; its bill is estimated and flushed with
      // the others.
      await workers.close();
      await settlement.flush(FLUSH_MS);
      settlement.stop();
      context.history.close();
      await context.upstreams.close();
      await ledger.close();
      disconnect();
      await pool.end();
    },
  };
}

function openThreadPool({ config, index, databaseUrl, redisUrl }: HttpThreadStart): pg.Pool {
  const isLedger = redisUrl === null;
  return openPool(databaseUrl, {
    connectionsMax: isLedger ? CONNECTIONS.asLedger : CONNECTIONS.besideRedis,
    applicationName: `weir http ${index}`,
    statementTimeoutMs: isLedger ? config.ledgerTimeoutMs : BESIDE_REDIS_TIMEOUT_MS,
  });
}

function openSettlement({
  config: { settleWaitMs },
  ledger,
  ledgerHealth,
  logger,
}: {
  readonly config: Config;
  readonly ledger: Ledger;
  readonly ledgerHealth: LedgerHealth;
  readonly logger: LedgerLog;
}): Settlement {
  const onSettled = (): void => ledgerHealth.recordSettled();
  return createSettlement({ ledger, settleWaitMs, onSettled, logger });
}

function openWorkers(start: HttpThreadStart, log: LedgerLog): WorkerPool {
  const { databaseUrl, secretKey, workerThreads, config } = start;
  return new WorkerPool({
    start: {
      databaseUrl,
      secretKey,
      secretKeyPrevious: config.secretKeyPrevious,
      loginTokenSeconds: config.loginTokenSeconds,
    },
    threads: workerThreads,
    queueMax: config.poolQueueMax,
    log,
  });
}

function openMinted({ minted: entries }: HttpThreadStart, send: ThreadReports): MintedCredentials {
  const reportRefused: ThreadReports['secretRefused'] = (reference, secret) =>
    send.secretRefused(reference, secret);
  const minted = new MintedCredentials({ reportRefused });
  minted.apply(entries);
  return minted;
}

function openContentRecorder(config: Config, send: ThreadReports): ContentRecorder {
  const { contentLogBytesMax: bytesMax, contentLogDaysMax: daysMax } = config;
  return new ContentRecorder({ bytesMax, daysMax }, (content) => send.content(content));
}

function openUpstreams(config: Config): UpstreamPools {
  return new UpstreamPools({
    connectionsMax: config.upstreamConnectionsMax,
    allowPrivate: config.allowPrivateUpstreams,
    proxies: proxiesOf(config),
  });
}

function limitsOf(config: Config, ticker: Ticker, logger: LedgerLog) {
  const bodyBuffers = new BodyBuffers(ticker);
  const quota = new BodyQuota(config.requestBodyMemoryBytesMax);
  const bodyLimits: BodyLimits = {
    bytesMax: config.requestBodyBytesMax,
    timeoutMs: config.requestBodyTimeoutMs,
    quota,
  };
  const uploadLimits: UploadLimits = {
    bytesMax: config.uploadBytesMax,
    timeoutMs: config.uploadTimeoutMs,
    quota,
    form: FORM_LIMITS,
    store: new UploadStore({
      dataDir: config.dataDir,
      diskBytesMax: config.uploadDiskBytesMax,
      memory: bodyBuffers,
      onFault: (error) => logger.error({ err: error }, 'an upload cannot be stored in DATA_DIR'),
    }),
  };
  return { bodyBuffers, bodyLimits, uploadLimits };
}

function admissionOf(config: Config, ledger: Ledger, ledgerHealth: LedgerHealth): AdmissionOptions {
  return {
    ledger,
    holdTtlMs: config.holdTtlMs,
    sliceTokens: config.streamSliceTokens,
    reasoningSliceTokens: config.reasoningSliceTokens,
    tokenCountThrottle: new TokenCountThrottle(),
    ledgerHealth,
  };
}
