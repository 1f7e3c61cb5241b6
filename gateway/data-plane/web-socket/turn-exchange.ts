import type { Refusal } from '../../platform/errors/refusal.ts';
import { malformedForm } from '../../platform/multipart/malformed-form.ts';
import { asBuffer } from '../../protocols/sse/as-buffer.ts';
import type { SocketConversation } from '../../protocols/web-socket.ts';
import type { BodyBuffers } from '../http/body/body-buffers.ts';
import type { ClientSocket } from '../http/client-socket.ts';
import type { Exchange } from '../http/exchange.ts';
import type { HeaderList } from '../http/exchange-context.ts';
import type { CopiedHead } from '../http/copied-head.ts';
import { bodyTooLarge, type BodyLimits } from '../http/body/incoming-body.ts';

/** Headers that say something of the upgrade, and nothing of the requests that follow it. */
const UPGRADE_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'upgrade',
  'content-encoding',
  'content-length',
  'transfer-encoding',
]);

export interface TurnParts {
  readonly socket: ClientSocket;
  readonly conversation: SocketConversation;
  /** The head of the request for the WebSocket: each turn is authenticated by it. */
  readonly head: CopiedHead;
  readonly body: Buffer;
  /** Called once, when the reply has ended. */
  readonly onEnded: () => void;
}

/** One request of a WebSocket, and its reply in frames. */
export class TurnExchange implements Exchange {
  readonly method = 'POST';
  readonly #parts: TurnParts;
  #state: 'open' | 'streaming' | 'ended' | 'aborted' = 'open';
  #onAborted: (() => void) | undefined;
  #onWritable: (() => void) | undefined;

  constructor(parts: TurnParts) {
    this.#parts = parts;
    parts.socket.listener.inFlight += 1;
  }

  get path(): string {
    return this.#parts.head.path;
  }

  get aborted(): boolean {
    return this.#state === 'aborted';
  }

  get streaming(): boolean {
    return this.#state === 'streaming';
  }

  header(lowerCaseName: string): string {
    return this.#lines(lowerCaseName)[0] ?? '';
  }

  headerList(lowerCaseName: string): string {
    return this.#lines(lowerCaseName).join(', ');
  }

  query(): string {
    return this.#parts.head.query;
  }

  remoteAddress(): string {
    return this.#parts.head.remoteAddress;
  }

  onAborted(listener: () => void): void {
    if (this.#state === 'aborted') listener();
    else this.#onAborted = listener;
  }

  /** The frame is there already; uWS limits what a client may send. */
  readBody({ bytesMax }: BodyLimits, _buffers: BodyBuffers): Promise<Buffer | Refusal> {
    const { body } = this.#parts;
    return Promise.resolve(body.length > bytesMax ? bodyTooLarge(bytesMax) : body);
  }

  readForm(): Promise<Refusal> {
    return Promise.resolve(malformedForm('A WebSocket carries no forms.'));
  }

  reply(status: number, headers: HeaderList, body: string | Uint8Array): void {
    if (this.#state !== 'open') return;
    const { socket, conversation } = this.#parts;
    socket.sendText(conversation.wholeReply({ status, headers, body: asBuffer(body) }));
    conversation.forget();
    this.#end();
  }

  replyWithoutBody(status: number, headers: HeaderList): void {
    this.reply(status, headers, '');
  }

  startStream(_headers: HeaderList, first: string | Uint8Array): boolean {
    if (this.#state !== 'open') return true;
    this.#state = 'streaming';
    return this.#put(first);
  }

  write(chunk: string | Uint8Array): boolean {
    return this.#state !== 'streaming' || this.#put(chunk);
  }

  onWritable(listener: () => void): void {
    this.#onWritable = listener;
  }

  endStream(last: string | Uint8Array): void {
    if (this.#state !== 'streaming') return;
    this.#put(last);
    this.#end();
  }

  breakOff(): void {
    if (this.#state === 'streaming') this.#end();
  }

  /** The client has taken some of what was sent. */
  writable(): void {
    if (this.#state === 'streaming' && this.#parts.socket.isFlowing) this.#onWritable?.();
  }

  /** The connection is gone. */
  abort(): void {
    if (this.#isOver()) return;
    this.#over('aborted');
    this.#onAborted?.();
  }

  #lines(lowerCaseName: string): readonly string[] {
    if (lowerCaseName === 'content-type') return ['application/json'];
    if (UPGRADE_HEADERS.has(lowerCaseName)) return [];
    return this.#parts.head.headers.get(lowerCaseName) ?? [];
  }

  #put(events: string | Uint8Array): boolean {
    const { socket, conversation } = this.#parts;
    for (const frame of conversation.frames(events)) socket.sendText(frame);
    return socket.isFlowing;
  }

  #end(): void {
    this.#over('ended');
    this.#parts.onEnded();
  }

  #isOver(): boolean {
    return this.#state === 'ended' || this.#state === 'aborted';
  }

  #over(state: 'ended' | 'aborted'): void {
    this.#state = state;
    this.#parts.socket.listener.inFlight -= 1;
    this.#onWritable = undefined;
  }
}
