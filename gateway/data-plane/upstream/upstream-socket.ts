import { hash, randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { Receiver, Sender } from 'ws';
import { textFrame } from './text-frame.ts';

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
  message(frame: Buffer): void;
  /** The upstream has taken what was sent. */
  writable(): void;
  /** Called once, behind the last message. */
  ended(end: SocketEnd): void;
}

/**
 * The client's end of a WebSocket to an upstream, over a connection that undici has opened: the
 * channel's proxy, addresses and time-outs apply to it. Nothing is read while it is paused, so that
 * TCP slows the upstream down; what one read has brought is kept.
 */
export class UpstreamSocket {
  readonly #connection: Duplex;
  readonly #receiver: Receiver;
  readonly #sender: Sender;
  #sink: UpstreamSink | undefined;
  #paused = false;
  #pumping = false;
  #kept: Buffer[] = [];
  #end: SocketEnd | undefined;
  #isClosing = false;
  #isReported = false;

  constructor(connection: Duplex, messageBytesMax: number) {
    this.#connection = connection;
    this.#sender = new Sender(connection);
    this.#receiver = new Receiver({ isServer: false, maxPayload: messageBytesMax });
    this.#receiver
      .on('message', (frame) => void this.#kept.push(frame))
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
    this.#kept = [];
    this.#paused = false;
    if (this.#end === undefined) this.#sender.close(code, '', true);
    this.#hangUp();
  }

  #pump(): void {
    if (this.#pumping || this.#sink === undefined) return;
    this.#pumping = true;
    try {
      while (this.#passKept() && this.#read());
    } finally {
      this.#pumping = false;
    }
    const isOver = this.#end !== undefined && this.#kept.length === 0;
    if (!isOver || this.#paused || this.#isReported) return;
    this.#isReported = true;
    this.#sink.ended(this.#end ?? CUT_OFF);
  }

  /** Returns false when paused. */
  #passKept(): boolean {
    while (!this.#paused) {
      const frame = this.#kept.shift();
      if (frame === undefined) return true;
      if (!this.#isClosing) this.#sink?.message(frame);
    }
    return false;
  }

  /** Returns false when there is nothing to read for now. */
  #read(): boolean {
    const chunk: unknown = this.#connection.read();
    if (!Buffer.isBuffer(chunk)) return false;
    if (this.#end === undefined) this.#receiver.write(chunk);
    return true;
  }

  #concluded(code: number, reason: string): void {
    this.#end = { code, reason, isBroken: false };
    if (!this.#isClosing) {
      this.#sender.close(code === NO_CLOSE_CODE ? undefined : code, '', true);
    }
    this.#hangUp();
  }

  #broken(error: Error): void {
    const isTooLong = 'code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
    const code = isTooLong ? TOO_LONG : PROTOCOL_ERROR;
    this.#end ??= { code, reason: error.message, isBroken: true };
    this.#connection.destroy();
  }

  #hangUp(): void {
    this.#connection.end();
    const timer = setTimeout(() => this.#connection.destroy(), CLOSE_MS_MAX);
    this.#connection.once('close', () => clearTimeout(timer));
  }
}
