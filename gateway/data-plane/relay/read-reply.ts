import type { UpstreamFailure } from '../../platform/errors/upstream-failure.ts';
import type { StreamReader } from '../../protocols/stream-reader.ts';
import type { RelayedReply } from './relay-parts.ts';
import type { BodySink, UpstreamBody } from './upstream-body.ts';

/** A larger reply may pass while it comes. */
const LARGE_BYTES_MIN = 65_536;

type WholeBody = Buffer | UpstreamFailure;

/**
 * Reads a whole reply. Returns the failure when it breaks off, or when it is larger than
 * `bytesMax`: then the rest is not taken into memory, and the caller aborts the call. A reply that
 * is all here already, as most are, is answered without a promise.
 */
export function readReply(body: UpstreamBody, bytesMax: number): WholeBody | Promise<WholeBody> {
  return read(body, new Reading<never>(bytesMax));
}

/**
 * The same of a reply that passes if it is large.
 * @param openLarge returns its reader; undefined if it has to be read as a whole
 */
export function readOrPass(
  body: UpstreamBody,
  bytesMax: number,
  openLarge: (begin: Buffer) => StreamReader | undefined,
): WholeBody | RelayedReply | Promise<WholeBody | RelayedReply> {
  const pass = (parts: readonly Buffer[]): RelayedReply | undefined => {
    const reader = openLarge(Buffer.concat(parts));
    if (reader === undefined) return undefined;
    const attach = (sink: BodySink): void => {
      for (const part of parts) sink.data(part);
      body.attach(sink);
    };
    const pause = (): void => body.pause();
    const resume = (): void => body.resume();
    return { reader, body: { attach, pause, resume, lend: () => body.lend() } };
  };
  return read(body, new Reading(bytesMax, pass));
}

function read<Large>(
  body: UpstreamBody,
  reading: Reading<Large>,
): WholeBody | Large | Promise<WholeBody | Large> {
  body.attach(reading);
  return reading.outcome ?? reading.whenOver();
}

class Reading<Large> implements BodySink {
  outcome: WholeBody | Large | undefined;
  readonly #bytesMax: number;
  /** Takes a large reply over, with its parts and those that follow; it is asked once. */
  #pass: ((parts: readonly Buffer[]) => Large | undefined) | undefined;
  #parts: Buffer[] = [];
  #length = 0;
  #isPassed = false;
  #resolve: ((outcome: WholeBody | Large) => void) | undefined;

  constructor(bytesMax: number, pass?: (parts: readonly Buffer[]) => Large | undefined) {
    this.#bytesMax = bytesMax;
    this.#pass = pass;
  }

  whenOver(): Promise<WholeBody | Large> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  data(chunk: Buffer): void {
    if (this.outcome !== undefined && !this.#isPassed) return;
    this.#length += chunk.length;
    if (this.#length > this.#bytesMax && !this.#isPassed) {
      this.#finish({
        failed: 'reply_too_large',
        detail: `the upstream's reply is larger than REPLY_BODY_BYTES_MAX = ${this.#bytesMax}`,
      });
      return;
    }
    this.#parts.push(chunk);
    if (this.#length <= LARGE_BYTES_MIN) return;
    const large = this.#pass?.(this.#parts);
    this.#pass = undefined;
    if (large === undefined) return;
    this.#isPassed = true;
    this.outcome = large;
    this.#resolve?.(large);
  }

  end(): void {
    if (this.#isPassed) return;
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
