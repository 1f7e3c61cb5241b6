import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { ledgerNowMs } from '../platform/clock/store-clock.ts';
import { causeOf } from '../platform/errors/cause-of.ts';
import { type LedgerLog, SILENT_LOG } from '../ledger/ledger-log.ts';
import { queryWithin } from '../stores/postgres/connect.ts';
import { isConnectionError } from '../stores/postgres/is-connection-error.ts';
import type { RedisClient } from '../stores/redis/connect.ts';
import {
  type InsertedUsage,
  insertBatch,
  insertUsage,
  isRefused,
} from '../ledger/redis/usage/insert-usage.ts';
import { MAKE_PARTITIONS, PARTITIONS_EVERY_MS } from './usage-partitions.ts';
import { groupPartitions, jsonList, positionsOf, recordsIn } from './usage-groups.ts';
import {
  type PartitionUsage,
  RECORDS_PER_TRANSACTION_MAX,
  UsageStream,
} from '../ledger/redis/usage/usage-stream.ts';

/**
 * With `appendfsync everysec` Redis may lose the last two seconds. Only older entries are taken, so
 * what Redis can lose is not in Postgres yet, and gateways still retain it
 * (redis/recovery/retention.ts).
 */
const AGE_MS_MIN = 2_500;
const PAUSE_MS = 250;
/** Pause after a round with few records: new ones are not old enough before AGE_MS_MIN. */
const PAUSE_MS_MAX = 1_000;
/**
 * A pause lasts until about so many records have arrived: a round costs the same for one record as
 * for hundreds.
 */
const RECORDS_PER_ROUND = 200;
const BACKOFF_MS_MAX = 5_000;
/**
 * Extra time for the round that runs when the drain ends. A round that a silent store blocks is
 * abandoned, which is safe at any point.
 */
const ROUND_MS = 1_000;
/** When the drain ends, a store that is silent for this long is not awaited. */
const SILENT_MS = 3_000;
const SILENT_LOOK_MS = 50;
/**
 * Pause after a failed attempt, usually because a query reads the whole table; each attempt blocks
 * others for a second.
 */
const PARTITIONS_AGAIN_MS = 10 * 60_000;
const PARTITIONS_WITHIN_MS = 15_000;

export interface DrainStatus {
  /** Records in Redis. */
  readonly waiting: number;
  /** Age of the oldest one; normally a little above `ageMsMin`. */
  readonly lagMs: number;
  readonly added: number;
  readonly rejected: number;
  /** The reason why the last round failed; null when it succeeded. */
  readonly failure: string | null;
}

export interface UsageDrain {
  status(): DrainStatus;
  /**
   * Ends the drain when nothing waits any more, or after this time; a running round gets one more
   * second. Ends early when a store is unreachable or silent: Redis keeps the rest for the next
   * gateway.
   */
  stop(withinMs: number): Promise<void>;
}

export interface DrainOptions {
  readonly redis: RedisClient;
  readonly pool: pg.Pool;
  readonly logger?: LedgerLog;
  /** 0 only when Redis syncs every command to disk (`appendfsync always`). */
  readonly ageMsMin?: number;
  readonly pauseMs?: number;
}

/**
 * Moves settled records from Redis to Postgres, for as long as the process runs. Runs in the main
 * thread of every gateway; several share the partitions. Any step may be repeated or interrupted: a
 * record is inserted once, and is deleted in Redis only after that.
 */
export function startDrain(options: DrainOptions): UsageDrain {
  return new Drain(options);
}

class Drain implements UsageDrain {
  readonly #options: Required<DrainOptions>;
  readonly #stream: UsageStream;
  readonly #running: Promise<void>;
  #waiting = 0;
  #oldestMs = 0;
  #readAtMs = performance.now();
  /** Rate at which records became old enough, as of the last round. */
  #recordsPerMs = 0;
  #added = 0;
  #rejected = 0;
  #failure: string | null = null;
  #backoffMs = 0;
  #endAtMs = Infinity;
  /** The last round failed because a store is unreachable. */
  #storeAway = false;
  /** The time of a store's last reply in the running round; Infinity between rounds. */
  #heardAtMs = Infinity;
  #wake: () => void = () => undefined;
  #partitionsAtMs = 0;
  #clockTold = false;

  constructor(options: DrainOptions) {
    this.#options = { logger: SILENT_LOG, ageMsMin: AGE_MS_MIN, pauseMs: PAUSE_MS, ...options };
    this.#stream = new UsageStream(options.redis, randomUUID());
    this.#running = this.#run();
  }

  status(): DrainStatus {
    return {
      waiting: this.#waiting,
      lagMs: this.#oldestMs === 0 ? 0 : Math.max(0, ledgerNowMs() - this.#oldestMs),
      added: this.#added,
      rejected: this.#rejected,
      failure: this.#failure,
    };
  }

  async stop(withinMs: number): Promise<void> {
    this.#heardAtMs = performance.now();
    this.#endAtMs = this.#heardAtMs + withinMs;
    this.#wake();
    const ended = new AbortController();
    const { signal } = ended;
    void this.#running.then(() => ended.abort());
    const worthwhile = (nowMs: number): boolean =>
      nowMs < this.#endAtMs + ROUND_MS && nowMs - this.#heardAtMs < SILENT_MS;
    while (!signal.aborted && worthwhile(performance.now())) {
      await sleep(SILENT_LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #run(): Promise<void> {
    for (;;) {
      const stopping = this.#endAtMs < Infinity;
      const more = await this.#round();
      if (performance.now() >= this.#endAtMs) return;
      if (stopping && (this.#storeAway || (this.#waiting === 0 && this.#failure === null))) return;
      // A stop during the round found no pause to interrupt, so the next round starts at once.
      const stopped = !stopping && this.#endAtMs < Infinity;
      if (!more && !stopped) await this.#pause();
    }
  }

  /**
   * Returns true when more should be read at once. Records that became old enough meanwhile do not
   * count: inserted as they come, each would be a transaction, at ten times the cost for
   * PostgreSQL.
   */
  async #round(): Promise<boolean> {
    const { redis, ageMsMin } = this.#options;
    this.#heardAtMs = performance.now();
    try {
      if (redis.status !== 'ready') throw new Error('Redis is not connected');
      const reading = await this.#stream.read(RECORDS_PER_TRANSACTION_MAX, ageMsMin);
      this.#heardAtMs = performance.now();
      this.#waiting = reading.waiting;
      this.#oldestMs = reading.oldestMs;
      this.#measure(reading.partitions);
      this.#tellClock(reading.aheadMs);
      await this.#makePartitions();
      this.#heardAtMs = performance.now();
      await this.#enter(reading.partitions);
      if (this.#failure !== null) this.#options.logger.info({}, 'Usage is drained again');
      this.#failure = null;
      this.#storeAway = false;
      this.#backoffMs = 0;
      return reading.full;
    } catch (error) {
      const cause = causeOf(error);
      if (this.#failure !== cause) {
        this.#options.logger.warn({ cause }, 'Usage cannot be drained; it waits in Redis');
      }
      this.#failure = cause;
      this.#storeAway =
        redis.status !== 'ready' || (error instanceof Error && isConnectionError(error));
      this.#backoffMs = Math.min(Math.max(this.#backoffMs * 2, 100), BACKOFF_MS_MAX);
      return false;
    } finally {
      this.#heardAtMs = Infinity;
    }
  }

  async #enter(partitions: readonly PartitionUsage[]): Promise<void> {
    for (const group of groupPartitions(partitions)) {
      try {
        const { added, rejected } = await this.#enterGroup(group);
        this.#added += added;
        this.#rejected += rejected;
        if (rejected > 0) {
          this.#options.logger.error({ rejected }, 'PostgreSQL rejected usage; see usage_rejected');
        }
      } catch (error) {
        // Without this, other readers would wait for the lease of a reader that cannot reach
        // Postgres.
        await this.#stream.releaseLeases(partitions.map(({ partition }) => partition));
        throw error;
      }
      await this.#stream.forget(group);
      this.#heardAtMs = performance.now();
      this.#waiting -= recordsIn(group);
    }
  }

  async #enterGroup(group: readonly PartitionUsage[]): Promise<InsertedUsage> {
    const { pool } = this.#options;
    const positions = positionsOf(group);
    try {
      const json = jsonList(group.map((piece) => piece.json));
      return { added: await insertBatch(pool, json, positions), rejected: 0 };
    } catch (error) {
      if (!isRefused(error)) throw error;
      // One record at a time, which also isolates a record that is not JSON: it makes the whole
      // batch unreadable.
      const newest = new Map(group.map((piece) => [piece.partition, piece]));
      const entries = await Promise.all(
        [...newest.values()].map((piece) => this.#stream.entriesUntil(piece)),
      );
      return insertUsage(pool, entries.flat(), positions);
    }
  }

  #tellClock(aheadMs: number): void {
    if (aheadMs > 0 && !this.#clockTold) {
      this.#options.logger.warn(
        { aheadMs },
        "Redis' clock was set back: its usage has later times and is drained without the usual delay",
      );
    }
    this.#clockTold = aheadMs > 0;
  }

  #measure(partitions: readonly PartitionUsage[]): void {
    const nowMs = performance.now();
    this.#recordsPerMs = recordsIn(partitions) / Math.max(1, nowMs - this.#readAtMs);
    this.#readAtMs = nowMs;
  }

  /**
   * A failure delays no usage record: months are created long in advance, and records of a month
   * without a partition go to the default one.
   */
  async #makePartitions(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs < this.#partitionsAtMs) return;
    this.#partitionsAtMs = nowMs + PARTITIONS_EVERY_MS;
    try {
      await this.#options.pool.query(queryWithin(PARTITIONS_WITHIN_MS, MAKE_PARTITIONS, []));
    } catch (error) {
      this.#partitionsAtMs = nowMs + PARTITIONS_AGAIN_MS;
      const cause = causeOf(error);
      const { logger } = this.#options;
      logger.warn({ cause }, 'The next months of the usage table could not be made');
    }
  }

  async #pause(): Promise<void> {
    const leftMs = Math.max(0, this.#endAtMs - performance.now());
    const pauseMs = Math.min(Math.max(this.#untilWorthwhileMs(), this.#backoffMs), leftMs);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Returns the wait until the next round has enough records. */
  #untilWorthwhileMs(): number {
    const { pauseMs, ageMsMin } = this.#options;
    const longestMs = Math.max(pauseMs, Math.min(PAUSE_MS_MAX, ageMsMin));
    if (this.#waiting === 0) return longestMs;
    // The rate is unknown after a silence, or nothing more comes because the drain is ending.
    if (this.#recordsPerMs === 0 || this.#endAtMs < Infinity) return pauseMs;
    return Math.min(Math.max(pauseMs, RECORDS_PER_ROUND / this.#recordsPerMs), longestMs);
  }
}
