import type pg from 'pg';
import { causeOf } from '../../platform/errors/cause-of.ts';
import type { RedisClient } from '../../stores/redis/connect.ts';
import { assertExtend, assertHold, assertSettle } from '../amounts.ts';
import type {
  AccountState,
  CreditEntry,
  CreditOutcome,
  ExtendOutcome,
  ExtendRequest,
  HoldOutcome,
  HoldRequest,
  Ledger,
  LedgerUnavailable,
  Payer,
  ReleaseOutcome,
  ReleaseRequest,
  SettleOutcome,
  SettleRequest,
} from '../ledger.ts';
import { type LedgerLog, SILENT_LOG } from '../ledger-log.ts';
import { PARTITION_COUNT } from '../partition.ts';
import { finalRefusal, movedClockMs, refusalByStatus, USAGE_BACKLOG } from '../status.ts';
import { OrphanedHoldReleaser } from '../orphaned-hold-releaser.ts';
import { type BatchTime, type LedgerCall, unavailable } from './transport/call.ts';
import * as decode from './commands/decode.ts';
import * as encode from './commands/encode.ts';
import { encodeAccount, encodePayer, encodeRecovered } from './commands/encode-payer.ts';
import { probeRedis } from './probe-redis.ts';
import { startNewEpochs } from './recovery/stale-redis.ts';
import { recoverSettles } from './recovery/recover-settles.ts';
import { restoreEpochs } from './recovery/restore-epochs.ts';
import { Retention } from './recovery/retention.ts';
import { HOT_MS } from './transport/batch-function.ts';
import { ScriptCaller, UNKNOWN_ACCOUNT } from './transport/script-caller.ts';
import { StoreWatch } from './recovery/store-watch.ts';

const TIMEOUT_MS = 1_000;
/**
 * Partitions swept per round trip, a divisor of their number. All 64 at once would block Redis for
 * three milliseconds; one at a time woke an idle gateway 64 times a second, most of its CPU time.
 */
const SWEPT_TOGETHER = 8;
/** About a kilobyte each in Redis. */
const USAGE_BACKLOG_MAX = 500_000;
/**
 * They travel in one batch (batch-lane.ts). A few at a time would not keep up with a slow Redis,
 * because each waits as long for its reply as the hold did.
 */
const RELEASES_AT_ONCE_MAX = 128;

export interface RedisLedgerOptions {
  readonly redis: RedisClient;
  readonly pool: pg.Pool;
  /** Time for which a closed request is remembered, so that a repetition is recognised. */
  readonly closedMemoryMs: number;
  readonly logger?: LedgerLog;
  /** Time limit for the store's reply to a call. */
  readonly timeoutMs?: number;
  /** Usage records that may wait for Postgres before holds are refused. */
  readonly usageBacklogMax?: number;
  readonly hotMs?: number;
  /**
   * For tests of windows and rates: moves the store's clock by this much; from 1e12 on it is the
   * time itself.
   */
  readonly clockOffsetMs?: () => number;
}

/**
 * The ledger in Redis (lua/batch.lua documents the keys). One per thread, each with its own
 * connection.
 */
export class RedisLedger implements Ledger {
  readonly #options: RedisLedgerOptions;
  readonly #log: LedgerLog;
  readonly #caller: ScriptCaller;
  readonly #watch: StoreWatch;
  readonly #retention = new Retention();
  readonly #orphanedHolds = new OrphanedHoldReleaser(
    (request) => this.release(request),
    RELEASES_AT_ONCE_MAX,
  );
  /**
   * Last known epoch of each partition. A settle names it, so that it is not applied in another.
   */
  readonly #epochs: number[] = Array.from({ length: PARTITION_COUNT }, () => 0);
  /**
   * Settles with an unknown outcome: the epoch in which they may have been applied and, if known,
   * the subscriptions that have paid.
   */
  readonly #uncertain = new WeakMap<SettleRequest, { epoch: number; subscriptions: string }>();
  readonly #clockOffsetMs: () => number;
  #sweepFrom = 0;

  constructor(options: RedisLedgerOptions) {
    this.#options = options;
    this.#log = options.logger ?? SILENT_LOG;
    this.#clockOffsetMs = options.clockOffsetMs ?? (() => 0);
    this.#caller = new ScriptCaller({
      redis: options.redis,
      pool: options.pool,
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
      hotMs: options.hotMs ?? HOT_MS,
      closedMemoryMs: options.closedMemoryMs,
      clockOffsetMs: this.#clockOffsetMs,
      restoreEpoch: (partition) => this.#restoreEpochs([partition]),
    });
    this.#watch = new StoreWatch({
      redis: options.redis,
      pool: options.pool,
      caller: this.#caller,
      retention: this.#retention,
      log: this.#log,
      usageBacklogMax: options.usageBacklogMax ?? USAGE_BACKLOG_MAX,
      onEpoch: (partition, epoch) => {
        this.#epochs[partition] = epoch;
      },
      restoreEpochs: (partitions) => this.#restoreEpochs(partitions),
      startNewEpochs: () =>
        startNewEpochs({ redis: options.redis, pool: options.pool, log: this.#log }),
      settleAgain: (settle) => {
        const { epoch, subscriptions } = settle;
        this.#uncertain.set(settle.request, { epoch, subscriptions });
        return this.settle(settle.request);
      },
    });
  }

  hold(request: HoldRequest): Promise<HoldOutcome> {
    assertHold(request);
    const { payer } = request;
    const refused = refusalByStatus(payer, movedClockMs(this.#clockOffsetMs()));
    if (refused !== undefined) return Promise.resolve(finalRefusal(refused));
    if (this.#watch.backlogExceeded) return Promise.resolve(unavailable(USAGE_BACKLOG));
    const { partition, text } = encodePayer(payer);
    return new Promise((resolve) => {
      this.#caller.send({
        partition,
        head: encode.encodeHold(request),
        first: text,
        second: undefined,
        loads: payer,
        sent: 0,
        answer: (line) => {
          resolve(decode.decodeHold(line, request));
        },
        fail: resolve,
        // The caller was answered that there is no hold. "e" is the reply when a cluster client has
        // sent it twice.
        late: (line) => {
          if (line === undefined || /^[he]/.test(line)) this.#orphanedHolds.release(request);
        },
      });
    });
  }

  extend(request: ExtendRequest): Promise<ExtendOutcome> {
    assertExtend(request);
    const { partition, text } = encodePayer(request.payer);
    const head = encode.encodeExtend(request);
    return this.#send({ partition, head, first: text, loads: request.payer }, decode.decodeExtend);
  }

  settle(request: SettleRequest): Promise<SettleOutcome> {
    assertSettle(request);
    return new Promise((resolve) => {
      this.#sendSettle(request, resolve);
    });
  }

  release(request: ReleaseRequest): Promise<ReleaseOutcome> {
    const { partition, text } = encodeAccount(request.accountId);
    const head = encode.encodeRelease(request);
    return this.#send(
      { partition, head, first: text, loads: request.accountId },
      decode.decodeRelease,
    );
  }

  /**
   * Visits all partitions, starting where the last call stopped, until about `limit` requests were
   * looked at.
   */
  async expire(limit: number): Promise<number> {
    let closed = 0;
    let left = limit;
    for (let done = 0; done < PARTITION_COUNT && left > 0;) {
      const swept = await this.#sweepSome(Math.ceil(left / SWEPT_TOGETHER));
      for (const one of swept) {
        closed += one.closed;
        left -= one.looked;
      }
      if (swept.some(({ more }) => more)) continue;
      done += SWEPT_TOGETHER;
      this.#sweepFrom = (this.#sweepFrom + SWEPT_TOGETHER) % PARTITION_COUNT;
    }
    return closed;
  }

  #sweepSome(limit: number): Promise<decode.SweptPartition[]> {
    return Promise.all(
      Array.from({ length: SWEPT_TOGETHER }, async (_, index) => {
        const partition = this.#sweepFrom + index;
        const head = encode.encodeExpire(partition, limit);
        return decode.decodeExpire(await this.#caller.ask(partition, head));
      }),
    );
  }

  credit(entry: CreditEntry): Promise<CreditOutcome> {
    const { partition, text } = encodeAccount(entry.accountId);
    const head = encode.encodeCredit(entry);
    const first = `${text}${encodeRecovered(entry.usage)}`;
    return this.#send({ partition, head, first, loads: entry.accountId }, decode.decodeCredit);
  }

  async accountState(accountId: string): Promise<AccountState | undefined> {
    const { partition, text } = encodeAccount(accountId);
    const state = await this.#send(
      { partition, head: encode.encodeAccountState(), first: text, loads: accountId },
      (line) => decode.decodeAccountState(line, accountId),
    );
    if (!('cause' in state)) return state;
    if (state.cause === UNKNOWN_ACCOUNT) return undefined;
    throw new Error(state.cause);
  }

  async probe(): Promise<void> {
    if (this.#watch.backlogExceeded) throw new Error(USAGE_BACKLOG);
    await probeRedis({
      caller: this.#caller,
      restoreEpoch: (partition) => this.#restoreEpochs([partition]),
      nowMs: () => movedClockMs(this.#clockOffsetMs()),
    });
  }

  /** Stops the watch, the timers and pending releases. The caller owns the connections. */
  close(): Promise<void> {
    this.#orphanedHolds.stop();
    this.#watch.stop();
    this.#caller.stop();
    return Promise.resolve();
  }

  /**
   * Settles kept until they are known to be in Postgres, and how many were dropped because of the
   * limit.
   */
  get retained(): { readonly count: number; readonly dropped: number } {
    const { count, dropped } = this.#retention;
    return { count: count + this.#watch.unsettled, dropped };
  }

  /** Usage records that wait for Postgres, at most a second old. */
  get usageBacklog(): number {
    return this.#watch.backlog;
  }

  #send<Outcome>(
    what: Pick<LedgerCall, 'partition' | 'head' | 'first' | 'loads'>,
    read: (line: string) => Outcome,
  ): Promise<Outcome | LedgerUnavailable> {
    return new Promise((resolve) => {
      this.#caller.send({
        ...what,
        second: undefined,
        sent: 0,
        answer: (line) => {
          resolve(read(line));
        },
        fail: resolve,
      });
    });
  }

  #sendSettle(request: SettleRequest, resolve: (outcome: SettleOutcome) => void): void {
    const { partition, text } = encodePayer(request.payer);
    const uncertain = this.#uncertain.get(request);
    const epoch = uncertain?.epoch ?? this.#epochs[partition] ?? 0;
    this.#caller.send({
      partition,
      head: encode.encodeSettle(request, epoch),
      first: text,
      second: request.recordJson,
      loads: request.payer,
      sent: 0,
      answer: (line, time) => {
        const found = decode.decodeOtherEpoch(line);
        if (found !== undefined) {
          this.#epochs[partition] = found;
          if (uncertain === undefined) this.#sendSettle(request, resolve);
          else void this.#recover(request, { partition, epoch, time }).then(resolve);
        } else {
          resolve(this.#settled(request, line, partition, time));
        }
      },
      fail: (outcome) => {
        // No store is in epoch 0: a settle that named it was not applied.
        if (epoch > 0) {
          this.#uncertain.set(request, { epoch, subscriptions: uncertain?.subscriptions ?? '' });
        }
        resolve(outcome);
      },
    });
  }

  #settled(
    request: SettleRequest,
    line: string,
    partition: number,
    time: BatchTime,
  ): SettleOutcome {
    const { outcome, epoch, subscriptions: reported } = decode.decodeSettle(line, request);
    const known = this.#uncertain.get(request)?.subscriptions ?? '';
    this.#uncertain.delete(request);
    if ('balanceNanoUsd' in outcome) {
      // For a closed request the store remembers how much subscriptions have paid, not which: a
      // repeated settle names none.
      const unnamed = reported === '' && outcome.subscriptionNanoUsd > 0;
      const subscriptions = unnamed
        ? known || firstSubscription(request.payer, outcome.subscriptionNanoUsd)
        : reported;
      this.#retention.keep({
        request,
        partition,
        epoch,
        // A repetition was appended earlier than now.
        streamMs: outcome.code === 'exists' ? time.nowMs : time.streamMs,
        settledAtMs: time.nowMs,
        balanceNanoUsd: outcome.balanceNanoUsd,
        uncollectedNanoUsd: outcome.uncollectedNanoUsd,
        subscriptions,
      });
    }
    return outcome;
  }

  /**
   * The store that may have applied this settle is lost. Postgres decides: it inserts a record
   * once.
   */
  async #recover(
    request: SettleRequest,
    { partition, epoch, time }: { partition: number; epoch: number; time: BatchTime },
  ): Promise<SettleOutcome> {
    const { payer, actualNanoUsd } = request;
    const [subscription] =
      payer.account.preference === 'subscription_first' ? payer.subscriptions : [];
    const onBalance = subscription === undefined ? actualNanoUsd : 0;
    try {
      await recoverSettles(this.#options.pool, [
        {
          request,
          partition,
          epoch,
          streamMs: time.nowMs,
          settledAtMs: time.nowMs,
          balanceNanoUsd: onBalance,
          uncollectedNanoUsd: 0,
          subscriptions: firstSubscription(payer, actualNanoUsd - onBalance),
        },
      ]);
    } catch (error) {
      return unavailable(causeOf(error));
    }
    this.#uncertain.delete(request);
    return {
      code: 'settled_late',
      balanceNanoUsd: onBalance,
      subscriptionNanoUsd: actualNanoUsd - onBalance,
      uncollectedNanoUsd: 0,
    };
  }

  async #restoreEpochs(partitions: readonly number[]): Promise<void> {
    const { redis, pool } = this.#options;
    await restoreEpochs({ redis, pool, log: this.#log }, partitions);
  }
}

/**
 * Attributes the amount to the payer's first subscription, when it is only known that one has paid.
 * Same format as in the usage stream.
 */
function firstSubscription({ subscriptions: [first] }: Payer, amountNanoUsd: number): string {
  if (first === undefined || amountNanoUsd === 0) return '';
  return `;${first.id},${first.startedAtMs},${amountNanoUsd}`;
}
