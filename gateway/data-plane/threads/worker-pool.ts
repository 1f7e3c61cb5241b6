import { Piscina } from 'piscina';
import type { KeyRow } from '../authentication/key-row.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { BoundedQueue } from './bounded-queue.ts';
import type { LedgerLog } from '../../ledger/ledger-log.ts';
import type { AudioDuration } from '../../platform/audio/audio-duration.ts';
import type { LoginTask, OAuthReply } from '../device-login/login-task.ts';
import type { KeySpend, ManagedSettings } from '../../protocols/tool-replies.ts';
import type {
  KeyLookup,
  LoginResult,
  PromptTask,
  SoundTask,
  ToolLookup,
  WorkerStart,
} from './worker-tasks.ts';

export interface WorkerPoolOptions {
  readonly start: WorkerStart;
  readonly threads: number;
  /** Tasks of each kind that may wait; beyond it callers are refused at once. */
  readonly queueMax: number;
  readonly log: LedgerLog;
}

/**
 * Key lookups wait on Postgres most of their time: a worker takes several at once. Of counts, which
 * do not wait, there are never more than workers, so that places for lookups are always left.
 */
const TASKS_PER_WORKER = 8;
/** A client waits for a count, either for the first byte of its reply or for the last. */
const COUNT_MS_MAX = 10_000;
const RETRY_AFTER_MS = 1_000;
/**
 * Without `require` for ES modules Piscina loads the tasks by `import`. Node.js 22 aborts the whole
 * process when a thread is terminated while it links a module that it requires: a gateway that was
 * stopped in its first second, while its workers were loading, lost its end in order.
 */
const WORKER_FLAGS = ['--no-experimental-require-module', '--disable-warning=ExperimentalWarning'];
/**
 * Tasks of logins at once, for each worker, and waiting in all: anyone may ask for a login, and
 * keys must be verified meanwhile.
 */
const LOGINS_PER_WORKER = 2;
const LOGINS_WAITING_MAX = 64;
const LOGIN_MS_MAX = 10_000;
const NOT_READ = 'The database does not answer right now. Try again shortly.';
const NOT_VERIFIED = 'API keys cannot be verified right now. Try again shortly.';

/**
 * The piscina pool of one HTTP thread: everything slow or unbounded happens there, never on the
 * event loop.
 */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #piscina: Piscina;
  readonly #counts: BoundedQueue;
  readonly #logins: BoundedQueue;
  #postgresAway = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#piscina = new Piscina({
      filename: new URL('./worker-tasks.ts', import.meta.url).href,
      workerData: options.start,
      minThreads: options.threads,
      maxThreads: options.threads,
      maxQueue: options.queueMax,
      concurrentTasksPerWorker: TASKS_PER_WORKER,
      // A worker that blocks while idle could not notice that Postgres closed its connection.
      atomics: 'disabled',
      recordTiming: false,
      execArgv: WORKER_FLAGS,
    });
    // A worker that fails between two tasks is replaced. Without a listener its failure would end
    // this HTTP thread.
    this.#piscina.on('error', (error: unknown) => {
      options.log.error({ err: error }, 'a worker thread failed while it had nothing to do');
    });
    this.#counts = new BoundedQueue({
      atOnce: options.threads,
      waitingMax: options.queueMax,
      deadlineMs: COUNT_MS_MAX,
    });
    this.#logins = new BoundedQueue({
      atOnce: options.threads * LOGINS_PER_WORKER,
      waitingMax: LOGINS_WAITING_MAX,
      deadlineMs: LOGIN_MS_MAX,
    });
  }

  /**
   * A row, null when the key is unknown, or a refusal when the pool is full or Postgres does not
   * answer.
   */
  async verifyKey(key: string): Promise<KeyRow | Refusal | null> {
    try {
      const found = (await this.#piscina.run(key, { name: 'verifyKey' })) as KeyLookup;
      if ('away' in found) return this.#away(found.away);
      this.#postgresAway = false;
      return found.row;
    } catch (error) {
      return this.#refusal(error, NOT_VERIFIED);
    }
  }

  /**
   * Logged once until PostgreSQL replies again: a line for each request with a key that is not
   * remembered would bury what else is in the log.
   */
  #away(cause: string, message = NOT_VERIFIED): Refusal {
    if (!this.#postgresAway) {
      this.#options.log.warn({ cause }, 'PostgreSQL does not answer; new keys are not verified');
    }
    this.#postgresAway = true;
    return refuse('overloaded', message, { retryAfterMs: RETRY_AFTER_MS });
  }

  /**
   * Tokens of a request's prompt, or a refusal when too many counts wait or this one takes too
   * long.
   * @param onBegun called when a worker is free for it
   */
  countPrompt(task: PromptTask, onBegun?: () => void): Promise<number | Refusal> {
    const message = 'The prompt cannot be counted right now. Try again shortly.';
    return this.#count(message, () => {
      onBegun?.();
      return this.#piscina.run(task, { name: 'countPrompt' });
    });
  }

  /** Does a task of a login, or refuses when too many wait or PostgreSQL does not answer. */
  async doLoginTask(task: LoginTask): Promise<OAuthReply | Refusal> {
    const result = await this.#runForLogin<LoginResult>('doLoginTask', task);
    return 'reply' in result ? result.reply : this.#noAnswer(result);
  }

  async readKeySpend(keyId: string): Promise<KeySpend | Refusal> {
    const result = await this.#runForLogin<ToolLookup<KeySpend>>('findKeySpend', keyId);
    return 'found' in result ? result.found : this.#noAnswer(result);
  }

  async readManagedSettings(accountId: string): Promise<ManagedSettings | Refusal | null> {
    const task = 'findManagedSettings';
    const result = await this.#runForLogin<ToolLookup<ManagedSettings | null>>(task, accountId);
    return 'found' in result ? result.found : this.#noAnswer(result);
  }

  async #runForLogin<Result>(name: string, task: unknown): Promise<Result | Refusal> {
    try {
      return (await this.#logins.run(() => this.#piscina.run(task, { name }))) as Result;
    } catch (error) {
      return this.#refusal(error, NOT_READ);
    }
  }

  #noAnswer(result: Refusal | { readonly away: string }): Refusal {
    return 'away' in result ? this.#away(result.away, NOT_READ) : result;
  }

  countText(model: string, text: string): Promise<number | Refusal> {
    return this.#count('The reply cannot be counted right now.', () =>
      this.#piscina.run({ model, text }, { name: 'countText' }),
    );
  }

  /**
   * The duration of a file of sound; null if it is unknown, or too many counts wait: its size
   * limits the hold then.
   */
  async measureSound(task: SoundTask): Promise<AudioDuration | null> {
    try {
      return (await this.#counts.run(() =>
        this.#piscina.run(task, { name: 'measureSound' }),
      )) as AudioDuration | null;
    } catch (error) {
      this.#options.log.warn({ err: error }, 'a worker task failed');
      return null;
    }
  }

  async close(): Promise<void> {
    await this.#piscina.destroy();
  }

  async #count(message: string, task: () => Promise<unknown>): Promise<number | Refusal> {
    try {
      return (await this.#counts.run(task)) as number;
    } catch (error) {
      return this.#refusal(error, message);
    }
  }

  #refusal(error: unknown, message: string): Refusal {
    this.#options.log.warn({ err: error }, 'a worker task failed');
    return refuse('overloaded', message, { retryAfterMs: RETRY_AFTER_MS });
  }
}
