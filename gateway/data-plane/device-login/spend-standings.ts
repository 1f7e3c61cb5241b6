import { steadyNowMs } from '../../platform/clock/steady-clock.ts';
import { isRefusal, type Refusal } from '../../platform/errors/refusal.ts';
import type { KeySpend } from '../../protocols/tool-replies.ts';

/** An older reading is read again, when its key is used. */
const FRESH_MS = 5_000;
const ENTRIES_MAX = 10_000;

interface Standing {
  readonly spend: KeySpend;
  readonly readAtMs: number;
}

/**
 * Remembers what the keys of logins have spent of their limits, for the warnings on their replies.
 * It is read on the worker pool while a request is served: no request waits for it, and the next
 * one has it.
 */
export class SpendStandings {
  readonly #read: (keyId: string) => Promise<KeySpend | Refusal>;
  readonly #standings = new Map<string, Standing>();
  readonly #pending = new Map<string, Promise<KeySpend | undefined>>();

  constructor(read: (keyId: string) => Promise<KeySpend | Refusal>) {
    this.#read = read;
  }

  /** Returns the last reading, undefined before the first, and reads again if that is old. */
  last(keyId: string): KeySpend | undefined {
    const standing = this.#standings.get(keyId);
    if (standing === undefined || steadyNowMs() - standing.readAtMs > FRESH_MS) {
      void this.readAgain(keyId);
    }
    return standing?.spend;
  }

  /** Waits for a reading that begins now, or has just begun; undefined when it fails. */
  readAgain(keyId: string): Promise<KeySpend | undefined> {
    const pending = this.#pending.get(keyId);
    if (pending !== undefined) return pending;
    const reading = this.#remember(keyId).finally(() => this.#pending.delete(keyId));
    this.#pending.set(keyId, reading);
    return reading;
  }

  async #remember(keyId: string): Promise<KeySpend | undefined> {
    const spend = await this.#read(keyId);
    if (isRefusal(spend)) return undefined;
    this.#standings.delete(keyId);
    this.#standings.set(keyId, { spend, readAtMs: steadyNowMs() });
    if (this.#standings.size > ENTRIES_MAX) {
      const [oldest = ''] = this.#standings.keys();
      this.#standings.delete(oldest);
    }
    return spend;
  }
}
