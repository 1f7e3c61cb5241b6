import { isJsonObject } from '../../platform/json/json-value.ts';
import { DONE_MARK } from './reply-form.ts';

/**
 * An incremental parser of server-sent events. It works on bytes and looks at an event only as far
 * as needed to find its end, so that whole events can be passed on in the buffer they came in.
 *
 * States: between events, or inside one whose end has not come (its bytes are carried over). It
 * copes with chunks split anywhere, also within a character or a line end; with LF, CR LF and CR;
 * with a byte order mark; with `data:` with and without a space; with data over several lines; and
 * with comments and fields it does not know, which are skipped. Servers that leave out the blank
 * lines are understood, too: data that is a whole object ends its event where the next line
 * begins another.
 */
export type SseStep = 'event' | 'incomplete' | 'too_large';

/**
 * The largest event unless the caller says otherwise. Chunks of text are far below a kilobyte; a
 * generated image travels in one event and takes several megabytes in base64.
 */
const EVENT_BYTES_MAX = 64 * 1_048_576;

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const COLON = 0x3a;
const EMPTY = Buffer.alloc(0);
const EVENT_PREFIX = Buffer.from('event: ');
const DATA_PREFIX = Buffer.from('data: ');
const EVENT_END = Buffer.from('\n\n');
const EVENT_FIELD = Buffer.from('event:');
const DATA_FIELD = Buffer.from('data:');
const LOWER_D = 0x64;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export class SseParser {
  /**
   * The bytes in hand; the unread part starts at `position`. A caller that recognises an event by
   * itself moves `position` behind it.
   */
  bytes: Buffer = EMPTY;
  position = 0;

  /** Start and end of the last event's block, blank line included. */
  blockStart = 0;
  blockEnd = 0;
  /** The last event's data, lines joined by LF. */
  data: Buffer = EMPTY;
  /** The last event's `event:` field, '' without one. */
  eventName = '';
  /** True when the last event's block is "data: " + data + "\n\n" and nothing else. */
  plain = false;

  readonly #eventBytesMax: number;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #mayHaveCarriageReturns = false;
  #started = false;

  constructor(eventBytesMax: number = EVENT_BYTES_MAX) {
    this.#eventBytesMax = eventBytesMax;
  }

  /** Takes the next bytes. Only after `next` has answered 'incomplete'. */
  feed(chunk: Buffer): void {
    const left = this.bytes.length - this.position;
    if (left === 0 && this.#waiting.length === 0) {
      this.bytes = chunk;
    } else {
      if (left > 0) {
        this.#waiting.push(Buffer.from(this.bytes.subarray(this.position)));
        this.#waitingBytes += left;
      }
      this.#waiting.push(chunk);
      this.#waitingBytes += chunk.length;
      // Without a line end the event cannot be over: joining would copy a large event once per
      // packet.
      const endsLine = chunk.includes(LF) || chunk.includes(CR);
      this.bytes = endsLine ? this.#join() : EMPTY;
    }
    this.position = 0;
    this.#mayHaveCarriageReturns = true;
  }

  /** True when bytes of an unfinished event are in hand. */
  get hasRest(): boolean {
    return this.#waitingBytes > 0 || this.position < this.bytes.length;
  }

  /** Ends an event that the upstream left without its blank line, so that `next` can answer it. */
  finish(): void {
    if (this.hasRest) this.feed(EVENT_END);
  }

  /**
   * Lets go of what has been read: between its chunks, which may be minutes apart, a stream keeps
   * none of them.
   */
  forgetRead(): void {
    this.data = EMPTY;
    if (this.position < this.bytes.length) return;
    this.bytes = EMPTY;
    this.position = 0;
  }

  /**
   * Reports whether the last event's block is "event: " + this name + "\ndata: " + data + "\n\n"
   * and nothing else.
   */
  isNamed(name: string): boolean {
    const { bytes, blockStart, blockEnd, eventName, data } = this;
    if (eventName !== name || this.#mayHaveCarriageReturns) return false;
    const nameEnd = blockStart + EVENT_PREFIX.length + name.length;
    const dataStart = nameEnd + 1 + DATA_PREFIX.length;
    return (
      dataStart + data.length + EVENT_END.length === blockEnd &&
      startsWith(bytes, blockStart, EVENT_PREFIX) &&
      startsWith(bytes, nameEnd + 1, DATA_PREFIX)
    );
  }

  /** Finds the next event that has data. */
  next(): SseStep {
    for (;;) {
      this.#skipLineEnds();
      const end = this.#blockEnd();
      if (end === -1) {
        const carried = this.bytes.length - this.position + this.#waitingBytes;
        return carried > this.#eventBytesMax ? 'too_large' : 'incomplete';
      }
      this.blockStart = this.position;
      this.blockEnd = end;
      this.position = end;
      if (end - this.blockStart > this.#eventBytesMax) return 'too_large';
      if (this.plain) {
        this.data = this.bytes.subarray(this.blockStart + DATA_PREFIX.length, end - 2);
        this.eventName = '';
        return 'event';
      }
      if (this.#readFields()) return 'event';
    }
  }

  #join(): Buffer {
    const joined = Buffer.concat(this.#waiting, this.#waitingBytes);
    this.#waiting = [];
    this.#waitingBytes = 0;
    return joined;
  }

  /** Blank lines between events, and the mark some servers put in front of everything. */
  #skipLineEnds(): void {
    const { bytes } = this;
    if (!this.#started && bytes.length - this.position >= BYTE_ORDER_MARK.length) {
      this.#started = true;
      if (startsWith(bytes, this.position, BYTE_ORDER_MARK)) this.position += 3;
    }
    while (bytes[this.position] === LF || bytes[this.position] === CR) this.position += 1;
  }

  /**
   * The offset behind the blank line that ends the block at `position`, -1 when it is not there
   * yet.
   */
  #blockEnd(): number {
    const { bytes, position } = this;
    if (this.#mayHaveCarriageReturns) {
      this.#mayHaveCarriageReturns = bytes.includes(CR, position);
      if (this.#mayHaveCarriageReturns) return this.#blockEndOfAnyKind();
    }
    let lineEnd = bytes.indexOf(LF, position);
    this.plain = bytes[lineEnd + 1] === LF && startsWith(bytes, position, DATA_PREFIX);
    let lineStart = position;
    while (lineEnd !== -1) {
      if (bytes[lineEnd + 1] === LF) return lineEnd + 2;
      if (this.#endsUnmarked(lineStart, lineEnd, lineEnd + 1)) return lineEnd + 1;
      lineStart = lineEnd + 1;
      lineEnd = bytes.indexOf(LF, lineStart);
    }
    return -1;
  }

  /**
   * Reports whether a line ends its event without a blank line: its data is whole, and the next
   * begins.
   */
  #endsUnmarked(lineStart: number, lineEnd: number, next: number): boolean {
    const { bytes, position } = this;
    if (bytes[lineStart] !== LOWER_D || !startsWith(bytes, lineStart, DATA_FIELD)) return false;
    const beginsData = startsWith(bytes, next, DATA_FIELD);
    const isNamed = startsWith(bytes, position, EVENT_FIELD);
    if (!beginsData && !(isNamed && startsWith(bytes, next, EVENT_FIELD))) return false;
    const dataStart = lineStart + DATA_FIELD.length;
    // Data over several lines is no JSON before its last line.
    const before = bytes.subarray(position, lineStart);
    return !before.includes(DATA_FIELD) && isWhole(bytes.toString('utf8', dataStart, lineEnd));
  }

  #blockEndOfAnyKind(): number {
    const { bytes } = this;
    this.plain = false;
    let lineStart = this.position;
    for (let index = this.position; index < bytes.length; index += 1) {
      const byte = bytes[index];
      if (byte !== LF && byte !== CR) continue;
      const blank = index === lineStart;
      // A CR that ends the bytes in hand may be half of a CR LF; the LF is then skipped as a blank
      // line.
      const lineEnd = index;
      if (byte === CR && bytes[index + 1] === LF) index += 1;
      if (blank || this.#endsUnmarked(lineStart, lineEnd, index + 1)) return index + 1;
      lineStart = index + 1;
    }
    return -1;
  }

  /** Reads the lines of a block that is not plain. Returns whether it has data. */
  #readFields(): boolean {
    const lines: Buffer[] = [];
    this.eventName = '';
    let lineStart = this.blockStart;
    for (let index = this.blockStart; index < this.blockEnd; index += 1) {
      const byte = this.bytes[index];
      if (byte !== LF && byte !== CR) continue;
      this.#readLine(lineStart, index, lines);
      lineStart = index + 1;
    }
    if (lines.length === 0) return false;
    const [first] = lines;
    this.data = lines.length === 1 && first !== undefined ? first : joinLines(lines);
    return true;
  }

  #readLine(start: number, end: number, data: Buffer[]): void {
    const colon = this.bytes.subarray(start, end).indexOf(COLON);
    const nameEnd = colon === -1 ? end : start + colon;
    const name = this.bytes.toString('latin1', start, nameEnd);
    if (name !== 'data' && name !== 'event') return;
    let valueStart = Math.min(nameEnd + 1, end);
    if (this.bytes[valueStart] === SPACE && valueStart < end) valueStart += 1;
    if (name === 'data') data.push(this.bytes.subarray(valueStart, end));
    else this.eventName = this.bytes.toString('utf8', valueStart, end);
  }
}

function startsWith(bytes: Buffer, start: number, expected: Buffer): boolean {
  for (let index = 0; index < expected.length; index += 1) {
    if (bytes[start + index] !== expected[index]) return false;
  }
  return true;
}

function joinLines(lines: readonly Buffer[]): Buffer {
  const parts = lines.flatMap((line, index) => (index === 0 ? [line] : [LINE_FEED, line]));
  return Buffer.concat(parts);
}

const LINE_FEED = Buffer.from([LF]);

/** Reports whether data is complete: an object, or the end marker. */
function isWhole(data: string): boolean {
  if (data.trim() === DONE_MARK) return true;
  try {
    return isJsonObject(JSON.parse(data));
  } catch {
    return false;
  }
}
