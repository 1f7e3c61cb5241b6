import type { AdmissionOptions } from './admission/admit.ts';
import type { Principals } from './authentication/principals.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Ticker } from '../platform/event-loop/ticker.ts';
import type { PerTickLimiter } from '../platform/event-loop/per-tick-limiter.ts';
import type { Config } from '../platform/config/config.ts';
import type { ContentRecorder } from './content-log/content-recorder.ts';
import type { RequestHistory } from '../request-history/request-history.ts';
import type { RequestLog } from '../platform/telemetry/request-log.ts';
import type { SpendStandings } from './device-login/spend-standings.ts';
import type { BodyBuffers } from './http/body/body-buffers.ts';
import type { BodyLimits } from './http/body/incoming-body.ts';
import type { UploadLimits } from './http/body/incoming-form.ts';
import type { MintedCredentials } from './credentials/minted-credentials.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { LedgerReadiness } from '../ledger/ledger-readiness.ts';
import type { RequestLimits } from '../protocols/protocol.ts';
import type { ChannelHealth } from './routing/health/channel-health.ts';
import type { LearnedFields } from './routing/learned-fields.ts';
import type { Settlement } from './settlement/settle-once.ts';
import type { StoredIds } from './stored/stored-ids.ts';
import type { Counters } from './threads/counters.ts';
import type { StoresState } from './threads/messages.ts';
import type { WorkerPool } from './threads/worker-pool.ts';
import type { UpstreamPools } from './upstream/upstream-pools.ts';
import type { WebSockets } from './web-socket/web-sockets.ts';

/**
 * The state that changes while a thread runs; the main thread's messages and the requests set it.
 */
export interface ThreadState {
  /**
   * The catalog in force, replaced as a whole when it changes. A request keeps the one it began
   * with.
   */
  catalog: Catalog;
  /**
   * Requests that are not over: a client waits for the reply, or has left while what was delivered
   * is still being counted and charged. A thread that ended before would lose those bills.
   */
  requestsUnderWay: number;
  /** The main thread's last report about the stores. */
  stores: StoresState;
  /** Requests are still served, but load balancers are to send no more. */
  shuttingDown: boolean;
}

/** The dependencies that bring a request to an upstream and its reply to the client. */
export interface RelayContext {
  readonly config: Config;
  readonly bodyBuffers: BodyBuffers;
  readonly upstreams: UpstreamPools;
  readonly minted: MintedCredentials;
  readonly health: ChannelHealth;
  readonly learnedFields: LearnedFields;
  readonly counters: Counters;
  readonly ticker: Ticker;
}

/** The dependencies that pay for a request. */
export interface BillingContext {
  readonly config: Config;
  readonly ledger: Ledger;
  readonly settlement: Settlement;
  readonly workers: WorkerPool;
}

/** Everything that the requests of one HTTP thread share. */
export interface ThreadContext extends RelayContext, BillingContext {
  readonly state: ThreadState;
  readonly bodyLimits: BodyLimits;
  /** For forms with files. */
  readonly uploadLimits: UploadLimits;
  readonly requestLimits: RequestLimits;
  readonly admission: AdmissionOptions;
  readonly ledgerReadiness: LedgerReadiness;
  /** Every request passes it once its body is there. */
  readonly perTickLimiter: PerTickLimiter;
  readonly principals: Principals;
  readonly storedIds: StoredIds;
  readonly webSockets: WebSockets;
  /** The spend of the keys of logins. */
  readonly spendStandings: SpendStandings;
  readonly log: RequestLog;
  readonly history: RequestHistory;
  readonly content: ContentRecorder;
}
