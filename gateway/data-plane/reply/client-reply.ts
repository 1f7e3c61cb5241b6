import { ERROR_CATALOGUE } from '@weir/shared/api/error-catalogue';
import { redactSecrets } from '@weir/shared/redact-secrets';
import type { Outcome } from '../attempt-outcome.ts';
import type { Attempt } from '../attempt.ts';
import type { Billing } from '../billing/billing.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Ticking } from '../../platform/event-loop/ticker.ts';
import type { Offer } from '../../catalog/catalog.ts';
import type { ReplyDialect } from '../../protocols/dialect.ts';
import type { ParsedRequest } from '../../protocols/protocol.ts';
import type { BegunReply } from '../../protocols/stream-reader.ts';
import type { StreamClient } from '../relay/relay-parts.ts';
import type { Refusal } from '../../platform/errors/refusal.ts';
import { replyHeaders, replyRefusal } from './reply-refusal.ts';
import type { RequestTrace } from '../request-trace.ts';

const NOTHING: readonly never[] = [];

export interface ClientReplyParts {
  readonly exchange: Exchange;
  readonly trace: RequestTrace;
  readonly dialect: ReplyDialect;
  readonly billing: Billing;
  readonly request: ParsedRequest;
  readonly offer: Offer;
  readonly keepAliveMs: number;
}

/** Names the fields of a request that stay here. */
export const DROPPED_FIELDS_HEADER = 'x-weir-dropped-fields';

const FIELDS_LISTED_MAX = 32;
const FIELD_CHARACTERS_MAX = 64;
/** Characters that are removed from a field's name before it is put into a header. */
const UNUSUAL = /[^\w.[\]-]/gu;

/** Adds the header that lists the client's fields that the upstream does not get. */
function addDroppedFields(headers: (readonly [string, string])[], fields: readonly string[]): void {
  if (fields.length === 0) return;
  // A field can be withheld for two reasons.
  const names = [...new Set(fields)];
  const listed = names.slice(0, FIELDS_LISTED_MAX).map(escaped);
  if (names.length > FIELDS_LISTED_MAX) listed.push('...');
  headers.push([DROPPED_FIELDS_HEADER, listed.join(', ')]);
}

function escaped(field: string): string {
  const name = redactSecrets(field).slice(0, FIELD_CHARACTERS_MAX).toWellFormed();
  return name.replace(UNUSUAL, (letter) => encodeURIComponent(letter));
}

/**
 * The client's side of one reply, over all attempts: it sends the head once, keeps a silent stream
 * alive, and ends the attempt when the client leaves.
 */
export class ClientReply implements Ticking, StreamClient {
  place = -1;
  /** The attempt that is under way. */
  attempt: Attempt | undefined;
  /** An upstream has had the whole request. */
  reachedUpstream = false;
  /** The time of the last write to a client that waits for the head of a stream. */
  lastWriteAtMs: number;
  /** The part of the reply that the client received before any upstream began one. */
  begunReply: BegunReply | null = null;
  /** Fields of the request that the upstream does not get. */
  droppedFields: readonly string[] = NOTHING;
  readonly #parts: ClientReplyParts;

  constructor(parts: ClientReplyParts) {
    this.#parts = parts;
    this.lastWriteAtMs = parts.trace.startedAtMs;
    parts.exchange.onAborted(() => this.attempt?.clientGone());
  }

  get clientGone(): boolean {
    return this.#parts.exchange.aborted;
  }

  keepAlive(): string {
    const { dialect, request } = this.#parts;
    if (dialect.beginReply === undefined || this.#mayBeStored()) return dialect.keepAlive;
    if (this.begunReply !== null) return this.begunReply.again;
    this.begunReply = dialect.beginReply(request.model);
    return this.begunReply.first;
  }

  /** The stream’s head has been sent. */
  get started(): boolean {
    return this.#parts.exchange.streaming;
  }

  /** The client is to get ids by which a channel finds the reply, and no others before. */
  #mayBeStored(): boolean {
    const { request, offer } = this.#parts;
    if (request.storesReply !== true && request.refersTo === undefined) return false;
    return offer.routes.some(({ channel }) => channel.storesResponses);
  }

  tick(nowMs: number): void {
    const { billing, request } = this.#parts;
    billing.meter.tick(nowMs);
    const isRelaying = this.attempt?.tick(nowMs) === true;
    if (!isRelaying && request.stream) this.#keepAlive(nowMs);
  }

  /**
   * Some upstreams send their head with the first token only, and the client must not give up
   * before.
   */
  #keepAlive(nowMs: number): void {
    const { exchange, keepAliveMs } = this.#parts;
    if (nowMs - this.lastWriteAtMs < keepAliveMs) return;
    this.lastWriteAtMs = nowMs;
    const bytes = this.keepAlive();
    // Nothing can be said before the reply.
    if (bytes === '') return;
    if (exchange.streaming) exchange.write(bytes);
    else this.startStream(bytes);
  }

  /** The client gets status 200, whatever becomes of its reply. */
  succeeds(): void {
    const { trace, billing } = this.#parts;
    trace.httpStatus = 200;
    billing.httpStatus = 200;
  }

  /** The client gets an error in place of a reply that is billed. */
  failsBilled({ refused }: Refusal): void {
    const { trace, billing } = this.#parts;
    const { status, title } = ERROR_CATALOGUE[refused];
    billing.httpStatus = this.started ? 200 : status;
    // The error may quote the model, and so the prompt.
    trace.refusalMessage = title;
  }

  /** Ends the reply with a refusal, in the dialect of what the client has got of it. */
  refuse(refusal: Refusal): Outcome {
    const { exchange, trace, dialect } = this.#parts;
    const reply = { exchange, trace, dialect, begun: this.begunReply };
    return { health: 'unknown', send: () => replyRefusal(reply, refusal) };
  }

  startStream(first: string | Uint8Array): boolean {
    const { exchange, trace, dialect } = this.#parts;
    // Also of a client that leaves before there is any content.
    if (!exchange.aborted) this.succeeds();
    const headers = streamHeaders(trace.requestId, dialect);
    this.#addTier(headers);
    addDroppedFields(headers, this.droppedFields);
    return exchange.startStream(headers, first, dialect);
  }

  write(chunk: string | Uint8Array): boolean {
    return this.#parts.exchange.write(chunk);
  }

  onWritable(listener: () => void): void {
    this.#parts.exchange.onWritable(listener);
  }

  contentBegins(): void {
    this.attempt?.contentBegins();
  }

  /** Sends a whole reply. @param contentType absent: JSON */
  send(bytes: Uint8Array, contentType?: string): void {
    const { exchange, trace, dialect } = this.#parts;
    const headers = replyHeaders(trace.requestId, dialect, contentType);
    if (dialect.furtherHeaders !== undefined) headers.push(...dialect.furtherHeaders);
    this.#addTier(headers);
    addDroppedFields(headers, this.droppedFields);
    exchange.reply(200, headers, bytes);
  }

  /** Sends a whole reply to a client that has asked for a stream. */
  sendAsStream(bytes: Uint8Array): void {
    if (!this.started) this.startStream('');
    this.endStream(bytes);
  }

  /** The head of a stream that had to be kept alive is sent before any upstream names a tier. */
  #addTier(headers: (readonly [string, string])[]): void {
    const { dialect, billing } = this.#parts;
    if (dialect.tierHeader === undefined || !TIER_NAME.test(billing.servedTier)) return;
    headers.push([dialect.tierHeader, billing.servedTier]);
  }

  /** Sends the last bytes of a stream that has failed; one that cannot say so is broken off. */
  failStream(last: string | Uint8Array): void {
    const { exchange, dialect } = this.#parts;
    if (dialect.breaksOff === true) exchange.breakOff();
    else exchange.endStream(last);
  }

  /** Sends a stream's last bytes. */
  endStream(last: string | Uint8Array): void {
    this.#parts.exchange.endStream(last);
  }
}

const TIER_NAME = /^\w{1,32}$/;
const SSE_TYPE = 'text/event-stream; charset=utf-8';

function streamHeaders(
  requestId: string,
  { requestIdHeader, streamContentType, furtherHeaders }: ReplyDialect,
): (readonly [string, string])[] {
  const headers: (readonly [string, string])[] = [
    ['content-type', streamContentType ?? SSE_TYPE],
    ['cache-control', 'no-cache'],
    ['x-accel-buffering', 'no'],
    ['x-request-id', requestId],
  ];
  if (requestIdHeader !== undefined) headers.push([requestIdHeader, requestId]);
  if (furtherHeaders !== undefined) headers.push(...furtherHeaders);
  return headers;
}
