import { isRefusal, refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { steadyNowMs } from '../../platform/clock/steady-clock.ts';
import type { Ticking } from '../../platform/event-loop/ticker.ts';
import type { ReplyDialect } from '../../protocols/dialect.ts';
import type { EndpointMatch } from '../../protocols/registry.ts';
import type { SocketConversation } from '../../protocols/web-socket.ts';
import type { ClientSocket, SocketHandler } from '../http/client-socket.ts';
import { ROOM_BYTES_MIN } from '../http/body/body-quota.ts';
import type { CopiedHead } from '../http/copied-head.ts';
import { replyHeaders } from '../reply/reply-refusal.ts';
import { serveRequest } from '../request-path.ts';
import { RequestTrace } from '../request-trace.ts';
import type { ThreadContext } from '../thread-context.ts';
import { TurnExchange } from './turn-exchange.ts';

/** Proxies close connections on which nothing moves for a minute. */
const PING_MS = 25_000;
/** Vendors close after an hour: clients know how to open another connection. */
const AGE_MS_MAX = 55 * 60_000;
/** The conversation is forgotten after this long without a request. */
const KEPT_IDLE_MS_MAX = 10 * 60_000;
/** Requests of one connection that wait for the one before them. */
const FRAMES_WAITING_MAX = 16;

/** RFC 6455: the server goes away; clients open another connection. */
const GOING_AWAY = 1001;

export interface ConnectionParts {
  readonly context: ThreadContext;
  readonly match: EndpointMatch;
  readonly dialect: ReplyDialect;
  readonly head: CopiedHead;
  readonly conversation: SocketConversation;
  /** The account that the key belonged to when the connection was opened. */
  readonly accountId: string;
}

/**
 * One client's WebSocket. Its requests follow each other, and each passes the request path as one
 * over HTTP does: authentication, limits, hold and bill are its own.
 */
export class WebSocketConnection implements SocketHandler, Ticking {
  place = -1;
  readonly #parts: ConnectionParts;
  readonly #openedAtMs = steadyNowMs();
  #socket: ClientSocket | undefined;
  #turn: TurnExchange | undefined;
  #waiting: Buffer[] = [];
  #usedAtMs = this.#openedAtMs;
  #pingedAtMs = this.#openedAtMs;
  #goesAway = false;
  /** Bytes of `#parts.conversation` that the thread counts. */
  #countedBytes = 0;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  get accountId(): string {
    return this.#parts.accountId;
  }

  opened(socket: ClientSocket): void {
    this.#socket = socket;
    const { context } = this.#parts;
    context.webSockets.add(this);
    context.ticker.add(this);
  }

  text(lent: Buffer): void {
    const frame = Buffer.from(lent);
    if (this.#turn === undefined) {
      this.#begin(frame);
      return;
    }
    const refused = this.#keepWaiting(frame);
    if (refused !== undefined) this.#refuse(refused);
  }

  binary(): void {
    this.#refuse(refuse('invalid_json', 'Send each request as a text frame of JSON.'));
  }

  writable(): void {
    this.#turn?.writable();
  }

  closed(): void {
    const { context, conversation } = this.#parts;
    this.#socket = undefined;
    context.ticker.remove(this);
    context.webSockets.remove(this);
    for (const frame of this.#waiting) this.#release(frame);
    this.#waiting = [];
    conversation.forget();
    this.#countKept();
    this.#turn?.abort();
    this.#turn = undefined;
  }

  goAway(): void {
    this.#goesAway = true;
    if (this.#turn === undefined) this.#socket?.end(GOING_AWAY, 'The gateway is restarting.');
  }

  tick(nowMs: number): void {
    if (nowMs - this.#pingedAtMs >= PING_MS) {
      this.#pingedAtMs = nowMs;
      this.#socket?.ping();
    }
    if (this.#turn !== undefined) return;
    if (nowMs - this.#openedAtMs >= AGE_MS_MAX) {
      this.#socket?.end(GOING_AWAY, 'The connection is an hour old.');
    } else if (nowMs - this.#usedAtMs >= KEPT_IDLE_MS_MAX && this.#countedBytes > 0) {
      this.#parts.conversation.forget();
      this.#countKept();
    }
  }

  #begin(frame: Buffer): void {
    const { conversation, context, match, head } = this.#parts;
    const socket = this.#socket;
    if (socket === undefined) return;
    const message = conversation.read(frame);
    if (isRefusal(message)) {
      this.#refuse(message);
      this.#turnEnded();
      return;
    }
    if ('frames' in message) {
      for (const reply of message.frames) socket.sendText(reply);
      this.#turnEnded();
      return;
    }
    const { body } = message;
    // The next request begins in a tick of its own, when this one has been concluded.
    const onEnded = (): void => void setImmediate(() => this.#turnEnded());
    this.#turn = new TurnExchange({ socket, conversation, head, body, onEnded });
    serveRequest(this.#turn, match, context);
  }

  #turnEnded(): void {
    this.#turn = undefined;
    this.#usedAtMs = steadyNowMs();
    this.#countKept();
    if (this.#socket === undefined) return;
    if (this.#goesAway || this.#socket.listener.closing) {
      this.goAway();
      return;
    }
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#release(next);
    this.#begin(next);
  }

  #keepWaiting(frame: Buffer): Refusal | undefined {
    const { context, accountId } = this.#parts;
    if (this.#waiting.length >= FRAMES_WAITING_MAX) {
      return refuse(
        'concurrency_limit_exceeded',
        `${FRAMES_WAITING_MAX} requests of this connection are waiting. Send the next one when a response has ended, or open another connection.`,
        { retryAfterMs: 1_000 },
      );
    }
    if (frame.length >= ROOM_BYTES_MIN) {
      const refused = context.bodyLimits.quota.take(accountId, frame.length);
      if (refused !== undefined) return refused;
    }
    this.#waiting.push(frame);
    return undefined;
  }

  #release(frame: Buffer): void {
    const { context, accountId } = this.#parts;
    if (frame.length >= ROOM_BYTES_MIN) context.bodyLimits.quota.release(accountId, frame.length);
  }

  /** Refuses a frame that has become no request. */
  #refuse(refusal: Refusal): void {
    const { dialect, conversation } = this.#parts;
    const { requestId } = new RequestTrace();
    const { status, bytes } = dialect.renderError(refusal, requestId);
    const headers = replyHeaders(requestId, dialect);
    this.#socket?.sendText(conversation.wholeReply({ status, headers, body: bytes }));
  }

  /** Reports to the thread how much is kept; beyond its memory the conversation is forgotten. */
  #countKept(): void {
    const { conversation, context } = this.#parts;
    if (!context.webSockets.replaceKept(this.#countedBytes, conversation.keptBytes)) {
      conversation.forget();
      context.webSockets.replaceKept(this.#countedBytes, 0);
    }
    this.#countedBytes = conversation.keptBytes;
  }
}
