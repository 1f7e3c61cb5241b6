import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { steadyNowMs } from '../../platform/clock/steady-clock.ts';
import type { EntryBatch } from '../../request-history/request-history.ts';
import { addCounters } from './add-counters.ts';
import { ConfigError } from '../../platform/config/config.ts';
import type { FromHttpThread, HttpThreadStart, ThreadCounters, ToHttpThread } from './messages.ts';

export interface SupervisorOptions {
  readonly threads: number;
  /** Shared by all threads; not 0. */
  readonly port: number;
  /**
   * Everything a new thread needs but its place; asked for at each start, so that it is current.
   */
  readonly start: () => Omit<HttpThreadStart, 'index' | 'port'>;
  readonly logger: Logger;
  /** Threads die as fast as they are started: nothing can be served. */
  readonly onHopeless: () => void;
  /** Takes requests for the request history. */
  readonly onRequests?: (batch: EntryBatch) => void;
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
 * One place for an HTTP thread.
 *
 * States: starting -> serving -> draining -> (ended) -> restarting -> starting … A thread that
 * fails stays in draining until its requests are done, while the thread that takes its place
 * already serves.
 */
interface Place {
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
  readonly #places: Place[];
  /**
   * Every thread that runs, also those that drain after a failure, and what each last said that it
   * has counted.
   */
  readonly #running = new Map<Worker, ThreadCounters | undefined>();
  /** Told to a thread that starts: messages to all that still hold. */
  #stores: ToHttpThread | undefined;
  /** What threads that have ended counted: sums must not fall when a thread is replaced. */
  #ended: ThreadCounters | undefined;
  #stopping = false;
  #unfinished = 0;
  #givenUp = 0;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#places = Array.from({ length: options.threads }, (_value, index) => ({
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
    await Promise.all(this.#places.map((place) => this.#launch(place)));
  }

  broadcast(message: ToHttpThread): void {
    if (message.kind === 'stores') this.#stores = message;
    for (const { worker } of this.#places) worker?.postMessage(message);
  }

  /** To one thread only. */
  send(index: number, message: ToHttpThread): void {
    this.#places[index]?.worker?.postMessage(message);
  }

  status(): ThreadStatus[] {
    return this.#places.map(({ index, state, restarts, startedAtMs }) => ({
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
   * @param delayMs the part of it in which new requests are still served, and load balancers told
   *   to send none
   */
  async drain(graceMs: number, delayMs = 0): Promise<Drained> {
    this.#stopping = true;
    for (const place of this.#places) {
      clearTimeout(place.timer);
      place.state = 'draining';
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

  #launch(place: Place): Promise<void> {
    place.state = 'starting';
    place.startedAtMs = steadyNowMs();
    const workerData: HttpThreadStart = {
      ...this.#options.start(),
      index: place.index,
      port: this.#options.port,
    };
    const worker = new Worker(this.#options.program ?? HTTP_THREAD, {
      workerData,
      name: `http ${place.index}`,
    });
    place.worker = worker;
    this.#running.set(worker, undefined);
    if (this.#stores !== undefined) worker.postMessage(this.#stores);
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromHttpThread) => {
        if (message.kind === 'ready') {
          if (!this.#stopping) place.state = 'serving';
          resolve();
        } else if (message.kind === 'cannot_listen') reject(new ConfigError(message.message));
        else this.#receive(place, worker, message);
      });
      worker.on('error', (error) => {
        this.#options.logger.error({ err: error, thread: place.index }, 'an HTTP thread failed');
        reject(error);
      });
      worker.on('exit', (code) => {
        reject(new Error(`HTTP thread ${place.index} ended with code ${code} before it was ready`));
        this.#exited(place, worker, code);
      });
    });
  }

  #receive(place: Place, worker: Worker, message: FromHttpThread): void {
    if (message.kind === 'failing') {
      const { message: text, stack } = message;
      this.#options.logger.error({ thread: place.index, stack }, `an HTTP thread fails: ${text}`);
      // The new one starts at once: the failing one no longer accepts.
      if (place.worker === worker) this.#replace(place);
    } else if (message.kind === 'counters') {
      this.#running.set(worker, message.counters);
    } else if (message.kind === 'drained') {
      this.#left(place, message);
      this.#hasEnded(worker, message.counters);
    } else if (message.kind === 'requests') {
      this.#options.onRequests?.(message.batch);
    } else if (message.kind === 'secret_refused') {
      this.#options.onSecretRefused?.(message.reference, message.secret);
    }
  }

  /**
   * What a thread that drained could not finish. Of one that failed long before the end the exit
   * code would tell what nobody looks for then.
   */
  #left({ index }: Place, { unfinished, givenUp }: Omit<Drained, 'ended'>): void {
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

  #exited(place: Place, worker: Worker, code: number): void {
    // A thread that died without a word has counted at least what it said last.
    this.#hasEnded(worker, this.#running.get(worker));
    this.#running.delete(worker);
    if (this.#stopping || place.worker !== worker) return;
    this.#options.logger.error({ thread: place.index, code }, 'an HTTP thread ended');
    this.#replace(place);
  }

  #replace(place: Place): void {
    place.worker = undefined;
    if (this.#stopping) return;
    place.state = 'restarting';
    place.restarts += 1;
    const quick = steadyNowMs() - place.startedAtMs < QUICK_DEATH_MS;
    place.quickDeaths = quick ? place.quickDeaths + 1 : 0;
    if (this.#places.every(({ quickDeaths }) => quickDeaths >= QUICK_DEATHS_MAX)) {
      this.#options.logger.fatal(
        `every HTTP thread died ${QUICK_DEATHS_MAX} times within ${QUICK_DEATH_MS / 1000} s of its start; giving up. The lines above say why`,
      );
      this.#options.onHopeless();
      return;
    }
    // The first replacement comes at once; only a thread that dies again and again waits.
    const delayMs =
      place.quickDeaths <= 1
        ? 0
        : Math.min(RESTART_DELAY_MS_MAX, RESTART_DELAY_MS_MIN * 2 ** (place.quickDeaths - 2));
    place.timer = setTimeout(() => {
      this.#launch(place).catch((error: unknown) => {
        this.#options.logger.error({ err: error, thread: place.index }, 'a replacement failed');
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
