import type { TokenCounts } from '@weir/shared/usage-record';
import type { Admitted } from './admission/admit.ts';
import { HoldMeter } from './admission/hold-meter.ts';
import type { Offer, Route } from '../catalog/catalog.ts';
import type { Ticking } from '../platform/event-loop/ticker.ts';
import { jsonHeaders } from './reply-refusal.ts';
import type { UpstreamFailure } from '../platform/errors/upstream-failure.ts';
import { REUSED_BYTES_MIN } from './http/body-buffers.ts';
import { KEEP_ALIVE, type Exchange } from './http/exchange.ts';
import type { Payer } from '../ledger/ledger.ts';
import { ChatStream } from '../protocols/openai-chat/chat-stream.ts';
import { buildUpstreamBody, type ChatRequest } from '../protocols/openai-chat/request.ts';
import { readChatReply } from '../protocols/openai-chat/response.ts';
import { capUsage } from '../protocols/openai-chat/usage.ts';
import { readReply } from './relay/read-reply.ts';
import { StreamRelay, type StreamClient, type StreamEnd } from './relay/stream-relay.ts';
import type { RequestTrace } from './request-trace.ts';
import type { Rooms } from './rooms.ts';
import type { Attempt, AttemptResult } from './routing/channel-health.ts';
import { estimateTextTokens } from '../tokens/estimate-tokens.ts';
import { promptTokensMax } from '../tokens/prompt-upper-bound.ts';
import { dropRest } from './upstream/drop-rest.ts';
import { judgeFailure, judgeStatus, type Verdict } from '../providers/openai-compatible/judge.ts';
import type { UpstreamCall } from './upstream/upstream-call.ts';
import { makeUsageRecord, usageRecordJson } from '../usage/request-bill.ts';

/** A reply that is under way or complete but for its last bytes, and what the attempt says about its channel. */
export interface Ending {
  readonly health: AttemptResult;
  send(): void;
}

export interface DeliveryParts {
  readonly exchange: Exchange;
  readonly rooms: Rooms;
  readonly trace: RequestTrace;
  readonly request: ChatRequest;
  readonly offer: Offer;
  readonly payer: Payer;
  readonly admitted: Admitted;
}

/** An error body is read this far: enough for its message, too little to fill memory. */
const ERROR_BODY_BYTES_MAX = 64 * 1024;
const NOTHING_SAID = Buffer.alloc(0);

const NO_TOKENS: TokenCounts = {
  input: 0,
  cachedInput: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: 0,
};

/** The mechanics of steps 5 to 8 for one admitted request; request-path.ts decides when each is taken. */
export class Delivery implements Ticking, StreamClient {
  place = -1;
  readonly rooms: Rooms;
  readonly trace: RequestTrace;
  readonly offer: Offer;
  readonly #parts: DeliveryParts;
  readonly #meter: HoldMeter;
  #call: UpstreamCall | undefined;
  #sentBody: Buffer | undefined;
  #relay: StreamRelay | undefined;
  #stream: ChatStream | undefined;
  #replyText: (() => string) | undefined;
  #deadlineAtMs = Infinity;
  /** When a client that waits for the head of a stream has last heard of it. */
  #heardAtMs: number;
  #attempt: Attempt = 0;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
    this.rooms = parts.rooms;
    this.trace = parts.trace;
    this.offer = parts.offer;
    this.#heardAtMs = parts.trace.startedAtMs;
    const { config, ledger, ticker } = parts.rooms;
    const { choices } = parts.request;
    this.#meter = new HoldMeter({
      ledger,
      requestId: parts.trace.requestId,
      payer: parts.payer,
      prices: parts.offer.prices,
      admitted: parts.admitted,
      holdTtlMs: config.holdTtlMs,
      sliceTokensTotal: config.streamSliceTokens * choices,
      outputTokensMaxTotal: parts.offer.model.outputTokensMax * choices,
      nowMs: parts.trace.startedAtMs,
    });
    ticker.add(this);
    // The memory of a larger body is to be used again.
    if (parts.request.bytes.length < REUSED_BYTES_MIN) {
      const kind = parts.request.stream ? 'stream' : 'whole';
      parts.rooms.specimens.offer(kind, this, parts.trace.startedAtMs);
    }
    parts.exchange.onAborted(() => {
      // A relay says by its end when it needs no more of the upstream.
      if (this.#relay !== undefined) this.#relay.clientGone();
      else this.#call?.abort({ failed: 'aborted', detail: 'the client left' });
    });
  }

  get clientGone(): boolean {
    return this.#parts.exchange.aborted;
  }

  tick(nowMs: number): void {
    this.#meter.tick(nowMs);
    if (this.#relay !== undefined) this.#relay.tick(nowMs);
    else if (this.#parts.request.stream) this.#keepAlive(nowMs);
    if (nowMs >= this.#deadlineAtMs) {
      this.#call?.abort({ failed: 'total_timeout', detail: 'the channel’s total time is over' });
    }
  }

  /** Some upstreams send their head with the first token: the client hears of its stream before, as of one that is silent later. */
  #keepAlive(nowMs: number): void {
    const { exchange, rooms } = this.#parts;
    if (nowMs - this.#heardAtMs < rooms.config.keepAliveCommentMs) return;
    this.#heardAtMs = nowMs;
    if (exchange.streaming) exchange.write(KEEP_ALIVE);
    else this.startStream(KEEP_ALIVE);
  }

  startStream(first: string | Uint8Array): boolean {
    const { exchange } = this.#parts;
    // Also for whoever leaves before there is any content.
    if (!exchange.aborted) this.trace.httpStatus = 200;
    return exchange.startStream(streamHeaders(this.trace.requestId), first);
  }

  write(chunk: string | Uint8Array): boolean {
    return this.#parts.exchange.write(chunk);
  }

  onWritable(listener: () => void): void {
    this.#parts.exchange.onWritable(listener);
  }

  /** The channel serves: a probe need not be waited for any longer. */
  contentBegins(): void {
    const { channelId } = this.trace;
    if (channelId !== null) this.rooms.health.answered(channelId, this.#attempt);
  }

  /** The name by which the client knows the model. */
  get publicModel(): string {
    return this.#parts.request.model;
  }

  /** Step 5. Resolves with the head of a reply worth relaying, or with what is to be made of the failure. */
  async send(
    { channel, upstreamModel }: Route,
    credential: string | null,
    attempt: Attempt,
  ): Promise<UpstreamCall | Verdict> {
    const { request, rooms, trace } = this.#parts;
    const cap = this.#outputTokensCap();
    const { outputLimitField, omittedFields } = channel;
    const body = buildUpstreamBody(request, upstreamModel, {
      includeUsage: request.stream,
      allocate: (bytes) => rooms.bodyBuffers.take(bytes),
      ...(cap === null ? {} : { maxOutputTokens: cap }),
      ...(outputLimitField === null ? {} : { outputLimitField }),
      omittedFields,
    });
    trace.channelId = channel.id;
    this.#attempt = attempt;
    const call = rooms.upstreams.send(channel, body, request.stream, credential);
    this.#call = call;
    this.#sentBody = body;
    this.#deadlineAtMs = Date.now() + channel.timeouts.totalMs;
    const head = await call.head;
    if ('failed' in head) return this.#failed(call, head);
    rooms.health.heard(channel.id);
    if (head.status >= 200 && head.status < 300) {
      if (!request.stream || head.contentType.startsWith('text/event-stream')) return call;
      const detail = `a stream was asked for and ${head.contentType || 'no content type'} came`;
      const said = head.contentType.startsWith('application/json')
        ? await readReply(call, ERROR_BODY_BYTES_MAX)
        : NOTHING_SAID;
      const body = Buffer.isBuffer(said) ? said : NOTHING_SAID;
      return this.#failed(call, { failed: 'bad_reply', detail, body });
    }
    const error = await readReply(call, ERROR_BODY_BYTES_MAX);
    trace.upstreamFailure = `status ${head.status}`;
    if (Buffer.isBuffer(error)) return judgeStatus(head, error);
    // What is longer may have no end, and would keep its connection for good.
    call.abort(error);
    return judgeStatus(head, NOTHING_SAID);
  }

  /** The limit on output tokens that goes up instead of the client's own: no more is asked for than can be billed. */
  #outputTokensCap(): number | null {
    const { request, admitted, offer } = this.#parts;
    const { outputTokensMax } = offer.model;
    const beyond = request.maxOutputTokens !== null && request.maxOutputTokens > outputTokensMax;
    return beyond ? outputTokensMax : admitted.outputTokensCap;
  }

  /** Step 6. A verdict means that the client has seen nothing of this reply. */
  relay(call: UpstreamCall): Ending | Verdict | Promise<Ending | Verdict> {
    return this.#parts.request.stream ? this.#relayStream(call) : this.#relayReply(call);
  }

  /** Steps 7 and 8: charges what was delivered, or gives the hold back when nothing was. Never throws. */
  settle(): Promise<unknown> {
    const { rooms, trace, payer } = this.#parts;
    rooms.ticker.remove(this);
    if (trace.status === 'failed') {
      const { requestId } = trace;
      return rooms.settlement.release({ requestId, accountId: payer.account.id });
    }
    const reported = trace.tokens ?? NO_TOKENS;
    // No prompt is without tokens, and no text: upstreams that know one of the two only report zero of the other.
    const whole = reported.input > 0 && (reported.output > 0 || this.#deliveredText() === '');
    if (whole) return this.#charge(reported);
    return this.#countMissing(reported).then((counts) => this.#charge(counts));
  }

  /** Charges these tokens, capped to what is possible. */
  #charge(counts: TokenCounts): Promise<unknown> {
    const { rooms, trace, payer, offer, request, admitted } = this.#parts;
    const { counts: tokens, capped } = capUsage(counts, {
      promptTokensMax: promptTokensMax(request, offer.model),
      outputTokensMax: offer.model.outputTokensMax,
      choices: request.choices,
    });
    trace.capped = capped;
    this.#giveBodiesBack();
    trace.tokens = tokens;
    const record = makeUsageRecord({
      requestId: trace.requestId,
      accountId: payer.account.id,
      keyId: payer.key.id,
      offer,
      stream: trace.stream,
      startedAtMs: trace.startedAtMs,
      endedAtMs: Date.now(),
      firstByteAtMs: trace.firstByteAtMs,
      status: trace.status,
      httpStatus: trace.httpStatus,
      channelId: trace.channelId,
      attempts: trace.attempts,
      tokens,
      promptTokensHeld: admitted.promptTokens,
      estimated: trace.estimated,
      capped: trace.capped,
    });
    trace.costNanoUsd = record.costNanoUsd;
    return rooms.settlement.settle({
      requestId: trace.requestId,
      payer,
      actualNanoUsd: record.costNanoUsd,
      tokens: tokens.input + tokens.output,
      recordJson: usageRecordJson(record, offer),
    });
  }

  /** The ending for a client that has left before anything was sent. */
  nobodyThere(): Ending {
    return { health: 'unknown', send: () => undefined };
  }

  #relayReply(call: UpstreamCall): Ending | Verdict | Promise<Ending | Verdict> {
    this.contentBegins();
    const body = readReply(call, this.rooms.config.replyBodyBytesMax);
    if (!(body instanceof Promise)) return this.#replyEnding(call, body);
    return body.then((late) => this.#replyEnding(call, late));
  }

  #replyEnding(call: UpstreamCall, body: Buffer | UpstreamFailure): Ending | Verdict {
    const { exchange, trace } = this.#parts;
    if (!Buffer.isBuffer(body)) return this.#failed(call, body);
    const reply = readChatReply(body, this.publicModel);
    if (reply === undefined) {
      return this.#failed(call, { failed: 'bad_reply', detail: 'not a chat completion', body });
    }
    trace.status = 'completed';
    trace.httpStatus = 200;
    trace.firstByteAtMs = Date.now();
    trace.tokens = reply.usage;
    this.#replyText = reply.text;
    return {
      health: 'succeeded',
      send: () => {
        const counted = this.#counted;
        const bytes = counted === null ? reply.bytes : reply.withUsage(counted);
        exchange.reply(200, jsonHeaders(trace.requestId), bytes);
      },
    };
  }

  #relayStream(call: UpstreamCall): Promise<Ending | Verdict> {
    const { exchange, rooms, request } = this.#parts;
    const stream = new ChatStream({
      publicModel: this.publicModel,
      includeUsage: request.includeUsage,
      choices: request.choices,
    });
    this.#stream = stream;
    const relay = new StreamRelay({
      body: call,
      client: this,
      translator: stream,
      meter: this.#meter,
      keepAliveMs: rooms.config.keepAliveCommentMs,
      started: exchange.streaming,
      lastWriteAtMs: this.#heardAtMs,
    });
    this.#relay = relay;
    if (exchange.aborted) relay.clientGone();
    return relay.ended.then((end) => this.#streamEnding(call, end, { relay, stream }));
  }

  #streamEnding(
    call: UpstreamCall,
    end: StreamEnd,
    { relay, stream }: { readonly relay: StreamRelay; readonly stream: ChatStream },
  ): Ending | Verdict {
    const { exchange, rooms, trace } = this.#parts;
    this.#relay = undefined;
    trace.firstByteAtMs = relay.firstByteAtMs;
    if (end.kind === 'nothing_sent') return this.#failed(call, end.failure);
    trace.tokens = stream.usage ?? stream.promptUsage;
    // A client that left before any content owes nothing: no output has reached it.
    if (end.kind !== 'client_disconnected' || relay.firstByteAtMs !== null) trace.status = end.kind;
    if (end.kind === 'client_disconnected') {
      if (stream.usage !== null && stream.finished) dropRest(call, rooms.ticker);
      else call.abort({ failed: 'aborted', detail: 'the client left' });
      return this.nobodyThere();
    }
    if (end.kind === 'upstream_disconnected') trace.upstreamFailure = end.failure.detail;
    if (end.kind === 'completed') dropRest(call, rooms.ticker);
    else call.abort({ failed: 'aborted', detail: end.kind });
    return {
      health: end.kind === 'upstream_disconnected' ? judgeFailure(end.failure).health : 'succeeded',
      send: () => {
        exchange.endStream(end.kind === 'completed' ? stream.endMarker(this.#counted) : end.last);
      },
    };
  }

  /** The bill's tokens when they, or some of them, were counted here: what is billed is what the client is told. */
  get #counted(): TokenCounts | null {
    return this.#parts.trace.estimated ? this.#parts.trace.tokens : null;
  }

  /** Tokens have been counted, so only undici may still read the request's body, or that of an attempt that failed. */
  #giveBodiesBack(): void {
    const { rooms, trace, request } = this.#parts;
    if (trace.attempts !== 1 || this.#call?.bodySent !== true) return;
    rooms.bodyBuffers.giveBack(request.bytes);
    if (this.#sentBody !== undefined) rooms.bodyBuffers.giveBack(this.#sentBody);
  }

  #deliveredText(): string {
    return this.#stream?.deliveredText() ?? this.#replyText?.() ?? '';
  }

  /** Counts the prompt, the output or both: whichever the upstream reported none of. */
  async #countMissing(reported: TokenCounts): Promise<TokenCounts> {
    const { rooms, trace, request, admitted } = this.#parts;
    trace.estimated = true;
    const [input, output] = await Promise.all([
      reported.input > 0 ? null : rooms.workers.countPrompt(request.model, request.bytes),
      reported.output > 0 ? null : rooms.workers.countText(request.model, this.#deliveredText()),
    ]);
    let counts = reported;
    // With the pool overloaded estimates have to do. What was held for the prompt is no estimate but a bound, often four times as much.
    if (input !== null) {
      const estimate = Math.min(admitted.promptTokens, request.promptTokensEstimate);
      const counted = typeof input === 'number' ? input : estimate;
      counts = { ...counts, input: counted, cachedInput: 0, cacheWrite: 0 };
    }
    if (output !== null) {
      const estimate =
        this.#stream?.outputTokensEstimate ?? estimateTextTokens(this.#deliveredText());
      counts = { ...counts, output: typeof output === 'number' ? output : estimate, reasoning: 0 };
    }
    return counts;
  }

  #failed(call: UpstreamCall, failure: UpstreamFailure): Verdict {
    this.#parts.trace.upstreamFailure = `${failure.failed}: ${failure.detail}`;
    call.abort({ failed: 'aborted', detail: failure.detail });
    return judgeFailure(failure);
  }
}

function streamHeaders(requestId: string): [string, string][] {
  return [
    ['content-type', 'text/event-stream; charset=utf-8'],
    ['cache-control', 'no-cache'],
    ['x-accel-buffering', 'no'],
    ['x-request-id', requestId],
  ];
}
