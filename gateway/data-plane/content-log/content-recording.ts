import type { CapturedBodies } from '../../content-log/captured-content.ts';

/** Most replies fit without growing. */
const REPLY_BYTES_MIN = 2_048;

/** The memory of one HTTP thread for content of requests that are under way. */
export class ContentMemory {
  readonly #bytesMax: number;
  #used = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Returns false when so much is not free. */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.#bytesMax) return false;
    this.#used += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#used -= bytes;
  }
}

/**
 * The content of one request while it is served: copies, as the memory of bodies and of packets is
 * used again. Each direction is cut at its bound. When there is no memory left, nothing is kept.
 */
export class ContentRecording {
  readonly #memory: ContentMemory;
  readonly #bytesMax: number;
  readonly requestBytes: number;
  #replyBytes = 0;
  #request: Uint8Array<ArrayBuffer> | null = null;
  #reply: Buffer<ArrayBuffer> | null = null;
  #replyUsed = 0;
  #takenBytes = 0;

  constructor(memory: ContentMemory, body: Buffer, bytesMax: number) {
    this.#memory = memory;
    this.#bytesMax = bytesMax;
    this.requestBytes = body.length;
    const requestUsed = Math.min(body.length, bytesMax);
    if (!this.#take(requestUsed + REPLY_BYTES_MIN)) return;
    this.#request = Uint8Array.from(body.subarray(0, requestUsed));
    this.#reply = Buffer.allocUnsafeSlow(REPLY_BYTES_MIN);
  }

  get replyBytes(): number {
    return this.#replyBytes;
  }

  append(bytes: string | Uint8Array): void {
    const added = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
    this.#replyBytes += added.length;
    const kept = Math.min(added.length, this.#bytesMax - this.#replyUsed);
    if (kept === 0 || this.#reply === null || !this.#grow(this.#replyUsed + kept)) return;
    this.#reply.set(added.subarray(0, kept), this.#replyUsed);
    this.#replyUsed += kept;
  }

  /** Returns the bodies, which are the caller's from then on; null when they were not kept. */
  end(): CapturedBodies | null {
    const request = this.#request;
    const reply = this.#reply;
    this.#drop();
    if (request === null || reply === null) return null;
    return { request, reply: Uint8Array.from(reply.subarray(0, this.#replyUsed)) };
  }

  #grow(bytes: number): boolean {
    const old = this.#reply;
    if (old === null) return false;
    if (bytes <= old.length) return true;
    const size = Math.min(Math.max(bytes, 2 * old.length), this.#bytesMax);
    if (!this.#take(size - old.length)) {
      this.#drop();
      return false;
    }
    this.#reply = Buffer.allocUnsafeSlow(size);
    old.copy(this.#reply, 0, 0, this.#replyUsed);
    return true;
  }

  #take(bytes: number): boolean {
    if (!this.#memory.take(bytes)) return false;
    this.#takenBytes += bytes;
    return true;
  }

  #drop(): void {
    this.#memory.release(this.#takenBytes);
    this.#takenBytes = 0;
    this.#request = null;
    this.#reply = null;
  }
}
