import { isUtf8 } from 'node:buffer';
import { hash, randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { Receiver, Sender } from 'ws';
import { lendReads } from './reading-connector.ts';
import { SocketFrames, type SocketFrame } from './socket-frames.ts';
import { textFrame, WHOLE_TEXT } from './text-frame.ts';

/** RFC 6455, 1.3: a server proves with it that it has read the key. */
const ACCEPT_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
/** RFC 6455, 7.4.1: a close without a code, a connection without a close, and broken rules. */
export const NO_CLOSE_CODE = 1005;
const NOT_CLOSED = 1006;
const PROTOCOL_ERROR = 1002;
const TOO_LONG = 1009;
/** The upstream has so much time to answer a close; then the connection is cut off. */
const CLOSE_MS_MAX = 2_000;

/** The key of one request for a WebSocket, and its proof. */
export class Handshake {
  readonly #key = randomBytes(16).toString('base64');

  /** Names and values in turn. */
  get headers(): readonly string[] {
    return ['sec-websocket-version', '13', 'sec-websocket-key', this.#key];
  }

  accepts(headers: Readonly<Record<string, string | string[] | undefined>>): boolean {
    const proof = hash('sha1', this.#key + ACCEPT_SUFFIX, 'base64');
    return headers['sec-websocket-accept'] === proof;
  }
}

/** The end of a WebSocket. */
export interface SocketEnd {
  /** A code of RFC 6455. */
  readonly code: number;
  readonly reason: string;
  /** The upstream has not closed it: the connection broke, or a rule of the protocol. */
  readonly isBroken: boolean;
}

const CUT_OFF: SocketEnd = { code: NOT_CLOSED, reason: '', isBroken: true };

/** Takes what an upstream sends. */
export interface UpstreamSink {
  /** @param frame its memory is used again as soon as this returns */
  message(frame: Buffer): void;
  /** The upstream has taken what was sent. */
  writable(): void;
  /** Called once, behind the last message. */
  ended(end: SocketEnd): void;
}

/** RFC 6455, 5.2: a message goes on until a frame that ends it. */
const [LAST, OPCODE, CONTROL] = [0x80, 0x0f, 0x08];

/**
 * The client's end of a WebSocket to an upstream, over a connection that undici has opened: the
 * channel's proxy, addresses and time-outs apply to it. Nothing is read while it is paused, so that
 * TCP slows the upstream down; what one read has brought is kept.
 *
 * A text in one frame is passed in the memory that it was read into. All else, such as a ping or a
 * fault, is left to `ws`.
 */
export class UpstreamSocket {
  readonly #connection: Duplex;
  readonly #frames: SocketFrames;
  readonly #receiver: Receiver;
  readonly #sender: Sender;
  #sink: UpstreamSink | undefined;
  #paused = false;
  #pumping = false;
  /** A message has begun that comes in several frames. */
  #isInMessage = false;
  #end: SocketEnd | undefined;
  #isClosing = false;
  #isReported = false;

  constructor(connection: Duplex, messageBytesMax: number) {
    this.#connection = connection;
    lendReads(connection, true);
    this.#frames = new SocketFrames(messageBytesMax);
    this.#sender = new Sender(connection);
    this.#receiver = new Receiver({ isServer: false, maxPayload: messageBytesMax });
    this.#receiver
      .on('message', (frame) => this.#pass(frame))
      .on('ping', (data) => this.#isClosing || this.#sender.pong(data, true))
      .on('conclude', (code, reason) => this.#concluded(code, reason.toString('utf8')))
      .on('error', (error) => this.#broken(error));
    connection
      .on('readable', () => this.#pump())
      .on('drain', () => this.#sink?.writable())
      .on('end', () => connection.end())
      .on('error', () => connection.destroy())
      .on('close', () => {
        this.#end ??= CUT_OFF;
        this.#pump();
      });
  }

  /** Passes messages to a sink, or to another one than before: first those that were kept. */
  attach(sink: UpstreamSink): void {
    this.#sink = sink;
    this.#pump();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#pump();
  }

  sendText(frame: Buffer | string): void {
    if (this.#isClosing || this.#end !== undefined) return;
    this.#connection.write(textFrame(typeof frame === 'string' ? Buffer.from(frame) : frame));
  }

  /** Sends the texts of a step by one write. */
  sendTogether(step: () => void): void {
    this.#connection.cork();
    try {
      step();
    } finally {
      this.#connection.uncork();
    }
  }

  /** Bytes that the upstream has not taken yet. */
  get bufferedBytes(): number {
    return this.#connection.writableLength;
  }

  ping(): void {
    if (!this.#isClosing && this.#end === undefined) this.#sender.ping(Buffer.alloc(0), true);
  }

  /** Says goodbye and ends the connection; what comes after it is dropped. */
  close(code: number): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#paused = false;
    if (this.#end === undefined) this.#sender.close(code, '', true);
    this.#hangUp();
  }

  #pump(): void {
    if (this.#pumping || this.#sink === undefined) return;
    this.#pumping = true;
    let hasRead = false;
    try {
      while (this.#passFrames() && this.#read()) hasRead = true;
    } finally {
      this.#pumping = false;
      if (hasRead) this.#frames.keep();
    }
    if (this.#end === undefined || this.#paused || this.#isReported) return;
    this.#isReported = true;
    this.#sink.ended(this.#end);
  }

  /** Returns false when paused. */
  #passFrames(): boolean {
    while (!this.#paused) {
      // `ws` says in a moment which rule was broken.
      if (this.#receiver.errored !== null) return true;
      const frame = this.#frames.take();
      if (frame === undefined) return true;
      this.#take(frame);
    }
    return false;
  }

  #take({ bytes, head, isBad }: SocketFrame): void {
    const first = bytes[0] ?? 0;
    if (first === WHOLE_TEXT && !isBad && !this.#isInMessage) {
      const text = bytes.subarray(head);
      if (isUtf8(text)) {
        this.#pass(text);
        return;
      }
    }
    if ((first & OPCODE) < CONTROL) this.#isInMessage = (first & LAST) === 0;
    this.#receiver.write(Buffer.from(bytes));
  }

  #pass(text: Buffer): void {
    if (!this.#isClosing) this.#sink?.message(text);
  }

  /** Returns false when there is nothing to read for now. */
  #read(): boolean {
    const chunk: unknown = this.#connection.read();
    if (!Buffer.isBuffer(chunk)) return false;
    if (this.#end === undefined || this.#end === CUT_OFF) this.#frames.add(chunk);
    return true;
  }

  #concluded(code: number, reason: string): void {
    this.#end = { code, reason, isBroken: false };
    this.#frames.drop();
    if (!this.#isClosing) {
      this.#sender.close(code === NO_CLOSE_CODE ? undefined : code, '', true);
    }
    this.#hangUp();
  }

  #broken(error: Error): void {
    const isTooLong = 'code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
    const code = isTooLong ? TOO_LONG : PROTOCOL_ERROR;
    this.#end ??= { code, reason: error.message, isBroken: true };
    this.#frames.drop();
    this.#connection.destroy();
  }

  #hangUp(): void {
    this.#connection.end();
    const timer = setTimeout(() => this.#connection.destroy(), CLOSE_MS_MAX);
    this.#connection.once('close', () => clearTimeout(timer));
  }
}
