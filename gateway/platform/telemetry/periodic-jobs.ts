import { databaseNowMs } from '../clock/store-clock.ts';
import { steadyNowMs } from '../clock/steady-clock.ts';
import { causeOf } from '../errors/cause-of.ts';

/** The log of the jobs; a pino logger fits. */
export interface JobLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface PeriodicJob {
  readonly name: string;
  readonly everyMs: number;
  /** Returns false when another process is doing it: that is no success of this one. */
  readonly run: () => Promise<boolean>;
}

export interface JobStatus {
  readonly name: string;
  /** Null before the first success of this process. */
  readonly lastSuccessAtMs: number | null;
  /** No success for several of its periods. */
  readonly isLate: boolean;
  /** The reason why the latest run failed; null when it succeeded. */
  readonly lastFailure: string | null;
}

/**
 * Periods without a success after which a job is late. A run may be long, or another process may do
 * it.
 */
const LATE_PERIODS = 5;

interface Entry {
  readonly job: PeriodicJob;
  readonly timer: NodeJS.Timeout;
  /** Time of the last success, or of the start before there is one. */
  doneAtMs: number;
  lastSuccessAtMs: number | null;
  lastFailure: string | null;
  isReported: boolean;
  run: Promise<void> | null;
}

/**
 * Runs jobs at fixed intervals and records when each of them last succeeded. A job that stops
 * succeeding, because it fails or never gets its lock, is reported once: otherwise nothing would
 * show that subscriptions are no longer renewed.
 */
export class PeriodicJobs {
  readonly #logger: JobLog;
  /** For what has passed, which must not jump, and for what is shown. */
  readonly #elapsedMs: () => number;
  readonly #timeMs: () => number;
  readonly #entries: Entry[] = [];

  /** @param now tests' clock for both, milliseconds */
  constructor(logger: JobLog, now?: () => number) {
    this.#logger = logger;
    this.#elapsedMs = now ?? steadyNowMs;
    this.#timeMs = now ?? databaseNowMs;
  }

  /** The first run is after the first interval. A run that is not over skips the next one. */
  start(job: PeriodicJob): void {
    const entry: Entry = {
      job,
      timer: setInterval(() => this.#tick(entry), job.everyMs),
      doneAtMs: this.#elapsedMs(),
      lastSuccessAtMs: null,
      lastFailure: null,
      isReported: false,
      run: null,
    };
    entry.timer.unref();
    this.#entries.push(entry);
  }

  status(): JobStatus[] {
    return this.#entries.map((entry) => ({
      name: entry.job.name,
      lastSuccessAtMs: entry.lastSuccessAtMs,
      isLate: this.#isLate(entry),
      lastFailure: entry.lastFailure,
    }));
  }

  /** Begins no further run and waits for those that have begun. */
  async stop(): Promise<void> {
    for (const { timer } of this.#entries) clearInterval(timer);
    for (const { run } of this.#entries) await run;
  }

  #tick(entry: Entry): void {
    this.#reportLate(entry);
    entry.run ??= this.#run(entry).finally(() => {
      entry.run = null;
    });
  }

  async #run(entry: Entry): Promise<void> {
    const { name, run } = entry.job;
    try {
      if (!(await run())) return;
      if (entry.isReported) this.#logger.info({ job: name }, 'the periodic job succeeds again');
      entry.isReported = false;
      entry.doneAtMs = this.#elapsedMs();
      entry.lastSuccessAtMs = this.#timeMs();
      entry.lastFailure = null;
    } catch (error) {
      entry.lastFailure = causeOf(error);
      this.#logger.error({ err: error, job: name }, 'a periodic job failed');
    }
  }

  #isLate({ job, doneAtMs }: Entry): boolean {
    return this.#elapsedMs() - doneAtMs > LATE_PERIODS * job.everyMs;
  }

  #reportLate(entry: Entry): void {
    if (entry.isReported || !this.#isLate(entry)) return;
    entry.isReported = true;
    const { lastSuccessAtMs, lastFailure, run } = entry;
    this.#logger.warn(
      {
        job: entry.job.name,
        lastSuccessAt: lastSuccessAtMs === null ? null : new Date(lastSuccessAtMs).toISOString(),
        lastFailure,
        isRunning: run !== null,
      },
      'a periodic job has not succeeded for a while: it fails, hangs, or another process holds its lock',
    );
  }
}
