import type { LearnedRefusal } from '../../catalog/learned-refusals.ts';
import type { CatalogSnapshot } from '../../catalog/snapshot.ts';
import type { Config } from '../../platform/config/config.ts';
import type { CapturedContent } from '../../content-log/captured-content.ts';
import type { EntryBatch } from '../../request-history/request-history.ts';
import type { MintedEntry } from '../credentials/minted-credentials.ts';
import type { HealthReport } from '../routing/health/health-report.ts';

/**
 * The data that a new HTTP thread starts with (workerData). Crosses threads by structured clone.
 */
export interface HttpThreadStart {
  readonly index: number;
  readonly config: Config;
  /**
   * The address in use, not the configured one: the embedded database's if DATABASE_URL is unset.
   */
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  readonly secretKey: string;
  /**
   * Shared with the other threads; a thread that is alone may be given 0, which finds a free one.
   */
  readonly port: number;
  readonly workerThreads: number;
  readonly catalog: CatalogSnapshot;
  /** The secrets minted so far for the catalog's credentials. */
  readonly minted: readonly MintedEntry[];
  /** The memory with the clocks of the stores (store-clock.ts); its own where it is absent. */
  readonly clocks?: SharedArrayBuffer;
}

/** The state of the stores as the main thread knows it. */
export interface StoresState {
  /** PostgreSQL answers and takes writes. */
  readonly postgresReady: boolean;
  /**
   * The reason why this process must get no requests, whatever its ledger says; null while it may.
   */
  readonly notReady: string | null;
}

/** Main thread to HTTP thread. */
export type ToHttpThread =
  | { readonly kind: 'catalog'; readonly snapshot: CatalogSnapshot }
  /** Secrets minted for the catalog's credentials. */
  | { readonly kind: 'minted'; readonly entries: readonly MintedEntry[] }
  /** Keys and accounts that changed: what is remembered about them is forgotten. */
  | {
      readonly kind: 'changed';
      readonly keyIds: readonly string[];
      readonly accountIds: readonly string[];
    }
  /** The change feed was interrupted: forget everything. */
  | { readonly kind: 'forget_all' }
  /** The main thread's findings about the stores; `GET /ready` reports them. */
  | ({ readonly kind: 'stores' } & StoresState)
  /**
   * Say that this instance is shutting down for `delayMs`, stop accepting, finish what is in flight
   * until `graceMs` are over, then end by itself.
   */
  | { readonly kind: 'drain'; readonly graceMs: number; readonly delayMs: number }
  /** Ask for counters; answered by `counters`. */
  | { readonly kind: 'count' }
  /** Sent by tests only: throw outside of any request. */
  | { readonly kind: 'crash' };

/** HTTP thread to main thread. */
export type FromHttpThread =
  | { readonly kind: 'ready'; readonly port: number }
  | { readonly kind: 'cannot_listen'; readonly message: string }
  /** An uncaught exception: the thread drains and ends; start another at once. */
  | { readonly kind: 'failing'; readonly message: string; readonly stack: string }
  | {
      readonly kind: 'drained';
      readonly unfinished: number;
      /** Bills that the ledger did not take. */
      readonly givenUp: number;
      readonly counters: ThreadCounters;
    }
  | { readonly kind: 'counters'; readonly counters: ThreadCounters }
  /** An upstream has answered 401 to a minted secret; answered by `minted`. */
  | { readonly kind: 'secret_refused'; readonly reference: string; readonly secret: string }
  /** Requests for the request history. */
  | { readonly kind: 'requests'; readonly batch: EntryBatch }
  /** A request and its reply, of a key with a content log. */
  | { readonly kind: 'content'; readonly content: CapturedContent }
  /** A field that a target refuses, for all threads and gateways. */
  | { readonly kind: 'learned'; readonly refusal: LearnedRefusal };

/** One thread's attempts at a channel, and what it thinks of it now. */
export interface ChannelCounters extends HealthReport {
  readonly channelId: string;
  readonly attempts: number;
  readonly failures: number;
}

/** Counters of one thread since its start, for /metrics and the console's overview. */
export interface ThreadCounters {
  readonly requests: number;
  readonly inFlight: number;
  /** Replies by HTTP status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costNanoUsd: number;
  /** The billed amount that neither the hold nor the available balance could pay. */
  readonly uncollectedNanoUsd: number;
  readonly settlesPending: number;
  /** Latency histogram: count of requests at most `le` milliseconds, cumulative. */
  readonly latencyMsBuckets: readonly { readonly le: number; readonly count: number }[];
  readonly latencyMsSum: number;
  readonly channels: readonly ChannelCounters[];
}
