import { steadyNowMs } from '../platform/clock/steady-clock.ts';
import { callUpstream, isSecretRefused, readBody } from './ask-upstream.ts';
import { CLIENT_GONE, type Result } from './attempt-outcome.ts';
import type { Billing } from './billing/billing.ts';
import type { ClientReply } from './reply/client-reply.ts';
import { isRefusal } from '../platform/errors/refusal.ts';
import type { UpstreamFailure } from '../platform/errors/upstream-failure.ts';
import type {
  Codec,
  Encoded,
  ParsedRequest,
  Reply,
  ReplyTerms,
  UsageMember,
} from '../protocols/protocol.ts';
import type { ReplyIds } from '../protocols/stored-replies.ts';
import type { StreamReader } from '../protocols/stream-reader.ts';
import { CHANNEL_FAULT, ofRequest, verdictOn, type Verdict } from '../providers/verdict.ts';
import {
  cleanMessage,
  upstreamMessage,
  type MaskedTexts,
} from '../request-history/upstream-message.ts';
import { decodeReply } from './relay/decode-reply.ts';
import { readOrPass } from './relay/read-reply.ts';
import { reportCost, reportCostInEvents } from './relay/report-cost.ts';
import { StreamRelay } from './relay/stream-relay.ts';
import type { RelayedReply, StreamEnd } from './relay/relay-parts.ts';
import type { RequestTrace } from './request-trace.ts';
import type { Corrections, FailedAttempt, RefusalWords } from './routing/corrections.ts';
import type { BegunAttempt } from './routing/health/channel-health.ts';
import { judgeError, judgeFailure } from './routing/judge-failure.ts';
import type { ServedRoute } from './routing/served-routes.ts';
import type { StoredRoute } from './routing/stored-route.ts';
import type { RelayContext } from './thread-context.ts';
import { drainResponse } from './upstream/drain-response.ts';
import type { BodyTerms, UpstreamBodies } from './upstream-bodies.ts';
import type { UpstreamCall } from './upstream/upstream-call.ts';
import { redirectText } from './upstream/upstream-head.ts';

export interface AttemptParts {
  readonly context: RelayContext;
  readonly trace: RequestTrace;
  readonly request: ParsedRequest;
  readonly bodies: UpstreamBodies;
  readonly client: ClientReply;
  readonly billing: Billing;
  /** 1 is the first attempt of its request. */
  readonly number: number;
  /** For the breakers. */
  readonly begun: BegunAttempt;
  readonly route: ServedRoute;
  readonly credential: string | null;
  /** The upstream's account has not made this conversation, or cannot verify all of it. */
  readonly withoutProofs: boolean;
  readonly corrections: Corrections;
  /** The stored reply that the request continues; null: none. */
  readonly stored: StoredRoute | null;
  /** The place of the request's cost in its reply; null: the client does not ask for it. */
  readonly costPlace: UsageMember | null;
  /** The ids of the reply, where the channel stores it. */
  readonly ids?: ReplyIds | undefined;
}

/** An error body is read this far: enough for its message, too little to fill memory. */
const ERROR_BODY_BYTES_MAX = 64 * 1024;
const NO_BODY = Buffer.alloc(0);
const NOTHING: readonly never[] = [];

/**
 * One try at one channel and credential. It owns the upstream call, its deadline and its report to
 * the breaker.
 */
export class Attempt {
  readonly #parts: AttemptParts;
  #call: UpstreamCall | undefined;
  #encoded: Encoded | undefined;
  #relay: StreamRelay | undefined;
  #stream: StreamReader | undefined;
  #deadlineAtMs = Infinity;
  readonly #startedAtMs = steadyNowMs();
  /** The secret that was sent: the credential, or the token minted for it. */
  #secret: string | null = null;
  /** The upstream's status; null before there is one. */
  #status: number | null = null;
  /** The error that the upstream replied, as the reply or under a status of its own. */
  #words: RefusalWords | undefined;

  constructor(parts: AttemptParts) {
    this.#parts = parts;
  }

  /** Resolves with the head of a reply worth relaying, or with the verdict on the failure. */
  async send(): Promise<UpstreamCall | Verdict> {
    const { bodies, billing, client, context, trace, route, stored, begun } = this.#parts;
    trace.attemptBegins(this.#startedAtMs);
    client.droppedFields = bodies.droppedFields(route);
    const encoded = bodies.write(route, this.#terms());
    // A channel of another kind may be able to serve it.
    if (isRefusal(encoded)) {
      const verdict = { ...ofRequest(encoded), failover: true };
      this.#noteFailure(verdict, 'not_sent', cleanMessage(encoded.message));
      return verdict;
    }
    const { body, leftOut = NOTHING } = encoded;
    if (leftOut.length > 0) client.droppedFields = [...client.droppedFields, ...leftOut];
    this.#encoded = encoded;
    this.#deadlineAtMs = this.#startedAtMs + route.channel.timeouts.totalMs;
    const minted = context.minted.secretOf(this.#parts.credential);
    const secret = minted instanceof Promise ? await minted : minted;
    if (secret !== null && typeof secret !== 'string') return this.#failed(secret);
    let call = this.#callWith(secret, encoded);
    let head = await call.head;
    if (!('failed' in head) && isSecretRefused(route.provider, head)) {
      const other = await this.#otherSecret(secret);
      if (other !== undefined) {
        drainResponse(call, context.ticker);
        call = this.#callWith(other, encoded);
        head = await call.head;
      }
    }
    if ('failed' in head) return this.#failed(head);
    this.#status = head.status;
    context.health.onHeaders(begun);
    // Content types are often wrong: what a body is its first bytes tell.
    if (head.status >= 200 && head.status < 300) {
      billing.servedTier = head.servedTier;
      return call;
    }
    const error = await readBody(call, ERROR_BODY_BYTES_MAX);
    trace.upstreamFailure = `status ${head.status}${redirectText(head)}`;
    const errorBody = Buffer.isBuffer(error) ? error : NO_BODY;
    const verdict = judgeError({ route, stored }, head, errorBody);
    const message = this.#upstreamMessage(errorBody);
    this.#words = { status: head.status, sent: body, error: errorBody, message: message ?? '' };
    this.#noteFailure(verdict, null, message);
    return verdict;
  }

  #callWith(secret: string | null, { body, storedBody, contentType }: Encoded): UpstreamCall {
    const { context, request, route, bodies } = this.#parts;
    const { channel, codec, provider } = route;
    this.#secret = secret;
    // The relay makes a stream of a whole reply, and keeps the client alive until it comes.
    const asStream = request.stream && this.#encoded?.asksWhole !== true;
    const call = callUpstream(
      context.upstreams,
      { channel, provider, credential: secret },
      {
        path: asStream ? route.streamPath : route.path,
        headers: [...(codec.headers?.(request, route) ?? []), ...bodies.tierHeader(route)],
        body: storedBody ?? body,
        ...(contentType === undefined ? {} : { contentType }),
        stream: asStream,
      },
    );
    this.#call = call;
    return call;
  }

  /**
   * Returns another secret after a minted one was refused, which may have been revoked before its
   * time. One that was entered has no other.
   */
  async #otherSecret(refused: string | null): Promise<string | undefined> {
    const { context, credential, client } = this.#parts;
    if (credential === null || refused === null || refused === credential) return undefined;
    const other = await context.minted.replace(credential, refused);
    return client.clientGone ? undefined : other;
  }

  /** Passes the reply to the client. A verdict means that the client has seen nothing of it. */
  relay(call: UpstreamCall): Result | Promise<Result> {
    const isRelayed = this.#parts.request.stream && this.#encoded?.asStream === undefined;
    return isRelayed ? this.#relayStream(call) : this.#relayReply(call);
  }

  /** For the breakers. */
  get begun(): BegunAttempt {
    return this.#parts.begun;
  }

  /** Reports whether the upstream replied, with any status. */
  get replied(): boolean {
    return this.#status !== null;
  }

  /** The upstream's refusal, and the means to correct the request before the client sees it. */
  get failed(): Pick<FailedAttempt, 'words' | 'isChangedByFit'> {
    const { bodies, route } = this.#parts;
    const terms = this.#terms();
    const isChangedByFit = (): boolean => !terms.fitsWhole && bodies.isChangedByFit(route, terms);
    return { words: this.#words, isChangedByFit };
  }

  /** Reports the end to the breakers; called exactly once. */
  finish(succeeded: boolean): void {
    const { context, client, begun } = this.#parts;
    if (this.#call?.bodySent === true) client.reachedUpstream = true;
    context.health.finished(begun, succeeded);
  }

  /** Returns whether a stream is being relayed, which keeps its client alive by itself. */
  tick(nowMs: number): boolean {
    this.#relay?.tick(nowMs);
    if (nowMs >= this.#deadlineAtMs) {
      this.#call?.abort({ failed: 'total_timeout', detail: 'the channel’s total time is over' });
    }
    return this.#relay !== undefined;
  }

  /** A relay says by its end when it needs no more of the upstream. */
  clientGone(): void {
    if (this.#relay !== undefined) this.#relay.clientGone();
    else this.#call?.abort({ failed: 'aborted', detail: 'the client left' });
  }

  /**
   * The channel serves: a probe need not be waited for any longer. No attempt follows a stream that
   * has begun.
   */
  contentBegins(): void {
    const { context, billing, bodies, begun } = this.#parts;
    context.health.onFirstContent(begun);
    if (this.#stream === undefined) return;
    this.#parts.corrections.taken(this.#parts.route);
    bodies.release();
    billing.delivering(this.#stream);
  }

  /** Releases the memory of the request's body, which only undici may read after one attempt. */
  releaseBodies(): void {
    const { context, request } = this.#parts;
    if (this.#call?.bodySent !== true) return;
    context.bodyBuffers.release(request.bytes);
    if (this.#encoded !== undefined) context.bodyBuffers.release(this.#encoded.body);
  }

  #relayReply(call: UpstreamCall): Result | Promise<Result> {
    this.contentBegins();
    const { context, costPlace, request } = this.#parts;
    // The cost may have to go into what a large reply begins with.
    const codec = costPlace === null ? this.#replyCodec() : undefined;
    const openLarge = (begin: Buffer): StreamReader | undefined =>
      codec?.openLarge?.(begin, request, this.#replyTerms());
    const outcome = (reply: Buffer | UpstreamFailure | RelayedReply): Result | Promise<Result> =>
      'reader' in reply ? this.#relayTo(call, reply) : this.#replyOutcome(reply);
    const reply = readOrPass(call, context.config.replyBodyBytesMax, openLarge);
    return reply instanceof Promise ? reply.then(outcome) : outcome(reply);
  }

  #replyOutcome(body: Buffer | UpstreamFailure): Result {
    const { route, request, client, billing } = this.#parts;
    if (!Buffer.isBuffer(body)) return this.#failed(body);
    const terms = this.#replyTerms();
    const read = { codec: this.#replyCodec(), provider: route.provider, terms };
    const reply = decodeReply(body, request, read);
    if ('failed' in reply) return this.#failed(reply);
    if (reply.refusal === undefined) client.succeeds();
    else client.failsBilled(reply.refusal);
    billing.delivering(reply);
    billing.delivered('completed');
    return { health: 'succeeded', send: () => this.#sendReply(reply) };
  }

  #sendReply(reply: Reply): void {
    const { client, billing, costPlace } = this.#parts;
    if (reply.refusal !== undefined) {
      client.refuse(reply.refusal).send();
      return;
    }
    const { counted } = billing;
    const bytes = counted === null ? reply.bytes : reply.withUsage(counted);
    const sent = reportCost(bytes, billing.costNanoUsd, costPlace);
    const stream = this.#encoded?.asStream?.(sent);
    if (stream === undefined) client.send(sent, reply.contentType);
    else client.sendAsStream(stream);
  }

  #relayStream(call: UpstreamCall): Promise<Result> {
    const { context, request, route } = this.#parts;
    const codec = this.#replyCodec();
    const { replyBodyBytesMax: bytesMax } = context.config;
    const { findFailure } = route.provider;
    const reader = codec.openStream(request, findFailure, bytesMax, this.#replyTerms());
    return this.#relayTo(call, { body: call, reader, forms: codec.forms });
  }

  #relayTo(call: UpstreamCall, reply: RelayedReply): Promise<Result> {
    const { context, client, billing } = this.#parts;
    this.#stream = reply.reader;
    const relay = new StreamRelay({
      ...reply,
      client,
      replyBytesMax: context.config.replyBodyBytesMax,
      meter: billing.meter,
      keepAliveMs: context.config.keepAliveCommentMs,
      started: client.started,
      lastWriteAtMs: client.lastWriteAtMs,
    });
    this.#relay = relay;
    if (client.clientGone) relay.clientGone();
    return relay.ended.then((end) => this.#streamOutcome(call, end, reply.reader));
  }

  #terms(): BodyTerms {
    const { billing, withoutProofs, stored, corrections, route } = this.#parts;
    const { outputTokensCap } = billing;
    const withoutFields = corrections.without(route);
    const fitsWhole = corrections.fitsWhole(route);
    return { outputTokensCap, withoutProofs, stored: stored?.things, fitsWhole, withoutFields };
  }

  #replyTerms(): ReplyTerms {
    const { ids, route } = this.#parts;
    const { fieldPolicy } = route.channel;
    return { ids, fieldPolicy, restoration: this.#encoded?.restoration, profile: route.profile };
  }

  /** A request may be encoded in a way that its reply has to be read in. */
  #replyCodec(): Codec {
    return this.#encoded?.replyCodec ?? this.#parts.route.codec;
  }

  #streamOutcome(call: UpstreamCall, end: StreamEnd, stream: StreamReader): Result {
    const { client, context, trace, billing, route } = this.#parts;
    this.#relay = undefined;
    if (end.kind === 'nothing_sent') return this.#failed(end.failure);
    billing.delivered(end.kind);
    if (end.kind === 'client_disconnected') {
      if (stream.usage !== null && stream.finished) drainResponse(call, context.ticker);
      else call.abort({ failed: 'aborted', detail: 'the client left' });
      return CLIENT_GONE;
    }
    if (end.kind === 'completed') drainResponse(call, context.ticker);
    else call.abort({ failed: 'aborted', detail: end.kind });
    const send = (): void => {
      const last = end.kind === 'completed' ? stream.endMarker(billing.counted) : end.last;
      const sent = reportCostInEvents(last, billing.costNanoUsd, this.#parts.costPlace);
      if (end.kind === 'completed') client.endStream(sent);
      else client.failStream(sent);
    };
    if (end.kind !== 'upstream_disconnected') return { health: 'succeeded', send };
    trace.upstreamFailure = end.failure.detail;
    const verdict = verdictOn(end.failure, route.provider);
    this.#noteFailed(end.failure, verdict);
    return { health: verdict.health, send };
  }

  #failed(failure: UpstreamFailure): Verdict {
    const { trace, route, stored } = this.#parts;
    trace.upstreamFailure = `${failure.failed}: ${failure.detail}`;
    this.#call?.abort({ failed: 'aborted', detail: failure.detail });
    const verdict = judgeFailure({ route, stored }, failure);
    // Log a request that got no reply, whatever that says about the channel.
    const isTimeout = failure.failed === 'total_timeout';
    this.#noteFailed(failure, isTimeout ? CHANNEL_FAULT : verdict);
    return verdict;
  }

  #noteFailed({ failed, detail, body }: UpstreamFailure, verdict: Verdict): void {
    // We ended it: the client left.
    if (failed === 'aborted') return;
    const words = body === undefined ? null : this.#upstreamMessage(body);
    const status = this.#status;
    if (body !== undefined && status !== null && this.#encoded !== undefined) {
      this.#words = { status, sent: this.#encoded.body, error: body, message: words ?? '' };
    }
    this.#noteFailure(verdict, failed, words ?? cleanMessage(detail, this.#maskedTexts()));
  }

  /**
   * Notes the failure for the request history, and as the channel's last one, unless the request or
   * a temporary limit caused it.
   */
  #noteFailure({ scope, health }: Verdict, failure: string | null, message: string | null): void {
    const { context, trace, route, number } = this.#parts;
    trace.attemptFailed({
      number,
      channelId: route.channel.id,
      place: route.place,
      upstreamStatus: this.#status,
      failure,
      message,
      startedMs: this.#startedAtMs - trace.startedAtMs,
      durationMs: steadyNowMs() - this.#startedAtMs,
    });
    if (scope === 'request' || health === 'limited') return;
    const httpStatus = failure === null ? this.#status : null;
    context.health.noteFailure(route.channel.id, { httpStatus, message: message ?? '' });
  }

  #upstreamMessage(body: Buffer): string | null {
    return upstreamMessage(this.#status, body, this.#maskedTexts());
  }

  #maskedTexts(): MaskedTexts {
    return { credential: this.#secret, body: this.#parts.request.bytes };
  }
}
