import { parseOwnObject, type OwnJsonObject } from '../../../platform/json/json-value.ts';

const QUOTE = 0x22;
/** Strings of more bytes, which are images, are kept this far. */
const STRING_BYTES_MAX = 65_536;
/** An event is kept this far; one that has more besides its images is not read. */
const SKETCH_BYTES_MAX = 1_048_576;

/** An event as far as it is read: without most of the image in it. */
export interface SketchedEvent {
  readonly name: string;
  /** The data as it was written, cut as above. */
  readonly text: string;
  readonly data: OwnJsonObject | undefined;
}

/**
 * Collects the bytes of one event without those of its image, which have passed by then: an event
 * of ten megabytes takes as much memory as one of text.
 */
export class EventSketch {
  bytesTotal = 0;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  /** Bytes since the last quote. */
  #run = 0;

  add(bytes: Buffer): void {
    this.bytesTotal += bytes.length;
    let at = 0;
    while (at < bytes.length) {
      const quote = bytes.indexOf(QUOTE, at);
      const end = quote === -1 ? bytes.length : quote;
      const room = Math.max(0, STRING_BYTES_MAX - this.#run);
      this.#keep(bytes.subarray(at, Math.min(end, at + room)));
      this.#run += end - at;
      if (quote === -1) return;
      this.#keep(bytes.subarray(quote, quote + 1));
      this.#run = 0;
      at = quote + 1;
    }
  }

  /** Returns the event, and begins with the next one. */
  take(): SketchedEvent {
    const lines = Buffer.concat(this.#kept).toString('utf8').split(/\r?\n/);
    this.bytesTotal = 0;
    this.#kept = [];
    this.#keptBytes = 0;
    this.#run = 0;
    const values = (field: string): string[] =>
      lines
        .filter((line) => line.startsWith(`${field}:`))
        .map((line) => line.slice(field.length + 1).trim());
    const text = values('data').join('\n');
    return { name: values('event').at(-1) ?? '', text, data: parseOwnObject(Buffer.from(text)) };
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0 || this.#keptBytes >= SKETCH_BYTES_MAX) return;
    // A copy: the memory of a packet is not kept for a few bytes of it.
    this.#kept.push(Buffer.from(bytes));
    this.#keptBytes += bytes.length;
  }
}
