import type { AdmissionOptions } from './admission/admit.ts';
import type { Principals } from './authentication/principals.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Ticker } from '../platform/event-loop/ticker.ts';
import type { PerTickLimiter } from '../platform/event-loop/per-tick-limiter.ts';
import type { Config } from '../platform/config/config.ts';
import type { BodyBuffers } from './http/body-buffers.ts';
import type { BodyLimits } from './http/exchange.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { RequestTrace } from './request-trace.ts';
import type { ChannelHealth } from './routing/channel-health.ts';
import type { Settlement } from './settlement/settle-once.ts';
import type { Counters } from './threads/counters.ts';
import type { Specimens } from './threads/specimens.ts';
import type { WorkerPool } from './threads/worker-pool.ts';
import type { UpstreamPools } from './upstream/upstream-pools.ts';
import type { RequestLimits } from '../protocols/request-limits.ts';

/** The log of one HTTP thread. */
export interface RequestLog {
  /** One line for each request. Never a secret, never a prompt. */
  request(trace: RequestTrace): void;
  /** A broken invariant, with its stack. */
  broken(trace: RequestTrace, error: unknown): void;
}

/** Everything a request meets on its way through one HTTP thread. */
export interface Rooms {
  readonly config: Config;
  readonly bodyLimits: BodyLimits;
  readonly bodyBuffers: BodyBuffers;
  readonly requestLimits: RequestLimits;
  readonly admission: AdmissionOptions;
  /** The catalog in force, replaced as a whole when it changes. A request keeps the one it began with. */
  catalog: Catalog;
  /**
   * Requests that are not over: somebody waits for their reply, or has left while what was delivered is still being counted
   * and charged. A thread that ended before would lose those bills.
   */
  underWay: number;
  /** What every request passes once its body is there. */
  readonly perTickLimiter: PerTickLimiter;
  /** Kept for V8's sake; nobody reads them. */
  readonly specimens: Specimens<'stream' | 'whole'>;
  /** The main thread's last word on whether Postgres answers. */
  postgresReady: boolean;
  /** Requests are still served, but load balancers are to send no more. */
  shuttingDown: boolean;
  readonly principals: Principals;
  readonly workers: WorkerPool;
  readonly ledger: Ledger;
  readonly settlement: Settlement;
  readonly upstreams: UpstreamPools;
  readonly health: ChannelHealth;
  readonly ticker: Ticker;
  readonly counters: Counters;
  readonly log: RequestLog;
}
