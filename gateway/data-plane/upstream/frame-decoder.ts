import { EVENT_STREAM_TYPE } from '../../platform/event-stream/frame.ts';
import { FrameReader } from '../../platform/event-stream/frame-reader.ts';
import { frameToSse } from '../../platform/event-stream/frame-to-sse.ts';
import type { DecoderSink, ReplyDecoder } from './decoder.ts';

/** Reports whether a reply of this media type is a stream of binary frames. */
export function isFramed(contentType: string): boolean {
  return contentType.startsWith(EVENT_STREAM_TYPE);
}

/**
 * Decodes a stream of binary frames to server-sent events, which all readers of streams know. A
 * frame that is broken breaks the stream.
 */
export class FrameDecoder implements ReplyDecoder {
  readonly #frames = new FrameReader();
  readonly #sink: DecoderSink;

  constructor(sink: DecoderSink) {
    this.#sink = sink;
  }

  write(chunk: Buffer): void {
    const events = this.#frames.push(chunk).map(frameToSse);
    const [first] = events;
    if (first !== undefined) this.#sink.data(events.length === 1 ? first : Buffer.concat(events));
    const { fault } = this.#frames;
    if (fault !== null) this.#sink.broken(new Error(fault));
  }

  end(): void {
    if (this.#frames.fault !== null) return;
    if (this.#frames.hasRest) this.#sink.broken(new Error('the stream ended inside a frame'));
    else this.#sink.end();
  }

  pause(): void {
    // What is decoded is passed on at once: nothing is left to hold back.
  }

  resume(): void {
    // As above.
  }

  destroy(): void {
    // As above.
  }
}
