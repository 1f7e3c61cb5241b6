import type { Refusal } from '../../platform/errors/refusal.ts';
import { refuse } from '../../platform/errors/refusal.ts';
import { ROOM_BYTES_MIN, type BodyQuota } from '../http/body/body-quota.ts';

/** Small events that wait: a client in a conversation sends some fifty a second. */
const WAITING_MAX = 2_048;

const TOO_FAST = refuse(
  'rate_limit_exceeded',
  'The client sends faster than the upstream takes. Open another session, and wait for replies.',
);

/**
 * Events of one client that wait: for money, or for an upstream that reads slowly. uWS cannot stop
 * reading a WebSocket, so that what waits is bounded, and a client beyond that is closed.
 */
export class ClientInbox {
  readonly #quota: BodyQuota;
  readonly #accountId: string;
  readonly #waiting: Buffer[] = [];

  constructor(quota: BodyQuota, accountId: string) {
    this.#quota = quota;
    this.#accountId = accountId;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  add(frame: Buffer): Refusal | undefined {
    if (this.#waiting.length >= WAITING_MAX) return TOO_FAST;
    if (frame.length >= ROOM_BYTES_MIN) {
      const refused = this.#quota.take(this.#accountId, frame.length);
      if (refused !== undefined) return refused;
    }
    this.#waiting.push(frame);
    return undefined;
  }

  take(): Buffer | undefined {
    const frame = this.#waiting.shift();
    if (frame !== undefined && frame.length >= ROOM_BYTES_MIN) {
      this.#quota.release(this.#accountId, frame.length);
    }
    return frame;
  }

  clear(): void {
    while (this.take() !== undefined);
  }
}
