import type { UpstreamFailure } from '../../platform/errors/upstream-failure.ts';
import type { BodySink, UpstreamBody } from './upstream-body.ts';

type WholeBody = Buffer | UpstreamFailure;

/**
 * Reads a whole reply. Returns the failure when it breaks off, or when it is larger than
 * `bytesMax`: then the rest is not taken into memory, and the caller aborts the call. A reply that
 * is all here already, as most are, is answered without a promise.
 */
export function readReply(body: UpstreamBody, bytesMax: number): WholeBody | Promise<WholeBody> {
  const reading = new Reading(bytesMax);
  body.attach(reading);
  return reading.outcome ?? reading.whenOver();
}

class Reading implements BodySink {
  outcome: WholeBody | undefined;
  readonly #bytesMax: number;
  #parts: Buffer[] = [];
  #length = 0;
  #resolve: ((outcome: WholeBody) => void) | undefined;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  whenOver(): Promise<WholeBody> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  data(chunk: Buffer): void {
    if (this.outcome !== undefined) return;
    this.#length += chunk.length;
    if (this.#length <= this.#bytesMax) {
      this.#parts.push(chunk);
      return;
    }
    this.#finish({
      failed: 'reply_too_large',
      detail: `the upstream's reply is larger than REPLY_BODY_BYTES_MAX = ${this.#bytesMax}`,
    });
  }

  end(): void {
    const [first] = this.#parts;
    const whole = this.#parts.length === 1 && first !== undefined;
    this.#finish(whole ? first : Buffer.concat(this.#parts, this.#length));
  }

  failure(failure: UpstreamFailure): void {
    this.#finish(failure);
  }

  #finish(outcome: WholeBody): void {
    if (this.outcome !== undefined) return;
    this.outcome = outcome;
    this.#parts = [];
    this.#resolve?.(outcome);
  }
}
