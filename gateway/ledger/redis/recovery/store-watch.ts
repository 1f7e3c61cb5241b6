import type pg from 'pg';
import { causeOf } from '../../../platform/errors/cause-of.ts';
import type { RedisClient } from '../../../stores/redis/connect.ts';
import type { SettleOutcome } from '../../ledger.ts';
import type { LedgerLog } from '../../ledger-log.ts';
import { PARTITION_NAMES } from '../../partition.ts';
import { decodeWatch, type WatchedPartition } from '../commands/decode.ts';
import { encodeWatch } from '../commands/encode.ts';
import { type EnteredPosition, hasReached, stalePartitions, readEntered } from './stale-redis.ts';
import { recoverSettles } from './recover-settles.ts';
import type { RetainedSettle, Retention } from './retention.ts';
import type { ScriptCaller } from '../transport/script-caller.ts';
import { COUNTED_EVERY_MS, UsageBacklog } from './usage-backlog.ts';

/** Settles sent concurrently after a reconnect. */
const RESEND_AT_ONCE_MAX = 500;

export interface StoreWatchOptions {
  readonly redis: RedisClient;
  readonly pool: pg.Pool;
  readonly caller: ScriptCaller;
  readonly retention: Retention;
  readonly log: LedgerLog;
  readonly usageBacklogMax: number;
  readonly onEpoch: (partition: number, epoch: number) => void;
  readonly restoreEpochs: (partitions: readonly number[]) => Promise<void>;
  /** Redis is older than Postgres in some partition. */
  readonly startNewEpochs: () => Promise<void>;
  /** Sends a settle again under the epoch in which it was applied. */
  readonly settleAgain: (settle: RetainedSettle) => Promise<SettleOutcome>;
}

/**
 * Polls the store once a second: which settles have reached Postgres, how many have not, and
 * whether the store is still in the same epoch and not in an older state.
 *
 * Retained settles are in one of three states:
 *   kept      in `retention`; as far as is known, the store has them
 *   doubtful  the connection was lost: the store may have lost the end of its log, so they are sent
 *             again, which the store recognises if it has them
 *   lost      the store is in a later epoch: they are inserted into Postgres as recovered usage
 */
export class StoreWatch {
  readonly #options: StoreWatchOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #backlog: UsageBacklog;
  #doubtful: RetainedSettle[] = [];
  #lost: RetainedSettle[] = [];
  #underWay = 0;
  /** The result of the last successful query. */
  #positions: readonly EnteredPosition[] = [];
  #readsPositions = false;
  #busy = false;
  #failing = false;
  #stopped = false;

  constructor(options: StoreWatchOptions) {
    this.#options = options;
    this.#backlog = new UsageBacklog(options.usageBacklogMax);
    options.redis.on('close', this.#onDisconnect);
    options.redis.on('-node', this.#onDisconnect);
    options.redis.on('ready', this.#poll);
    this.#timer = setInterval(this.#poll, COUNTED_EVERY_MS);
    this.#timer.unref();
    setImmediate(this.#poll);
  }

  get backlog(): number {
    return this.#backlog.records;
  }

  /** Settles that are neither kept nor in Postgres: doubtful, lost, or being sent or inserted. */
  get unsettled(): number {
    return this.#doubtful.length + this.#lost.length + this.#underWay;
  }

  get backlogExceeded(): boolean {
    return this.#backlog.exceeded;
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
    const { redis } = this.#options;
    redis.off('close', this.#onDisconnect);
    redis.off('-node', this.#onDisconnect);
    redis.off('ready', this.#poll);
  }

  readonly #onDisconnect = (): void => {
    for (const partition of PARTITION_NAMES.keys()) {
      this.#doubtful.push(...this.#options.retention.take(partition));
    }
  };

  readonly #poll = (): void => {
    if (this.#busy || this.#stopped || this.#options.redis.status !== 'ready') return;
    this.#busy = true;
    this.#pollOnce()
      .then(() => this.#logState(undefined))
      .catch((error: unknown) => this.#logState(causeOf(error)))
      .finally(() => {
        this.#busy = false;
      });
  };

  /** Logs the first failure and the recovery: a line per second would hide the rest of the log. */
  #logState(cause: string | undefined): void {
    const failing = cause !== undefined;
    if (this.#stopped || failing === this.#failing) return;
    this.#failing = failing;
    const { log } = this.#options;
    if (failing)
      log.warn({ cause }, 'The ledger store cannot be watched; trying again each second');
    else log.info({}, 'The ledger store is watched again');
  }

  async #pollOnce(): Promise<void> {
    const { caller } = this.#options;
    const answers = await Promise.all(
      caller.reach.map(async (reached) => {
        const found = decodeWatch(await caller.read(reached[0] ?? 0, encodeWatch(reached)));
        if (found.length !== reached.length) throw new Error('the script left out partitions');
        return found;
      }),
    );
    const partitions = answers.flat();
    // First, because what a stale store reports must not be used. Its settles are lost in the next
    // poll.
    if (await this.#isStale(partitions)) {
      await this.#options.startNewEpochs();
      return;
    }
    for (const [partition, watched] of partitions.entries()) this.#watched(partition, watched);
    const records = partitions.reduce((sum, partition) => sum + partition.records, 0);
    this.#backlog.counted(records, performance.now());
    await this.#recoverLost();
    const missing = [...partitions.keys()].filter((at) => partitions[at]?.epoch === undefined);
    if (missing.length > 0) await this.#options.restoreEpochs(missing);
    await this.#sendDoubtful();
  }

  async #isStale(partitions: readonly WatchedPartition[]): Promise<boolean> {
    void this.#readPositions();
    const behind = this.#positions.filter((position) => {
      const watched = partitions[position.partition];
      return watched?.epoch === position.epoch && !hasReached(watched.entered, position);
    });
    // Usually the entries are only about to be deleted in Redis.
    return (await stalePartitions(this.#options.redis, behind)).length > 0;
  }

  /**
   * Not awaited: during an outage of Postgres nothing is inserted, so the last known positions
   * hold.
   */
  async #readPositions(): Promise<void> {
    if (this.#readsPositions) return;
    this.#readsPositions = true;
    try {
      this.#positions = await readEntered(this.#options.pool);
    } catch {
      // Other parts that need Postgres report its outage.
    } finally {
      this.#readsPositions = false;
    }
  }

  #watched(partition: number, { epoch, drainedMs }: WatchedPartition): void {
    const { retention, onEpoch } = this.#options;
    if (epoch === undefined) {
      this.#lost.push(...retention.take(partition));
      this.#lost.push(...this.#doubtful.filter((settle) => settle.partition === partition));
      this.#doubtful = this.#doubtful.filter((settle) => settle.partition !== partition);
      return;
    }
    onEpoch(partition, epoch);
    this.#lost.push(...retention.takeOlder(partition, epoch));
    const isLost = (settle: RetainedSettle): boolean =>
      settle.partition === partition && settle.epoch < epoch;
    if (this.#doubtful.some(isLost)) {
      this.#lost.push(...this.#doubtful.filter(isLost));
      this.#doubtful = this.#doubtful.filter((settle) => !isLost(settle));
    }
    retention.drained(partition, drainedMs);
  }

  async #recoverLost(): Promise<void> {
    if (this.#lost.length === 0) return;
    const settles = this.#lost;
    this.#lost = [];
    this.#underWay = settles.length;
    try {
      const recovered = await recoverSettles(this.#options.pool, settles);
      this.#options.log.warn(
        { retained: settles.length, recovered },
        'Usage that Redis had lost was inserted into PostgreSQL',
      );
    } catch (error) {
      this.#lost.push(...settles);
      throw error;
    } finally {
      this.#underWay = 0;
    }
  }

  async #sendDoubtful(): Promise<void> {
    while (this.#doubtful.length > 0) {
      const settles = this.#doubtful.splice(0, RESEND_AT_ONCE_MAX);
      this.#underWay = settles.length;
      const outcomes = await Promise.all(
        settles.map((settle) => this.#options.settleAgain(settle)),
      );
      this.#underWay = 0;
      const failed = settles.filter((_s, index) => outcomes[index]?.code === 'ledger_unavailable');
      if (failed.length > 0) {
        this.#doubtful.push(...failed);
        return;
      }
      const late = outcomes.filter(({ code }) => code === 'settled_late').length;
      if (late > 0) {
        this.#options.log.warn({ settled: late }, 'Settles that Redis had lost were applied again');
      }
    }
  }
}
