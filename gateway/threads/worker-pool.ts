import { Piscina } from 'piscina';
import type { KeyRow } from '../authentication/key-row.ts';
import { refuse, type Refusal } from '../errors/refusal.ts';
import type { WorkerStart } from './worker-tasks.ts';

export interface WorkerPoolOptions {
  readonly start: WorkerStart;
  readonly threads: number;
  /** Tasks that may wait; beyond it callers are refused at once. */
  readonly queueMax: number;
  readonly onFailure: (error: unknown) => void;
}

/** Key lookups wait on Postgres most of their time: a worker takes several at once. */
const TASKS_PER_WORKER = 8;
const RETRY_AFTER_MS = 1_000;

/** The piscina pool of one HTTP thread: everything slow or unbounded happens there, never on the event loop. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #piscina: Piscina;

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
    });
  }

  /** A row, null when the key is unknown, or a refusal when the pool is full or Postgres does not answer. */
  async verifyKey(key: string): Promise<KeyRow | Refusal | null> {
    try {
      return (await this.#piscina.run(key, { name: 'verifyKey' })) as KeyRow | null;
    } catch (error) {
      return this.#refusal(error, 'API keys cannot be verified right now. Try again shortly.');
    }
  }

  async countPrompt(model: string, body: Uint8Array): Promise<number | Refusal> {
    try {
      return (await this.#piscina.run({ model, body }, { name: 'countPrompt' })) as number;
    } catch (error) {
      return this.#refusal(error, 'The prompt cannot be counted right now. Try again shortly.');
    }
  }

  async countText(model: string, text: string): Promise<number | Refusal> {
    try {
      return (await this.#piscina.run({ model, text }, { name: 'countText' })) as number;
    } catch (error) {
      return this.#refusal(error, 'The reply cannot be counted right now.');
    }
  }

  async close(): Promise<void> {
    await this.#piscina.destroy();
  }

  #refusal(error: unknown, message: string): Refusal {
    this.#options.onFailure(error);
    return refuse('overloaded', message, { retryAfterMs: RETRY_AFTER_MS });
  }
}
