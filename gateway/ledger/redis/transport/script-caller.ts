import type pg from 'pg';
import { causeOf } from '../../../platform/errors/cause-of.ts';
import type { RedisClient } from '../../../stores/redis/connect.ts';
import type { LedgerUnavailable } from '../../ledger.ts';
import { PARTITION_COUNT, PARTITION_NAMES } from '../../partition.ts';
import { loadRequestOf, type LoadRequest, readAccount } from '../commands/account-loader.ts';
import { decodeLoad } from '../commands/decode.ts';
import { BatchLane } from './batch-lane.ts';
import { type BatchTime, type LedgerCall, unavailable } from './call.ts';
import { batchFunction } from './batch-function.ts';
import { functionWithoutMemory, type LoadedFunction } from './load-function.ts';
import { isCluster } from './run-script.ts';

/** A call that finds something missing after so many loads has met a broken invariant. */
const SENT_MAX = 8;
const TIMEOUT_CHECKS = 4;

export interface ScriptCallerOptions {
  readonly redis: RedisClient;
  readonly pool: pg.Pool;
  readonly timeoutMs: number;
  readonly hotMs: number;
  readonly closedMemoryMs: number;
  readonly clockOffsetMs: () => number;
  /**
   * The partition has no epoch, or another one than in Postgres. Resolves when loads may be
   * retried.
   */
  readonly restoreEpoch: (partition: number) => Promise<void>;
}

/**
 * Batches calls, loads from Postgres what the store is missing, and repeats the call. Callers never
 * see "not loaded".
 */
export class ScriptCaller {
  readonly #options: ScriptCallerOptions;
  readonly #lanes: readonly BatchLane[];
  readonly #readingLanes: readonly BatchLane[];
  /** Running loads: calls for the same account share one. */
  readonly #loads = new Map<string, Promise<LedgerUnavailable | undefined>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ScriptCallerOptions) {
    this.#options = options;
    const batch = batchFunction(options);
    this.#lanes = this.#lanesTo(batch);
    this.#readingLanes = this.#lanesTo(functionWithoutMemory(batch));
  }

  /**
   * The groups of partitions that one call can access: all of them on a single Redis, each alone on
   * a cluster.
   */
  get reach(): readonly (readonly number[])[] {
    const partitions = [...PARTITION_NAMES.keys()];
    return this.#lanes.length === 1 ? [partitions] : partitions.map((partition) => [partition]);
  }

  send(call: LedgerCall): void {
    this.#sendOn(this.#lanes, call);
  }

  #lanesTo(batch: LoadedFunction): BatchLane[] {
    const { redis, timeoutMs, clockOffsetMs } = this.#options;
    const onLine = this.#onLine;
    return Array.from({ length: isCluster(redis) ? PARTITION_COUNT : 1 }, (_v, partition) => {
      return new BatchLane({ redis, batch, timeoutMs, clockOffsetMs, onLine }, partition);
    });
  }

  #sendOn(lanes: readonly BatchLane[], call: LedgerCall): void {
    const lane = lanes.length === 1 ? lanes[0] : lanes[call.partition];
    lane?.add(call);
    this.#timer ??= setInterval(this.#checkSoon, this.#options.timeoutMs / TIMEOUT_CHECKS);
  }

  /** Sends a call that needs no loading and resolves with the reply; rejects when there is none. */
  ask(partition: number, head: string, first?: string): Promise<string> {
    return this.#askOn(this.#lanes, partition, head, first);
  }

  /** Like `ask`, for a call that only reads. It works even when Redis is out of memory. */
  read(partition: number, head: string): Promise<string> {
    return this.#askOn(this.#readingLanes, partition, head);
  }

  #askOn(
    lanes: readonly BatchLane[],
    partition: number,
    head: string,
    first?: string,
  ): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#sendOn(lanes, {
        partition,
        head,
        first,
        second: undefined,
        loads: '',
        sent: 0,
        answer: resolve,
        fail: ({ cause }) => {
          reject(new Error(cause));
        },
      });
    });
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /**
   * A thread that was blocked must read replies that have arrived meanwhile before it checks
   * timeouts; timers run before I/O.
   */
  readonly #checkSoon = (): void => void setImmediate(this.#checkTimeouts);

  readonly #checkTimeouts = (): void => {
    const nowMs = performance.now();
    let busy = false;
    for (const lane of [...this.#lanes, ...this.#readingLanes])
      busy = lane.checkTimeouts(nowMs) || busy;
    if (!busy) this.stop();
  };

  readonly #onLine = (call: LedgerCall, line: string, time: BatchTime): void => {
    if (line !== 'N') call.answer(line, time);
    else if (call.sent >= SENT_MAX) call.fail(unavailable('loading the account does not help'));
    else void this.#loadAndRepeat(call);
  };

  async #loadAndRepeat(call: LedgerCall): Promise<void> {
    const { loads } = call;
    const request: LoadRequest =
      typeof loads === 'string'
        ? { accountId: loads, keyIds: [], subscriptions: [], scopes: [] }
        : loadRequestOf(loads);
    const failure = await this.#load(request);
    if (failure === undefined) this.send(call);
    else call.fail(failure);
  }

  #load(request: LoadRequest): Promise<LedgerUnavailable | undefined> {
    const ids = [
      request.accountId,
      ...request.keyIds,
      ...request.subscriptions.map(({ id }) => id),
      ...request.scopes,
    ];
    const name = ids.join();
    let load = this.#loads.get(name);
    if (load === undefined) {
      load = this.#tryLoad(request)
        .catch((error: unknown) => unavailable(causeOf(error)))
        .finally(() => this.#loads.delete(name));
      this.#loads.set(name, load);
    }
    return load;
  }

  /** One attempt. If it fails, the repeated call triggers another. */
  async #tryLoad(request: LoadRequest): Promise<LedgerUnavailable | undefined> {
    const { pool, timeoutMs } = this.#options;
    const load = await readAccount(pool, request, timeoutMs);
    if (load === undefined) return unavailable(UNKNOWN_ACCOUNT);
    const line = await this.ask(load.partition, load.head, load.rows);
    switch (decodeLoad(line)) {
      // Both lead back to the call, whose reply shows whether everything is loaded now.
      case 'loaded':
      case 'stale':
        return undefined;
      case 'other_epoch':
        await this.#options.restoreEpoch(load.partition);
        return undefined;
      case 'broken':
        return unavailable(`the script answered "${line}"`);
    }
  }
}

/** The cause when the account is not in Postgres. */
export const UNKNOWN_ACCOUNT = 'the account does not exist';
