import { METER_IDS, METERS, type Meter, type MeterId } from '@weir/shared/meters';
import type { TokenCounts, UsageStatus } from '@weir/shared/usage-record';
import { steadyNowMs } from '../platform/clock/steady-clock.ts';
import type { Admitted } from './admission/admit.ts';
import { HoldMeter } from './admission/hold-meter.ts';
import type { Offer } from '../catalog/catalog.ts';
import type { Payer } from '../ledger/ledger.ts';
import type { ParsedRequest, ProtocolId } from '../protocols/protocol.ts';
import type { RequestTrace } from './request-trace.ts';
import type { BillingContext } from './thread-context.ts';
import { hasPrice, type CompiledPrices } from '../pricing/compile-prices.ts';
import { billedTier, pricesToHold } from '../pricing/tiers.ts';
import { estimateTextTokens } from '../tokens/estimate-tokens.ts';
import { promptTokensMax } from '../tokens/prompt-upper-bound.ts';
import { capUsage } from '../usage/cap-usage.ts';
import { makeUsageRecord, usageRecordJson } from '../usage/request-bill.ts';
import { upstreamCost } from '../usage/upstream-cost.ts';

/** What of a reply reaches the client: its tokens as reported, or its text to count them. */
export interface DeliveredReply {
  /** As the upstream reported them; null when it did not. */
  readonly usage: TokenCounts | null;
  /** What the upstream reported of the prompt alone. */
  readonly promptUsage?: TokenCounts | null;
  /** Output tokens, estimated without a tokenizer. */
  readonly outputTokensEstimate?: number;
  deliveredText(): string;
}

/** How a reply ended of which something was delivered. */
export type DeliveredStatus = Exclude<UsageStatus, 'failed'>;

export interface BillingParts {
  readonly context: BillingContext;
  readonly trace: RequestTrace;
  readonly protocol: ProtocolId;
  readonly request: ParsedRequest;
  readonly offer: Offer;
  readonly payer: Payer;
  readonly admitted: Admitted;
}

const NO_TOKENS: TokenCounts = {
  input: 0,
  cachedInput: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: 0,
};

/**
 * What an admitted request costs. It alone decides whether the hold is released or charged.
 *
 * States: nothing_delivered -> delivering (output is on its way to the client) -> delivered (the
 * reply is over, and how), or nothing_delivered -> abandoned (an upstream worked for a client that
 * left). `settle` releases the hold in the first state, records a bill of nothing when it was
 * abandoned, and charges what was delivered in the others.
 */
export class Billing {
  readonly meter: HoldMeter;
  firstByteAtMs: number | null = null;
  /** What is billed, once it is known. */
  tokens: TokenCounts | null = null;
  /** Tokens were counted here, because the upstream did not report them. */
  estimated = false;
  /** The upstream reported impossible counts. */
  capped = false;
  costNanoUsd = 0;
  /** What the route costs that the request was last sent to; null where that is unknown. */
  upstreamPrices: CompiledPrices | null = null;
  readonly #parts: BillingParts;
  #state: 'nothing_delivered' | 'abandoned' | 'delivering' | 'delivered' = 'nothing_delivered';
  #status: UsageStatus = 'failed';
  #reply: DeliveredReply | undefined;

  constructor(parts: BillingParts) {
    this.#parts = parts;
    const { context, trace, payer, offer, admitted, request } = parts;
    this.meter = new HoldMeter({
      ledger: context.ledger,
      requestId: trace.requestId,
      payer,
      prices: pricesToHold(offer.prices, request),
      admitted,
      holdTtlMs: context.config.holdTtlMs,
      sliceTokensTotal: context.config.streamSliceTokens * request.choices,
      outputTokensMaxTotal: offer.model.outputTokensMax * request.choices,
      nowMs: trace.startedAtMs,
    });
  }

  /** `failed` until something billable is on its way to the client. */
  get status(): UsageStatus {
    return this.#status;
  }

  get accountId(): string {
    return this.#parts.payer.account.id;
  }

  /** The most that the model produces in one choice. */
  get outputTokensMax(): number {
    return this.#parts.offer.model.outputTokensMax;
  }

  /**
   * The limit on output tokens that goes up instead of the client's own: no more is asked for than
   * can be billed.
   */
  get outputTokensCap(): number | null {
    const { request, admitted, offer } = this.#parts;
    const { outputTokensMax } = offer.model;
    const beyond = request.maxOutputTokens !== null && request.maxOutputTokens > outputTokensMax;
    return beyond ? outputTokensMax : admitted.outputTokensCap;
  }

  /**
   * What tools of the request that can be left out are charged by, as far as the model has a price
   * for it.
   */
  get pricedMeters(): readonly MeterId[] {
    const { request, offer } = this.#parts;
    const meters = [...request.meters, ...(request.droppableMeters ?? [])];
    return meters.length === 0 ? meters : meters.filter((meter) => hasPrice(offer.prices, meter));
  }

  /** The tier that goes up with the request: undefined where the model has no price for it. */
  get pricedTier(): string | undefined {
    const { request, offer } = this.#parts;
    const name = request.tier?.name;
    return name !== undefined && offer.prices.tiers.has(name) ? name : undefined;
  }

  /** The bill's tokens when some of them were counted here: the client is told what is billed. */
  get counted(): TokenCounts | null {
    return this.estimated ? this.tokens : null;
  }

  /** The reply's first content goes to the client. */
  delivering(reply: DeliveredReply): void {
    this.#state = 'delivering';
    this.#reply = reply;
    this.firstByteAtMs = steadyNowMs();
    // What it stays at when the request breaks an invariant before the reply is over.
    this.#status = 'upstream_disconnected';
  }

  /** The reply is over. Changes nothing when no content had reached the client. */
  delivered(status: DeliveredStatus): void {
    if (this.#state !== 'delivering') return;
    this.#state = 'delivered';
    this.#status = status;
  }

  /**
   * The client has left a request that an upstream has. Without output it costs nothing, but the
   * operator may be charged for it: it leaves a record. Changes nothing once output is on its way.
   */
  abandoned(): void {
    if (this.#state !== 'nothing_delivered') return;
    this.#state = 'abandoned';
    this.#status = 'client_disconnected';
  }

  /** Charges what was delivered, or releases the hold when nothing was. Never rejects. */
  settle(): Promise<unknown> {
    const { context, trace, payer } = this.#parts;
    if (this.#state === 'abandoned') return this.#charge(NO_TOKENS);
    const reply = this.#reply;
    if (this.#state === 'nothing_delivered' || reply === undefined) {
      const { requestId } = trace;
      return context.settlement.release({ requestId, accountId: payer.account.id });
    }
    const reported = reply.usage ?? reply.promptUsage ?? NO_TOKENS;
    // No prompt has less than a token, and no text: upstreams that know one of the two only report
    // zero of the other.
    const whole = reported.input >= 1 && (reported.output >= 1 || reply.deliveredText() === '');
    if (whole) return this.#charge(reported);
    return this.#countMissing(reported, reply).then((counts) => this.#charge(counts));
  }

  /** Charges these tokens, capped to what is possible. */
  #charge(counts: TokenCounts): Promise<unknown> {
    const { context, trace, payer, offer, request, admitted } = this.#parts;
    const { counts: tokens, capped } = capUsage(counts, {
      promptTokensMax: promptTokensMax(request, offer.model),
      outputTokensMax: offer.model.outputTokensMax,
      choices: request.choices,
      isPriced: (meter) => hasPrice(offer.prices, meter),
    });
    this.capped = capped;
    this.tokens = tokens;
    const tier = billedTier(offer.prices, counts.tier, request.tier?.name);
    const record = makeUsageRecord({
      requestId: trace.requestId,
      accountId: payer.account.id,
      keyId: payer.key.id,
      offer,
      protocol: this.#parts.protocol,
      upstreamProtocol: trace.upstreamProtocol,
      stream: request.stream,
      createdAtMs: trace.createdAtMs,
      startedAtMs: trace.startedAtMs,
      endedAtMs: steadyNowMs(),
      firstByteAtMs: this.firstByteAtMs,
      status: this.#status,
      httpStatus: trace.httpStatus,
      channelId: trace.channelId,
      attempts: trace.attempts,
      tokens,
      free: this.#state === 'abandoned',
      tier,
      promptTokensHeld: admitted.promptTokens,
      estimated: this.estimated,
      capped,
      upstreamCostNanoUsd:
        this.upstreamPrices === null
          ? undefined
          : upstreamCost(this.upstreamPrices, {
              tokens: this.#upstreamTokens(tokens),
              reportedTier: counts.tier,
              billedTier: tier,
            }),
    });
    this.costNanoUsd = record.costNanoUsd;
    return context.settlement.settle({
      requestId: trace.requestId,
      payer,
      actualNanoUsd: record.costNanoUsd,
      tokens: tokens.input + tokens.output,
      recordJson: usageRecordJson(record, offer),
    });
  }

  /**
   * What the upstream worked on. An abandoned request is billed nothing, and nothing was reported
   * of it; the upstream read its prompt.
   */
  #upstreamTokens(billed: TokenCounts): TokenCounts {
    if (this.#state !== 'abandoned') return billed;
    const { admitted, request } = this.#parts;
    return { ...NO_TOKENS, input: Math.min(admitted.promptTokens, request.promptTokensEstimate) };
  }

  /** Counts the prompt, the output or both: whichever the upstream reported none of. */
  async #countMissing(reported: TokenCounts, reply: DeliveredReply): Promise<TokenCounts> {
    const { context, protocol, request, admitted } = this.#parts;
    const { workers } = context;
    const { model } = request;
    this.estimated = true;
    const [input, output] = await Promise.all([
      reported.input >= 1 ? null : workers.countPrompt({ protocol, model, body: request.bytes }),
      reported.output >= 1 ? null : workers.countText(model, reply.deliveredText()),
    ]);
    let counts = reported;
    // With the pool overloaded estimates have to do. What was held for the prompt is no estimate
    // but a bound, often four times as much.
    if (input !== null) {
      const estimate = Math.min(admitted.promptTokens, request.promptTokensEstimate);
      const counted = typeof input === 'number' ? input : estimate;
      counts = { ...withoutMeters(counts, 'input_tokens'), input: counted };
      counts = { ...counts, cachedInput: 0, cacheWrite: 0 };
    }
    if (output !== null) {
      const estimate = reply.outputTokensEstimate ?? estimateTextTokens(reply.deliveredText());
      counts = withoutMeters(counts, 'output_tokens');
      counts = { ...counts, output: typeof output === 'number' ? output : estimate, reasoning: 0 };
    }
    return counts;
  }
}

/** Counts without the meters of a unit: the tokens that they are parts of were not reported. */
function withoutMeters({ extra, ...counts }: TokenCounts, unit: Meter['unit']): TokenCounts {
  if (extra === undefined) return counts;
  const kept = METER_IDS.filter((id) => METERS[id].unit !== unit && extra[id] !== undefined);
  return { ...counts, extra: Object.fromEntries(kept.map((id) => [id, extra[id]])) };
}
