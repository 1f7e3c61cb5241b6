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

/** Settles sent again at once after a reconnect. */
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
  /** Redis is older than the book in some partition. */
  readonly startNewEpochs: () => Promise<void>;
  /** Sends a settle again under the epoch it was applied in. */
  readonly settleAgain: (settle: RetainedSettle) => Promise<SettleOutcome>;
}

/**
 * Looks once a second at what a gateway must know of the store: which settles have reached Postgres, how many
 * have not, and whether the store is still in the life in which they were made, and not older than it was.
 *
 * Retained settles are in one of three states:
 *   kept      in `retention`; the store has them as far as is known
 *   doubtful  the connection was lost since: the store may have lost the tail of its log, so they are sent again,
 *             which the store recognises when it has them
 *   lost      the store is in a later epoch: they are entered into the book as recovered usage
 */
export class StoreWatch {
  readonly #options: StoreWatchOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #backlog: UsageBacklog;
  #doubtful: RetainedSettle[] = [];
  #lost: RetainedSettle[] = [];
  #underWay = 0;
  /** As of the last time that Postgres could be asked. */
  #entered: readonly EnteredPosition[] = [];
  #asksEntered = false;
  #busy = false;
  #failing = false;
  #stopped = false;

  constructor(options: StoreWatchOptions) {
    this.#options = options;
    this.#backlog = new UsageBacklog(options.usageBacklogMax);
    options.redis.on('close', this.#onDisconnect);
    options.redis.on('-node', this.#onDisconnect);
    options.redis.on('ready', this.#look);
    this.#timer = setInterval(this.#look, COUNTED_EVERY_MS);
    this.#timer.unref();
    setImmediate(this.#look);
  }

  get backlog(): number {
    return this.#backlog.records;
  }

  /** Settles that are neither kept nor in Postgres: doubtful or lost ones, and those just being sent or entered. */
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
    redis.off('ready', this.#look);
  }

  readonly #onDisconnect = (): void => {
    for (const partition of PARTITION_NAMES.keys()) {
      this.#doubtful.push(...this.#options.retention.take(partition));
    }
  };

  readonly #look = (): void => {
    if (this.#busy || this.#stopped || this.#options.redis.status !== 'ready') return;
    this.#busy = true;
    this.#lookOnce()
      .then(() => this.#looked(undefined))
      .catch((error: unknown) => this.#looked(causeOf(error)))
      .finally(() => {
        this.#busy = false;
      });
  };

  /** Failing and being well again are told once each: a line each second would bury what else is in the log. */
  #looked(cause: string | undefined): void {
    const failing = cause !== undefined;
    if (this.#stopped || failing === this.#failing) return;
    this.#failing = failing;
    const { log } = this.#options;
    if (failing)
      log.warn({ cause }, 'The ledger store cannot be watched; trying again each second');
    else log.info({}, 'The ledger store is watched again');
  }

  async #lookOnce(): Promise<void> {
    const { caller } = this.#options;
    const answers = await Promise.all(
      caller.reach.map(async (reached) => {
        const found = decodeWatch(await caller.read(reached[0] ?? 0, encodeWatch(reached)));
        if (found.length !== reached.length) throw new Error('the script left out partitions');
        return found;
      }),
    );
    const partitions = answers.flat();
    // First of all: what an older store says of itself is not to be believed. Its settles are lost to the next look.
    if (await this.#isOlder(partitions)) {
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

  async #isOlder(partitions: readonly WatchedPartition[]): Promise<boolean> {
    void this.#askEntered();
    const behind = this.#entered.filter((position) => {
      const watched = partitions[position.partition];
      return watched?.epoch === position.epoch && !hasReached(watched.entered, position);
    });
    // Most often they are only about to be deleted in Redis.
    return (await stalePartitions(this.#options.redis, behind)).length > 0;
  }

  /** Not waited for: while Postgres is away nothing is entered, and what was known of it before still holds. */
  async #askEntered(): Promise<void> {
    if (this.#asksEntered) return;
    this.#asksEntered = true;
    try {
      this.#entered = await readEntered(this.#options.pool);
    } catch {
      // Whoever needs Postgres more says so.
    } finally {
      this.#asksEntered = false;
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
        'Usage that Redis had lost was entered into the book',
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
