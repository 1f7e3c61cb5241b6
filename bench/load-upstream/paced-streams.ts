import type { HttpResponse } from 'uWebSockets.js';
import type { StreamBytes } from './stream-bytes.ts';

interface PacedStream {
  readonly res: HttpResponse;
  readonly bytes: StreamBytes;
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
   * Sends the head and the beginning with the first piece of content at once, then `chunks - 1`
   * pieces and the end.
   */
  start(res: HttpResponse, chunks: number, bytes: StreamBytes): void {
    const stream: PacedStream = { res, bytes, left: chunks - 1, aborted: false };
    const slot = this.#slots[this.#nextSlot % this.#slots.length];
    this.#nextSlot += 1;
    res.onAborted(() => {
      stream.aborted = true;
      slot?.delete(stream);
    });
    res.cork(() => {
      res.writeHeader('content-type', bytes.contentType ?? 'text/event-stream');
      res.write(bytes.beginning);
    });
    slot?.add(stream);
  }

  #send(): void {
    this.#tick += 1;
    const slot = this.#slots[this.#tick % this.#slots.length];
    if (slot === undefined) return;
    for (const stream of slot) {
      const { res, bytes } = stream;
      if (stream.left > 0) {
        stream.left -= 1;
        res.cork(() => void res.write(bytes.content));
      } else {
        slot.delete(stream);
        res.cork(() => {
          res.end(bytes.end);
        });
      }
    }
  }
}
