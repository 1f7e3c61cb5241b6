import {
  SwapRemoveList,
  type SwapRemoveMember,
} from '../../../platform/event-loop/swap-remove-list.ts';
import { causeOf } from '../../../platform/errors/cause-of.ts';
import type { RedisClient } from '../../../stores/redis/connect.ts';
import { type BatchTime, type LedgerCall, unavailable } from './call.ts';
import { callFunction, type LoadedFunction } from './load-function.ts';
import { AnswerLost, routeKeys } from './run-script.ts';

/** Keeps a script within about a millisecond of the store's time. */
const CALLS_PER_BATCH_MAX = 128;
/**
 * While so many batches are in flight, calls wait: under load batches grow instead of multiplying.
 */
const BATCHES_IN_FLIGHT_MAX = 2;
/** With more calls waiting the store does not keep up; further ones are refused at once. */
const CALLS_WAITING_MAX = 20_000;

export interface LaneOptions {
  readonly redis: RedisClient;
  readonly batch: LoadedFunction;
  /** A call without a reply after this long is refused. The reply may still arrive. */
  readonly timeoutMs: number;
  readonly clockOffsetMs: () => number;
  /** Receives every reply; the lane knows nothing about commands. */
  readonly onLine: (call: LedgerCall, line: string, time: BatchTime) => void;
}

interface Batch extends SwapRemoveMember {
  readonly calls: readonly LedgerCall[];
  readonly sentAtMs: number;
}

/**
 * Collects the calls of one event-loop tick into one script call. One lane for a single Redis, one
 * per partition on a cluster, where a script may access one slot only.
 */
export class BatchLane {
  readonly #options: LaneOptions;
  readonly #keys: readonly string[];
  readonly #inFlight = new SwapRemoveList<Batch>();
  #waiting: LedgerCall[] = [];
  #scheduled = false;

  constructor(options: LaneOptions, partition: number) {
    this.#options = options;
    this.#keys = routeKeys(options.redis, partition);
  }

  add(call: LedgerCall): void {
    if (this.#waiting.length >= CALLS_WAITING_MAX) {
      call.fail(unavailable('too many calls are waiting'));
      return;
    }
    this.#waiting.push(call);
    this.#schedule();
  }

  /**
   * Fails the calls of batches without a reply. Runs a few times per timeout; returns whether any
   * batch is in flight.
   */
  checkTimeouts(nowMs: number): boolean {
    this.#inFlight.forEach((batch) => {
      if (nowMs - batch.sentAtMs < this.#options.timeoutMs) return;
      this.#finish(batch);
      for (const call of batch.calls) call.fail(unavailable('no answer in time'));
    });
    return this.#inFlight.size > 0;
  }

  #schedule(): void {
    if (this.#scheduled || this.#inFlight.size >= BATCHES_IN_FLIGHT_MAX) return;
    this.#scheduled = true;
    setImmediate(this.#flush);
  }

  readonly #flush = (): void => {
    this.#scheduled = false;
    const calls =
      this.#waiting.length <= CALLS_PER_BATCH_MAX
        ? this.#waiting
        : this.#waiting.slice(0, CALLS_PER_BATCH_MAX);
    this.#waiting = calls === this.#waiting ? [] : this.#waiting.slice(CALLS_PER_BATCH_MAX);
    if (calls.length > 0) void this.#send({ place: -1, calls, sentAtMs: performance.now() });
    if (this.#waiting.length > 0) this.#schedule();
  };

  async #send(batch: Batch): Promise<void> {
    const args = [String(this.#options.clockOffsetMs())];
    for (const call of batch.calls) {
      call.sent += 1;
      args.push(call.head);
      if (call.first !== undefined) args.push(call.first);
      if (call.second !== undefined) args.push(call.second);
    }
    this.#inFlight.add(batch);
    let reply: string;
    try {
      const { redis, batch: run } = this.#options;
      const answer = await callFunction(redis, run, this.#keys, args);
      if (typeof answer !== 'string') throw new Error('the script answered no string');
      reply = answer;
    } catch (error) {
      if (this.#finish(batch)) {
        const outcome = unavailable(causeOf(error));
        for (const call of batch.calls) call.fail(outcome);
      }
      if (error instanceof AnswerLost) for (const call of batch.calls) call.late?.(undefined);
      return;
    }
    if (this.#finish(batch)) this.#answer(batch, reply);
    else this.#answerLate(batch, reply);
  }

  /** Returns false when the batch had been given up already. */
  #finish(batch: Batch): boolean {
    const inFlight = this.#inFlight.remove(batch);
    if (inFlight && this.#waiting.length > 0) this.#schedule();
    return inFlight;
  }

  #answerLate(batch: Batch, reply: string): void {
    const lines = reply.split('\n');
    for (const [index, call] of batch.calls.entries()) call.late?.(lines[index + 1] ?? '');
  }

  #answer(batch: Batch, reply: string): void {
    const lines = reply.split('\n');
    const header = lines[0] ?? '';
    const comma = header.indexOf(',');
    const time = {
      nowMs: Number(header.slice(0, comma)),
      streamMs: Number(header.slice(comma + 1)),
    };
    for (const [index, call] of batch.calls.entries()) {
      this.#options.onLine(call, lines[index + 1] ?? 'Eno line', time);
    }
  }
}
