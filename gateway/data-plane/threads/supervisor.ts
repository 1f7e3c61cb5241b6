import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { steadyNowMs } from '../../platform/clock/steady-clock.ts';
import type { LearnedRefusal } from '../../catalog/learned-refusals.ts';
import type { CapturedContent } from '../../content-log/captured-content.ts';
import type { EntryBatch } from '../../request-history/request-history.ts';
import { addCounters } from './add-counters.ts';
import { ConfigError } from '../../platform/config/config.ts';
import type { FromHttpThread, HttpThreadStart, ThreadCounters, ToHttpThread } from './messages.ts';

export interface SupervisorOptions {
  readonly threads: number;
  /** Shared by all threads; not 0. */
  readonly port: number;
  /**
   * Everything a new thread needs but its index; asked for at each start, so that it is current.
   */
  readonly start: () => Omit<HttpThreadStart, 'index' | 'port'>;
  readonly logger: Logger;
  /** Threads die as fast as they are started: nothing can be served. */
  readonly onHopeless: () => void;
  /** Takes requests for the request history. */
  readonly onRequests?: (batch: EntryBatch) => void;
  /** Takes requests and replies for the content log. */
  readonly onContent?: (content: CapturedContent) => void;
  /** Keeps what a thread has learned for all threads and gateways. */
  readonly onLearned?: (refusal: LearnedRefusal) => void;
  /** An upstream has answered 401 to a minted secret. */
  readonly onSecretRefused?: (reference: string, secret: string) => void;
  /** The thread's program; tests give another one. */
  readonly program?: URL;
}

export interface ThreadStatus {
  readonly index: number;
  readonly state: 'starting' | 'serving' | 'draining' | 'restarting';
  readonly restarts: number;
  readonly startedAtMs: number;
}

export interface Drained {
  /** Requests that had not finished when the time was over. */
  readonly unfinished: number;
  /** Bills that the ledger did not take. */
  readonly givenUp: number;
  /** False when a thread did not end: the process must not use process.exit then. */
  readonly ended: boolean;
}

/**
 * The slot of one HTTP thread.
 *
 * States: starting -> serving -> draining -> (ended) -> restarting -> starting … A thread that
 * fails stays in draining until its requests are done, while the thread that takes its place
 * already serves.
 */
interface ThreadSlot {
  readonly index: number;
  worker: Worker | undefined;
  state: ThreadStatus['state'];
  restarts: number;
  startedAtMs: number;
  quickDeaths: number;
  timer: NodeJS.Timeout | undefined;
}

const HTTP_THREAD = new URL('./http-thread.ts', import.meta.url);

/** A thread that lived shorter than this did not work at all. */
const QUICK_DEATH_MS = 5_000;
const QUICK_DEATHS_MAX = 10;
const RESTART_DELAY_MS_MIN = 100;
const RESTART_DELAY_MS_MAX = 5_000;
const COUNT_TIMEOUT_MS = 1_000;
/** Longer than a thread takes to close its connections after its grace is over. */
const DRAIN_MARGIN_MS = 10_000;

/** Starts the HTTP threads, replaces those that fail, and drains them in the end. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #slots: ThreadSlot[];
  /**
   * Every thread that runs, also those that drain after a failure, and what each last said that it
   * has counted.
   */
  readonly #running = new Map<Worker, ThreadCounters | undefined>();
  /** Sent to a thread that starts: messages to all threads that are still valid. */
  #stores: ToHttpThread | undefined;
  /** The totals of threads that have ended: sums must not fall when a thread is replaced. */
  #ended: ThreadCounters | undefined;
  #stopping = false;
  #unfinished = 0;
  #givenUp = 0;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#slots = Array.from({ length: options.threads }, (_value, index) => ({
      index,
      worker: undefined,
      state: 'starting',
      restarts: 0,
      startedAtMs: 0,
      quickDeaths: 0,
      timer: undefined,
    }));
  }

  /** Starts every thread. Rejects when one cannot start. */
  async start(): Promise<void> {
    await Promise.all(this.#slots.map((slot) => this.#launch(slot)));
  }

  broadcast(message: ToHttpThread): void {
    if (message.kind === 'stores') this.#stores = message;
    for (const { worker } of this.#slots) worker?.postMessage(message);
  }

  /** To one thread only. */
  send(index: number, message: ToHttpThread): void {
    this.#slots[index]?.worker?.postMessage(message);
  }

  status(): ThreadStatus[] {
    return this.#slots.map(({ index, state, restarts, startedAtMs }) => ({
      index,
      state,
      restarts,
      startedAtMs,
    }));
  }

  /**
   * Counters of every thread, of one that does not answer in time its last ones, and the sum of
   * those that have ended.
   */
  async counters(): Promise<ThreadCounters[]> {
    await Promise.all([...this.#running.keys()].map(askCounters));
    return [...this.#running.values(), this.#ended].filter((counted) => counted !== undefined);
  }

  /**
   * Lets requests in flight finish within the time and ends every thread.
   *
   * @param delayMs the part of it in which new requests are still served, and load balancers are
   *   shown to send none
   */
  async drain(graceMs: number, delayMs = 0): Promise<Drained> {
    this.#stopping = true;
    for (const slot of this.#slots) {
      clearTimeout(slot.timer);
      slot.state = 'draining';
    }
    const ended = [...this.#running.keys()].map(
      (worker) => new Promise<void>((resolve) => worker.once('exit', () => resolve())),
    );
    this.broadcast({ kind: 'drain', graceMs, delayMs });
    const { promise: late, resolve: giveUp } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => giveUp(undefined), graceMs + DRAIN_MARGIN_MS);
    await Promise.race([Promise.all(ended), late]);
    clearTimeout(timer);
    return {
      unfinished: this.#unfinished,
      givenUp: this.#givenUp,
      ended: this.#running.size === 0,
    };
  }

  #launch(slot: ThreadSlot): Promise<void> {
    slot.state = 'starting';
    slot.startedAtMs = steadyNowMs();
    const workerData: HttpThreadStart = {
      ...this.#options.start(),
      index: slot.index,
      port: this.#options.port,
    };
    const worker = new Worker(this.#options.program ?? HTTP_THREAD, {
      workerData,
      name: `http ${slot.index}`,
    });
    slot.worker = worker;
    this.#running.set(worker, undefined);
    if (this.#stores !== undefined) worker.postMessage(this.#stores);
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromHttpThread) => {
        if (message.kind === 'ready') {
          if (!this.#stopping) slot.state = 'serving';
          resolve();
        } else if (message.kind === 'cannot_listen') reject(new ConfigError(message.message));
        else this.#receive(slot, worker, message);
      });
      worker.on('error', (error) => {
        this.#options.logger.error({ err: error, thread: slot.index }, 'an HTTP thread failed');
        reject(error);
      });
      worker.on('exit', (code) => {
        reject(new Error(`HTTP thread ${slot.index} ended with code ${code} before it was ready`));
        this.#exited(slot, worker, code);
      });
    });
  }

  #receive(slot: ThreadSlot, worker: Worker, message: FromHttpThread): void {
    if (message.kind === 'failing') {
      const { message: text, stack } = message;
      this.#options.logger.error({ thread: slot.index, stack }, `an HTTP thread fails: ${text}`);
      // The new one starts at once: the failing one no longer accepts.
      if (slot.worker === worker) this.#replace(slot);
    } else if (message.kind === 'counters') {
      this.#running.set(worker, message.counters);
    } else if (message.kind === 'drained') {
      this.#left(slot, message);
      this.#hasEnded(worker, message.counters);
    } else if (message.kind === 'requests') {
      this.#options.onRequests?.(message.batch);
    } else if (message.kind === 'content') {
      this.#options.onContent?.(message.content);
    } else if (message.kind === 'learned') {
      this.#options.onLearned?.(message.refusal);
    } else if (message.kind === 'secret_refused') {
      this.#options.onSecretRefused?.(message.reference, message.secret);
    }
  }

  /**
   * Counts the unfinished requests of a drained thread for the exit code. Those of a thread that
   * failed earlier are logged: no one looks for them in the exit code.
   */
  #left({ index }: ThreadSlot, { unfinished, givenUp }: Omit<Drained, 'ended'>): void {
    if (this.#stopping) {
      this.#unfinished += unfinished;
      this.#givenUp += givenUp;
    } else if (unfinished > 0 || givenUp > 0) {
      this.#options.logger.error(
        { thread: index, unfinished, givenUp },
        'the HTTP thread that failed left something unfinished',
      );
    }
  }

  #hasEnded(worker: Worker, counters: ThreadCounters | undefined): void {
    this.#running.set(worker, undefined);
    if (counters !== undefined) this.#ended = addCounters(this.#ended, counters);
  }

  #exited(slot: ThreadSlot, worker: Worker, code: number): void {
    // A thread that died without a last report has counted at least what it said last.
    this.#hasEnded(worker, this.#running.get(worker));
    this.#running.delete(worker);
    if (this.#stopping || slot.worker !== worker) return;
    this.#options.logger.error({ thread: slot.index, code }, 'an HTTP thread ended');
    this.#replace(slot);
  }

  #replace(slot: ThreadSlot): void {
    slot.worker = undefined;
    if (this.#stopping) return;
    slot.state = 'restarting';
    slot.restarts += 1;
    const quick = steadyNowMs() - slot.startedAtMs < QUICK_DEATH_MS;
    slot.quickDeaths = quick ? slot.quickDeaths + 1 : 0;
    if (this.#slots.every(({ quickDeaths }) => quickDeaths >= QUICK_DEATHS_MAX)) {
      this.#options.logger.fatal(
        `every HTTP thread died ${QUICK_DEATHS_MAX} times within ${QUICK_DEATH_MS / 1000} s of its start; giving up. The lines above say why`,
      );
      this.#options.onHopeless();
      return;
    }
    // The first replacement comes at once; only a thread that dies again and again waits.
    const delayMs =
      slot.quickDeaths <= 1
        ? 0
        : Math.min(RESTART_DELAY_MS_MAX, RESTART_DELAY_MS_MIN * 2 ** (slot.quickDeaths - 2));
    slot.timer = setTimeout(() => {
      this.#launch(slot).catch((error: unknown) => {
        this.#options.logger.error({ err: error, thread: slot.index }, 'a replacement failed');
      });
    }, delayMs);
  }
}

/**
 * Resolves when the thread has answered, whose answer is received like every message, or did not in
 * time.
 */
function askCounters(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      worker.off('message', listen);
      resolve();
    };
    const listen = (message: FromHttpThread): void => {
      if (message.kind === 'counters') finish();
    };
    const timer = setTimeout(finish, COUNT_TIMEOUT_MS);
    worker.on('message', listen);
    worker.postMessage({ kind: 'count' } satisfies ToHttpThread);
  });
}
