import { connect, type Socket } from 'node:net';
import type { Destination } from './request-shape.ts';

/** Told about one reply. Times are the caller's business: it is called as bytes are read. */
export interface ReplyListener {
  /** The first bytes of the reply's body have arrived. */
  onFirstByte(): void;
  /** Events of an event stream among the bytes just read. */
  onEvents(count: number): void;
  /** `status` is 0 when the connection broke before the reply's end. */
  onEnd(status: number): void;
}

/**
 * One for all connections: a read is done with when its callback returns, and a new connection
 * touches no new memory.
 */
const READ_BUFFER = Buffer.allocUnsafeSlow(64 * 1024);
const HEAD_END = Buffer.from('\r\n\r\n');
const CHUNKED_END = Buffer.from('0\r\n\r\n');
const NOTHING = Buffer.alloc(0);
const EVENT_END = Buffer.from('\n\n');
/** In each message of AWS's binary streams. */
const BINARY_TYPE = 'application/vnd.amazon.eventstream';
const BINARY_EVENT = Buffer.from(':event-type');

/**
 * One HTTP/1.1 connection, one request at a time, cheap enough that the driver is not what is
 * measured: requests are bytes made beforehand, and of replies only what a measurement needs is
 * read.
 *
 * States: idle -> head -> body -> idle. A chunked reply ends with the bytes "0 CR LF CR LF" at the
 * end of a read, which no content of our own upstream contains.
 */
export class HttpConnection {
  readonly #socket: Socket;
  #listener: ReplyListener | undefined;
  #state: 'idle' | 'head' | 'body' = 'idle';
  #head: Buffer | undefined;
  #status = 0;
  /** Body bytes still to come; -1 when the reply is chunked. */
  #left = 0;
  #firstByteSeen = false;
  #eventMark = EVENT_END;
  #tail: Buffer = NOTHING;
  #closed = false;

  constructor(destination: Destination, onClose: () => void = () => undefined) {
    this.#socket = connect({
      ...destination,
      noDelay: true,
      onread: {
        buffer: READ_BUFFER,
        callback: (length, buffer) => {
          this.#read(Buffer.from(buffer.buffer, buffer.byteOffset, length));
          return true;
        },
      },
    });
    this.#socket.on('error', () => undefined);
    this.#socket.once('close', () => {
      this.#closed = true;
      this.#finish(0);
      onClose();
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  send(request: Buffer, listener: ReplyListener): void {
    this.#listener = listener;
    this.#state = 'head';
    this.#firstByteSeen = false;
    this.#tail = NOTHING;
    this.#socket.write(request);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #read(bytes: Buffer): void {
    if (this.#state === 'head') this.#readHead(bytes);
    else if (this.#state === 'body') this.#readBody(bytes);
  }

  #readHead(bytes: Buffer): void {
    const head = this.#head === undefined ? bytes : Buffer.concat([this.#head, bytes]);
    const end = head.indexOf(HEAD_END);
    if (end < 0) {
      // The read buffer is used again: what is kept is copied.
      this.#head = Buffer.from(head);
      return;
    }
    this.#head = undefined;
    const text = head.toString('latin1', 0, end).toLowerCase();
    this.#status = Number(text.slice(9, 12));
    this.#eventMark = text.includes(BINARY_TYPE) ? BINARY_EVENT : EVENT_END;
    const length = /\r\ncontent-length: *(\d+)/.exec(text)?.[1];
    this.#left = length === undefined ? -1 : Number(length);
    this.#state = 'body';
    this.#readBody(head.subarray(end + HEAD_END.length));
  }

  #readBody(bytes: Buffer): void {
    if (bytes.length > 0 && !this.#firstByteSeen) {
      this.#firstByteSeen = true;
      this.#listener?.onFirstByte();
    }
    if (this.#left >= 0) {
      this.#left -= bytes.length;
      if (this.#left <= 0) this.#finish(this.#status);
      return;
    }
    const mark = this.#eventMark;
    let events = 0;
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + mark.length)) {
      events += 1;
    }
    if (events > 0) this.#listener?.onEvents(events);
    const tail = this.#lastBytes(bytes);
    if (tail.equals(CHUNKED_END)) this.#finish(this.#status);
    // The read buffer is used again: what is kept is copied.
    else this.#tail = Buffer.from(tail);
  }

  /**
   * The last bytes of the reply so far, as many as its end is long; the end may come in two reads.
   */
  #lastBytes(bytes: Buffer): Buffer {
    if (bytes.length >= CHUNKED_END.length) return bytes.subarray(-CHUNKED_END.length);
    return Buffer.concat([this.#tail, bytes]).subarray(-CHUNKED_END.length);
  }

  #finish(status: number): void {
    const listener = this.#listener;
    this.#listener = undefined;
    this.#state = 'idle';
    listener?.onEnd(status);
  }
}
