import type { HttpResponse } from 'uWebSockets.js';
import { CONTENT_CHUNK, FIRST_CHUNKS, LAST_BYTES, LAST_BYTES_WITH_USAGE } from './chat-bytes.ts';

interface PacedStream {
  readonly res: HttpResponse;
  readonly withUsage: boolean;
  left: number;
  aborted: boolean;
}

/**
 * Streams that send a chunk every so many milliseconds. One timer ticks every millisecond for all
 * of them; streams are dealt over as many slots as the interval has milliseconds, so that chunks
 * leave evenly and not in one burst per interval.
 */
export class PacedStreams {
  readonly #slots: Set<PacedStream>[];
  #nextSlot = 0;
  #tick = 0;

  constructor(intervalMs: number) {
    this.#slots = Array.from({ length: intervalMs }, () => new Set<PacedStream>());
    setInterval(() => {
      this.#send();
    }, 1);
  }

  /**
   * Sends the head, the role and the first piece of content at once, then `chunks - 1` pieces and
   * the end.
   */
  start(res: HttpResponse, chunks: number, withUsage: boolean): void {
    const stream: PacedStream = { res, withUsage, left: chunks - 1, aborted: false };
    const slot = this.#slots[this.#nextSlot % this.#slots.length];
    this.#nextSlot += 1;
    res.onAborted(() => {
      stream.aborted = true;
      slot?.delete(stream);
    });
    res.cork(() => {
      res.writeHeader('content-type', 'text/event-stream');
      res.write(FIRST_CHUNKS);
    });
    slot?.add(stream);
  }

  #send(): void {
    this.#tick += 1;
    const slot = this.#slots[this.#tick % this.#slots.length];
    if (slot === undefined) return;
    for (const stream of slot) {
      const { res } = stream;
      if (stream.left > 0) {
        stream.left -= 1;
        res.cork(() => void res.write(CONTENT_CHUNK));
      } else {
        slot.delete(stream);
        res.cork(() => {
          res.write(stream.withUsage ? LAST_BYTES_WITH_USAGE : LAST_BYTES);
          res.end();
        });
      }
    }
  }
}
