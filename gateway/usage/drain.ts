import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { causeOf } from '../platform/errors/cause-of.ts';
import { type LedgerLog, SILENT_LOG } from '../ledger/ledger-log.ts';
import { queryWithin } from '../stores/postgres/connect.ts';
import { isConnectionError } from '../stores/postgres/is-connection-error.ts';
import type { RedisClient } from '../stores/redis/connect.ts';
import { type InsertedUsage, insertBatch, insertUsage, isRefused } from './insert-usage.ts';
import { MAKE_PARTITIONS, PARTITIONS_EVERY_MS } from './usage-partitions.ts';
import { groupPartitions, jsonList, positionsOf, recordsIn } from './usage-groups.ts';
import { type PartitionUsage, RECORDS_PER_TRANSACTION_MAX, UsageStream } from './usage-stream.ts';

/**
 * With `appendfsync everysec` Redis may lose what it was told in the last two seconds. An entry is only taken when it is
 * older than that: so what Redis can lose is never in Postgres yet, and gateways still keep it (redis/retention.ts).
 */
const AGE_MS_MIN = 2_500;
const PAUSE_MS = 250;
/** After a round that found little: what comes now is not old enough before AGE_MS_MIN. */
const PAUSE_MS_MAX = 1_000;
/** The pause is as long as so many records take to come: a round costs the same for one as for hundreds of them. */
const RECORDS_PER_ROUND = 200;
const BACKOFF_MS_MAX = 5_000;
/** A round that is under way at the end gets so much more. One that a silent store holds up is left to itself: it may be broken off anywhere. */
const ROUND_MS = 1_000;
/** At the end a store that says nothing for so long is not waited for. */
const SILENT_MS = 3_000;
const SILENT_LOOK_MS = 50;
/** After a try that failed, mostly because somebody reads the whole table; each try holds up others for a second. */
const PARTITIONS_AGAIN_MS = 10 * 60_000;
const PARTITIONS_WITHIN_MS = 15_000;

export interface DrainStatus {
  /** Records that wait in Redis. */
  readonly waiting: number;
  /** Age of the oldest of them; the usual value is a little above `ageMsMin`. */
  readonly lagMs: number;
  readonly added: number;
  readonly rejected: number;
  /** Why the last round failed; null when it did not. */
  readonly failure: string | null;
}

export interface UsageDrain {
  status(): DrainStatus;
  /**
   * Goes on until nothing waits any more, at most this long, then ends; a round that is under way then gets a second more. Ends early
   * when a store is away or silent: what waits is kept in Redis for the next gateway.
   */
  stop(withinMs: number): Promise<void>;
}

export interface DrainOptions {
  readonly redis: RedisClient;
  readonly pool: pg.Pool;
  readonly logger?: LedgerLog;
  /** 0 only when Redis writes every command to the disk at once (`appendfsync always`). */
  readonly ageMsMin?: number;
  readonly pauseMs?: number;
}

/**
 * Carries settled records from Redis into the book, for ever. Runs in the main thread of every gateway process; several
 * share the partitions. What it does may be done twice or broken off anywhere: records enter the book once, and are deleted
 * in Redis only when they have.
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
  /** Records that became old enough per millisecond, as of the last round. */
  #recordsPerMs = 0;
  #added = 0;
  #rejected = 0;
  #failure: string | null = null;
  #backoffMs = 0;
  #endAtMs = Infinity;
  /** The last round could not be done because a store is away. */
  #storeAway = false;
  /** When a store last answered a round that is under way; Infinity between rounds, when none is asked. */
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
      lagMs: this.#oldestMs === 0 ? 0 : Math.max(0, Date.now() - this.#oldestMs),
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
      // A stop during the round found no pause to wake: the next round begins at once.
      const stopped = !stopping && this.#endAtMs < Infinity;
      if (!more && !stopped) await this.#pause();
    }
  }

  /**
   * Answers whether there is likely more to read at once. What has become old enough in the meantime is not: entered as it
   * comes, each record would be a transaction of its own, and cost PostgreSQL ten times as much.
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
          this.#options.logger.error({ rejected }, 'The book refused usage; see usage_rejected');
        }
      } catch (error) {
        // Other readers need not wait for the lease of one whose Postgres connection is down.
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
      // One by one, which takes a record that is no JSON, too: among others it spoils the whole text.
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
        "Redis' clock was set back: usage in it is of a later time, and is drained without waiting until it is old enough",
      );
    }
    this.#clockTold = aheadMs > 0;
  }

  #measure(partitions: readonly PartitionUsage[]): void {
    const nowMs = performance.now();
    this.#recordsPerMs = recordsIn(partitions) / Math.max(1, nowMs - this.#readAtMs);
    this.#readAtMs = nowMs;
  }

  /** A failure holds up no bill: months are made long before they come, and records of one without a partition have the default one. */
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

  /** How long to leave the streams alone so that the next round has enough to enter. */
  #untilWorthwhileMs(): number {
    const { pauseMs, ageMsMin } = this.#options;
    const longestMs = Math.max(pauseMs, Math.min(PAUSE_MS_MAX, ageMsMin));
    if (this.#waiting === 0) return longestMs;
    // What waits came after a silence, and nobody knows yet how much more comes with it; or nothing more comes.
    if (this.#recordsPerMs === 0 || this.#endAtMs < Infinity) return pauseMs;
    return Math.min(Math.max(pauseMs, RECORDS_PER_ROUND / this.#recordsPerMs), longestMs);
  }
}
