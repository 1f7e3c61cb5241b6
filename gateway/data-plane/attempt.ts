import type { Billing } from './billing.ts';
import type { ClientReply } from './client-reply.ts';
import { REUSED_BYTES_MIN } from './http/body-buffers.ts';
import { isRefusal } from '../platform/errors/refusal.ts';
import type { UpstreamFailure } from '../platform/errors/upstream-failure.ts';
import type { ParsedRequest } from '../protocols/protocol.ts';
import type { StreamReader } from '../protocols/stream-reader.ts';
import { ofRequest, verdictOn, type Verdict } from '../providers/verdict.ts';
import { readReply } from './relay/read-reply.ts';
import { StreamRelay, type StreamEnd } from './relay/stream-relay.ts';
import type { RequestTrace } from './request-trace.ts';
import type { AttemptNumber, AttemptResult } from './routing/channel-health.ts';
import type { ServedRoute } from './routing/served-routes.ts';
import type { RelayContext } from './thread-context.ts';
import { drainResponse } from './upstream/drain-response.ts';
import type { UpstreamCall } from './upstream/upstream-call.ts';

/** A reply that is complete but for its last bytes, and what the attempt says about its channel. */
export interface Outcome {
  readonly health: AttemptResult;
  /** Sends the last bytes; called when the request is settled. */
  send(): void;
}

/** What comes of an attempt: a reply, or a verdict when the client has seen nothing of it. */
type Result = Outcome | Verdict;

export interface AttemptParts {
  readonly context: RelayContext;
  readonly trace: RequestTrace;
  readonly request: ParsedRequest;
  readonly client: ClientReply;
  readonly billing: Billing;
  readonly route: ServedRoute;
  readonly credential: string | null;
  /** The upstream's account has not made this conversation, or cannot verify all of it. */
  readonly withoutProofs: boolean;
}

/** An error body is read this far: enough for its message, too little to fill memory. */
const ERROR_BODY_BYTES_MAX = 64 * 1024;
const NO_BODY = Buffer.alloc(0);

export function isOutcome(result: Result): result is Outcome {
  return 'send' in result;
}

/** The outcome for a client that has left: nothing is sent, and nothing is learnt about the channel. */
export const CLIENT_GONE: Outcome = { health: 'unknown', send: () => undefined };

/** One try at one channel and credential. It owns the upstream call, its deadline and its report to the breaker. */
export class Attempt {
  readonly #parts: AttemptParts;
  readonly #number: AttemptNumber;
  #call: UpstreamCall | undefined;
  #sentBody: Buffer | undefined;
  #relay: StreamRelay | undefined;
  #stream: StreamReader | undefined;
  #deadlineAtMs = Infinity;

  constructor(parts: AttemptParts) {
    this.#parts = parts;
    const { context, trace, client } = parts;
    const { channel, codec } = parts.route;
    trace.attempts += 1;
    trace.channelId = channel.id;
    trace.upstreamProtocol = codec.upstreamProtocol;
    this.#number = context.health.started(channel.id, channel.timeouts.firstByteMs);
    client.attempt = this;
  }

  /** Resolves with the head of a reply worth relaying, or with the verdict on the failure. */
  async send(): Promise<UpstreamCall | Verdict> {
    const { request, context, trace, billing, route, credential } = this.#parts;
    const { channel, codec, provider } = route;
    const body = codec.encode(request, {
      upstreamModel: route.upstreamModel,
      outputLimitField: channel.outputLimitField,
      omittedFields: channel.omittedFields,
      outputTokensMax: billing.outputTokensMax,
      outputTokensCap: billing.outputTokensCap,
      pricedMeters: billing.pricedMeters,
      tier: billing.pricedTier,
      withoutProofs: this.#parts.withoutProofs,
      allocate: (bytes) => context.bodyBuffers.take(bytes),
    });
    // A channel of another kind may be able to.
    if (isRefusal(body)) return { ...ofRequest(body), failover: true };
    const call = context.upstreams.send(channel, {
      path: request.stream ? route.streamPath : route.path,
      headers: [
        ...(credential === null ? [] : provider.credentialHeaders(credential)),
        ...(codec.headers?.(request) ?? []),
      ],
      body,
      stream: request.stream,
    });
    this.#call = call;
    this.#sentBody = body;
    this.#deadlineAtMs = Date.now() + channel.timeouts.totalMs;
    const head = await call.head;
    if ('failed' in head) return this.#failed(head);
    context.health.onHeaders(channel.id);
    if (head.status >= 200 && head.status < 300) {
      if (!request.stream || head.contentType.startsWith('text/event-stream')) return call;
      const detail = `a stream was asked for and ${head.contentType || 'no content type'} came`;
      const isJson = head.contentType.startsWith('application/json');
      const error = isJson ? await readReply(call, ERROR_BODY_BYTES_MAX) : NO_BODY;
      const body = Buffer.isBuffer(error) ? error : NO_BODY;
      return this.#failed({ failed: 'bad_reply', detail, body });
    }
    const error = await readReply(call, ERROR_BODY_BYTES_MAX);
    trace.upstreamFailure = `status ${head.status}`;
    const errorBody = Buffer.isBuffer(error) ? error : NO_BODY;
    // What is longer may have no end, and would keep its connection for good.
    if (!Buffer.isBuffer(error)) call.abort(error);
    return provider.classifyError(head.status, head.retryAfterMs, errorBody);
  }

  /** Passes the reply to the client. A verdict means that the client has seen nothing of it. */
  relay(call: UpstreamCall): Result | Promise<Result> {
    return this.#parts.request.stream ? this.#relayStream(call) : this.#relayReply(call);
  }

  /** Reports to the breaker; called exactly once. */
  finish(result: AttemptResult): void {
    const { context, route } = this.#parts;
    context.health.finished(route.channel.id, this.#number, result);
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

  /** The channel serves: a probe need not be waited for any longer. */
  contentBegins(): void {
    const { context, billing, route } = this.#parts;
    context.health.onFirstContent(route.channel.id, this.#number);
    if (this.#stream !== undefined) billing.delivering(this.#stream);
  }

  /**
   * Overwrites the request's body and lets go of the reply, so that this object can be kept. Returns
   * false when the body is still being sent, or when its memory is used again.
   */
  wipe(): boolean {
    const { bytes } = this.#parts.request;
    if (this.#call?.bodySent !== true || bytes.length >= REUSED_BYTES_MIN) return false;
    if (this.#sentBody !== undefined) {
      if (this.#sentBody.length >= REUSED_BYTES_MIN) return false;
      this.#sentBody.fill(0);
    }
    bytes.fill(0);
    // Both lead to what was received of the reply.
    this.#call = undefined;
    this.#stream = undefined;
    return true;
  }

  /** Gives the memory of the request's body back: of an only attempt only undici may still read it. */
  releaseBodies(): void {
    const { context, request } = this.#parts;
    if (this.#call?.bodySent !== true) return;
    context.bodyBuffers.release(request.bytes);
    if (this.#sentBody !== undefined) context.bodyBuffers.release(this.#sentBody);
  }

  #relayReply(call: UpstreamCall): Result | Promise<Result> {
    this.contentBegins();
    const body = readReply(call, this.#parts.context.config.replyBodyBytesMax);
    if (!(body instanceof Promise)) return this.#replyOutcome(body);
    return body.then((late) => this.#replyOutcome(late));
  }

  #replyOutcome(body: Buffer | UpstreamFailure): Result {
    const { route, request, trace, client, billing } = this.#parts;
    if (!Buffer.isBuffer(body)) return this.#failed(body);
    const reply = route.codec.decode(body, request, route.provider.findFailure);
    if (reply === undefined) {
      return this.#failed({ failed: 'bad_reply', detail: 'not a reply of the protocol', body });
    }
    trace.httpStatus = 200;
    billing.delivering(reply);
    billing.delivered('completed');
    return {
      health: 'succeeded',
      send: () => {
        const { counted } = billing;
        client.send(counted === null ? reply.bytes : reply.withUsage(counted));
      },
    };
  }

  #relayStream(call: UpstreamCall): Promise<Result> {
    const { context, client, billing, request, route } = this.#parts;
    const stream = route.codec.openStream(
      request,
      route.provider.findFailure,
      context.config.replyBodyBytesMax,
    );
    this.#stream = stream;
    const relay = new StreamRelay({
      body: call,
      client,
      reader: stream,
      meter: billing.meter,
      keepAlive: client.keepAlive,
      keepAliveMs: context.config.keepAliveCommentMs,
      started: client.started,
      lastWriteAtMs: client.lastWriteAtMs,
    });
    this.#relay = relay;
    if (client.clientGone) relay.clientGone();
    return relay.ended.then((end) => this.#streamOutcome(call, end, stream));
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
      client.endStream(end.kind === 'completed' ? stream.endMarker(billing.counted) : end.last);
    };
    if (end.kind !== 'upstream_disconnected') return { health: 'succeeded', send };
    trace.upstreamFailure = end.failure.detail;
    return { health: verdictOn(end.failure, route.provider).health, send };
  }

  #failed(failure: UpstreamFailure): Verdict {
    const { trace, route } = this.#parts;
    trace.upstreamFailure = `${failure.failed}: ${failure.detail}`;
    this.#call?.abort({ failed: 'aborted', detail: failure.detail });
    return verdictOn(failure, route.provider);
  }
}
