import type { Piscina } from 'piscina';
import type { Logger } from 'pino';
import { refuse, type Refusal } from '../../../platform/errors/refusal.ts';
import type { IssuedInvoice } from '../invoice-document.ts';

/** Files that wait for the thread; beyond it callers are asked to come back. */
const WAITING_MAX = 64;
/** The thread ends when it had nothing to do for so long: its font takes some 20 MB. */
const IDLE_MS = 30_000;
const RETRY_AFTER_MS = 2_000;

/**
 * Makes PDF files on a thread of its own, which starts with the first one: the main thread has
 * bills to enter meanwhile.
 */
export class InvoicePrinter {
  readonly #logger: Pick<Logger, 'error'>;
  #pool: Promise<Piscina> | undefined;

  constructor(logger: Pick<Logger, 'error'>) {
    this.#logger = logger;
  }

  /** The file of an invoice. The same invoice gives the same bytes. */
  print(invoice: IssuedInvoice): Promise<Uint8Array | Refusal> {
    return this.#run<Uint8Array>('printInvoice', invoice);
  }

  /** The characters of a text that the font of invoices does not have, each once. */
  async unprintable(text: string): Promise<string | Refusal> {
    if (/^[\n\x20-\x7e]*$/.test(text)) return '';
    return this.#run<string>('unprintable', text);
  }

  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await (await pool)?.destroy();
  }

  async #run<Result>(name: string, task: unknown): Promise<Result | Refusal> {
    this.#pool ??= this.#open();
    const pool = await this.#pool;
    if (pool.queueSize >= WAITING_MAX) {
      return refuse('overloaded', 'Too many invoices are being printed. Try again shortly.', {
        retryAfterMs: RETRY_AFTER_MS,
      });
    }
    return (await pool.run(task, { name })) as Result;
  }

  /** Piscina is read only where invoices are printed. */
  async #open(): Promise<Piscina> {
    const { Piscina } = await import('piscina');
    const pool = new Piscina({
      filename: new URL('./print-tasks.ts', import.meta.url).href,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE_MS,
      // A thread that blocks while it is idle would keep the process from its end.
      atomics: 'disabled',
      recordTiming: false,
      // As in data-plane/threads/worker-pool.ts: Node.js 22 aborts the process when a thread is
      // ended while it links a module that it requires.
      execArgv: ['--no-experimental-require-module', '--disable-warning=ExperimentalWarning'],
    });
    pool.on('error', (error: unknown) => {
      this.#logger.error({ err: error }, 'the thread that prints invoices failed');
    });
    return pool;
  }
}
