import type { HttpResponse } from 'uWebSockets.js';
import type { StreamForm } from './exchange.ts';

type Response = Pick<HttpResponse, 'write'>;

/**
 * Writes a stream to uWS, which sends what it has kept for a slow client with a next write only;
 * that is also the one way to learn whether it was all.
 */
export interface StreamWriter {
  /** Returns false when the client is slow: call `drain` each time it can be written to. */
  write(bytes: string | Uint8Array): boolean;
  /** Returns true once the client has taken everything. */
  drain(): boolean;
  /** The end of what was written, to be sent with the end of the stream. */
  readonly rest: Uint8Array;
}

/** Returns the writer of a stream of this form. */
export function streamWriter(res: Response, form: StreamForm): StreamWriter {
  const { frame, keepAlive, splitsEvents } = form;
  if (splitsEvents === true) return new SplitEventWriter(res);
  const write = (bytes: string | Uint8Array): boolean =>
    res.write(frame === undefined ? bytes : frame(bytes));
  return { write, drain: () => write(keepAlive), rest: NOTHING };
}

/**
 * So many bytes of each write are kept, one for each time that the socket can be written to. The
 * kernel asks for more when a third of its buffer is free: it takes a write in a few times.
 */
const KEPT_BYTES = 64;

const NOTHING = Buffer.alloc(0);
const LF = 0x0a;

/** Writes a stream whose writes end within events: a keep-alive would become a part of one. */
class SplitEventWriter implements StreamWriter {
  readonly #res: Response;
  rest: Uint8Array = NOTHING;

  constructor(res: Response) {
    this.#res = res;
  }

  write(bytes: string | Uint8Array): boolean {
    const added = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
    this.#res.write(this.rest);
    this.rest = NOTHING;
    const keptAt = Math.max(added.length - KEPT_BYTES, Math.min(added.length, 1));
    const flows = this.#res.write(added.subarray(0, keptAt));
    // A part of a line, or of sound, may wait for the next packet.
    if (flows && added.at(-1) === LF) return this.#res.write(added.subarray(keptAt));
    // A copy: the memory of a packet is not kept for a few bytes of it.
    this.rest = Buffer.from(added.subarray(keptAt));
    return flows;
  }

  drain(): boolean {
    if (this.rest.length === 0) return true;
    const flows = this.#res.write(this.rest.subarray(0, 1));
    this.rest = this.rest.subarray(1);
    return flows && this.write(NOTHING);
  }
}
