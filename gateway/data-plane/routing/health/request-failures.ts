import { hash } from 'node:crypto';
import type { BegunAttempt, ChannelHealth } from './channel-health.ts';

/**
 * The failures of one request. An error that several upstreams reply to the same request is the
 * request's: it is evidence against none of them, unless another upstream serves it after all.
 */
export class RequestFailures {
  readonly #health: ChannelHealth;
  readonly #body: Uint8Array;
  #digest: string | undefined;
  /** Attempts that got an error as the reply: the request may be its cause. */
  #suspects: BegunAttempt[] | undefined;

  constructor(health: ChannelHealth, body: Uint8Array) {
    this.#health = health;
    this.#body = body;
  }

  /** @param replied whether the upstream replied; else it hung or the connection broke */
  failed(attempt: BegunAttempt, replied: boolean): void {
    if (replied) (this.#suspects ??= []).push(attempt);
    else this.#report(attempt);
  }

  /** An upstream serves the request: what others replied was their own failure. */
  served(): void {
    if (this.#suspects === undefined) return;
    for (const attempt of this.#suspects) this.#report(attempt);
    this.#suspects = undefined;
  }

  /** No further attempt is made. */
  ended(): void {
    const channels = new Set(this.#suspects?.map(({ route }) => route.channel.id));
    if (channels.size < 2) this.served();
  }

  #report(attempt: BegunAttempt): void {
    this.#digest ??= hash('sha1', this.#body);
    this.#health.failed(attempt, this.#digest);
  }
}
