import { refuse, type Refusal } from '../../../platform/errors/refusal.ts';
import { PREALLOCATED_BYTES_MAX, type BodyBuffers } from './body-buffers.ts';
import { ROOM_BYTES_MIN, type BodyQuota } from './body-quota.ts';

export interface BodyLimits {
  readonly bytesMax: number;
  readonly timeoutMs: number;
  readonly quota: BodyQuota;
}

/** Takes in the body of one request. */
export interface BodyCollector<Body> {
  /**
   * Prepares for a body of so many bytes, NaN or 0 when its head says none. One that is declared is
   * refused before it comes, or not at all.
   */
  expect(declaredBytes: number): Refusal | undefined;
  /** uWS takes a chunk's memory back when its callback returns. */
  append(chunk: ArrayBuffer): Refusal | undefined;
  /** Returns the whole body. */
  take(): Body | Promise<Body | Refusal>;
  /** Takes in nothing more, and frees what was not taken. */
  close(): void;
}

/**
 * Collects a body. uWS takes a chunk's memory back when its callback returns: every byte is copied
 * once.
 */
export class IncomingBody implements BodyCollector<Buffer> {
  length = 0;
  readonly #bytesMax: number;
  readonly #quota: BodyQuota;
  readonly #sender: string;
  readonly #buffers: BodyBuffers;
  #quotaBytes = 0;
  #whole: Buffer | undefined;
  #wholeLength = 0;
  #parts: Buffer[] = [];

  constructor({ bytesMax, quota }: BodyLimits, buffers: BodyBuffers, sender: string) {
    this.#bytesMax = bytesMax;
    this.#quota = quota;
    this.#buffers = buffers;
    this.#sender = sender;
  }

  expect(declaredBytes: number): Refusal | undefined {
    if (declaredBytes > this.#bytesMax) return bodyTooLarge(this.#bytesMax);
    const refused = this.#takeRoom(declaredBytes);
    if (refused !== undefined) return refused;
    // A client is not trusted with more than this before it has sent something.
    if (declaredBytes > 0 && declaredBytes <= PREALLOCATED_BYTES_MAX) {
      this.#whole = this.#buffers.take(declaredBytes);
    }
    return undefined;
  }

  append(chunk: ArrayBuffer): Refusal | undefined {
    const length = this.length + chunk.byteLength;
    if (length > this.#bytesMax) return bodyTooLarge(this.#bytesMax);
    const refused = this.#takeRoom(length);
    if (refused !== undefined) return refused;
    const bytes = new Uint8Array(chunk);
    if (this.#whole !== undefined && length <= this.#whole.length) {
      this.#whole.set(bytes, this.#wholeLength);
      this.#wholeLength += bytes.length;
    } else this.#parts.push(Buffer.from(bytes));
    this.length = length;
    return undefined;
  }

  take(): Buffer {
    if (this.#whole?.length === this.length && this.#parts.length === 0) return this.#whole;
    const whole = this.#whole?.subarray(0, this.#wholeLength) ?? Buffer.alloc(0);
    return this.#parts.length === 0 ? whole : Buffer.concat([whole, ...this.#parts]);
  }

  close(): void {
    if (this.#quotaBytes > 0) this.#quota.release(this.#sender, this.#quotaBytes);
    this.#quotaBytes = 0;
    this.#whole = undefined;
    this.#parts = [];
  }

  /** Sees to it that there is room for the body up to so many bytes. */
  #takeRoom(bytes: number): Refusal | undefined {
    const missing = bytes - this.#quotaBytes;
    if (!(bytes >= ROOM_BYTES_MIN && missing > 0)) return undefined;
    const refused = this.#quota.take(this.#sender, missing);
    if (refused === undefined) this.#quotaBytes = bytes;
    return refused;
  }
}

/** The refusal of a body that is larger than a limit. */
export function bodyTooLarge(bytesMax: number): Refusal {
  return refuse(
    'request_too_large',
    `The request body is larger than ${bytesMax} bytes. Send fewer or smaller messages, or ask the operator to raise REQUEST_BODY_BYTES_MAX.`,
  );
}
