import { basisMeter, METER_IDS, METERS, type Meter } from '@weir/shared/prices/meters';
import type { TokenCounts, UsageStatus } from '@weir/shared/watch/usage-record';
import { steadyNowMs } from '../../platform/clock/steady-clock.ts';
import type { Admitted } from '../admission/admit.ts';
import { HoldMeter } from '../admission/hold-meter.ts';
import type { Offer } from '../../catalog/catalog.ts';
import type { Payer } from '../../ledger/ledger.ts';
import { tierName } from '../../protocols/fields/tier-name.ts';
import type { ParsedRequest, ProtocolId } from '../../protocols/protocol.ts';
import type { RequestIdentity } from '../request-trace.ts';
import type { ServedRoute } from '../routing/served-routes.ts';
import type { BillingContext } from '../thread-context.ts';
import { hasPrice } from '../../pricing/compile-prices.ts';
import { billedTier, pricesToHold } from '../../pricing/tiers.ts';
import { estimateTextTokens } from '../../tokens/estimate-tokens.ts';
import { promptTokensMax } from '../../tokens/prompt-upper-bound.ts';
import { countsInBasis } from './basis-counts.ts';
import { capUsage, UNSOLD_TOKENS_MAX, type UsageLimits } from './cap-usage.ts';
import { makeUsageRecord, usageRecordJson } from './request-bill.ts';
import { upstreamCost, type UpstreamUse } from './upstream-cost.ts';

/** The part of a reply that reaches the client: its reported tokens, or its text to count them. */
export interface DeliveredReply {
  /** The usage that the upstream reported; null if it reported none. */
  readonly usage: TokenCounts | null;
  /** The usage that the upstream reported for the prompt alone. */
  readonly promptUsage?: TokenCounts | null;
  /** Counts of what was delivered and is no text, for a reply whose upstream reported none. */
  countDelivered?(): TokenCounts;
  /** The upstream reported nothing, or nothing in units; what was measured instead may be off. */
  readonly isEstimate?: boolean;
  /** See `Reply.isFree`. */
  readonly isFree?: boolean;
  /** Output tokens, estimated without a tokenizer. */
  readonly outputTokensEstimate?: number;
  deliveredText(): string;
}

/** The ways in which a reply can end after some of it was delivered. */
export type DeliveredStatus = Exclude<UsageStatus, 'failed'>;

export interface BillingParts {
  readonly context: BillingContext;
  readonly identity: RequestIdentity;
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
 * Bills an admitted request. It alone decides whether the hold is released or charged.
 *
 * States: nothing_delivered -> delivering (output is on its way to the client) -> delivered (the
 * reply is over, and how), or nothing_delivered -> abandoned (an upstream worked for a client that
 * left). `settle` releases the hold in the first state, records a bill of nothing when it was
 * abandoned, and charges what was delivered in the others.
 */
export class Billing {
  readonly meter: HoldMeter;
  firstByteAtMs: number | null = null;
  /** The billed tokens; null until they are known. */
  tokens: TokenCounts | null = null;
  /** Tokens were counted here, because the upstream did not report them. */
  estimated = false;
  /** The upstream reported impossible counts. */
  capped = false;
  costNanoUsd = 0;
  /** Tries at an upstream. */
  attempts = 0;
  /** The route of the last one. */
  lastRoute: ServedRoute | null = null;
  /** The tier of processing that the head of the upstream's reply names, in its words; '': none. */
  servedTier = '';
  /** The status that the client received; 0 until then. */
  httpStatus = 0;
  readonly #parts: BillingParts;
  #state: 'nothing_delivered' | 'abandoned' | 'delivering' | 'delivered' = 'nothing_delivered';
  #status: UsageStatus = 'failed';
  #reply: DeliveredReply | undefined;

  constructor(parts: BillingParts) {
    this.#parts = parts;
    const { context, identity, payer, offer, admitted, request } = parts;
    this.meter = new HoldMeter({
      ledger: context.ledger,
      requestId: identity.requestId,
      payer,
      prices: pricesToHold(offer.prices, request),
      admitted,
      holdTtlMs: context.config.holdTtlMs,
      sliceTokensTotal: context.config.streamSliceTokens * request.choices,
      outputTokensMaxTotal: offer.model.outputTokensMax * request.choices,
      nowMs: identity.startedAtMs,
    });
  }

  /** `failed` until something billable is on its way to the client. */
  get status(): UsageStatus {
    return this.#status;
  }

  get accountId(): string {
    return this.#parts.payer.account.id;
  }

  /** See `Admitted.outputTokensCap`. */
  get outputTokensCap(): number | null {
    return this.#parts.admitted.outputTokensCap;
  }

  /** The bill's tokens when some of them were counted here: the client sees what is billed. */
  get counted(): TokenCounts | null {
    return this.estimated ? this.tokens : null;
  }

  /** The request goes to an upstream. Returns the number of the attempt, from 1. */
  attempting(route: ServedRoute): number {
    this.lastRoute = route;
    this.attempts += 1;
    return this.attempts;
  }

  /** The reply's first content goes to the client. */
  delivering(reply: DeliveredReply): void {
    this.#state = 'delivering';
    this.#reply = reply;
    this.firstByteAtMs = steadyNowMs();
    // The state that remains if the request breaks an invariant before the reply is over.
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
    const { context, identity, payer } = this.#parts;
    if (this.#state === 'abandoned') return this.#charge(NO_TOKENS);
    const reply = this.#reply;
    if (this.#state === 'nothing_delivered' || reply === undefined) {
      const { requestId } = identity;
      return context.settlement.release({ requestId, accountId: payer.account.id });
    }
    if (reply.isFree === true) return this.#charge(NO_TOKENS);
    const { usage, promptUsage } = reply;
    const delivered = reply.countDelivered?.();
    // A bill without tokens needs no count of them.
    if (this.#isWithoutTokens()) {
      this.estimated = reply.isEstimate === true;
      return this.#charge(usage ?? unitsOf(delivered));
    }
    const reported = usage ?? promptUsage ?? delivered ?? NO_TOKENS;
    // No prompt has less than a token, and no text: upstreams that know one of the two only report
    // zero of the other.
    const whole = reported.input >= 1 && (reported.output >= 1 || reply.deliveredText() === '');
    if (whole) {
      this.estimated = usage === null && reply.isEstimate === true;
      return this.#charge(reported);
    }
    return this.#countMissing(reported, reply).then((counts) => this.#charge(counts));
  }

  /** The model has a price of images, seconds or the like, and none of tokens. */
  get #isSoldByUnits(): boolean {
    return basisMeter(this.#parts.offer.prices.listed.extra) !== undefined;
  }

  #isWithoutTokens(): boolean {
    return this.#parts.request.countsNoTokens === true || this.#isSoldByUnits;
  }

  /** An operator who sells images need not say how many tokens the model may have. */
  #tokenLimits(): Pick<UsageLimits, 'promptTokensMax' | 'outputTokensMax'> {
    if (this.#isSoldByUnits) {
      return { promptTokensMax: UNSOLD_TOKENS_MAX, outputTokensMax: UNSOLD_TOKENS_MAX };
    }
    const { offer, request } = this.#parts;
    const { outputTokensMax } = offer.model;
    return { promptTokensMax: promptTokensMax(request, offer.model), outputTokensMax };
  }

  /** Charges these tokens, capped to what is possible. */
  #charge(counts: TokenCounts): Promise<unknown> {
    const { context, identity, payer, offer, request, admitted } = this.#parts;
    const { requestId, createdAtMs, startedAtMs } = identity;
    const { counts: possible, capped } = capUsage(counts, {
      ...this.#tokenLimits(),
      choices: request.choices,
      isPriced: (meter) => hasPrice(offer.prices, meter),
      units: request.units,
    });
    const tokens = countsInBasis(possible, offer.prices);
    this.capped = capped;
    this.tokens = tokens;
    const reportedTier = counts.tier ?? tierName(this.servedTier);
    const tier = billedTier(offer.prices, reportedTier, request.tier?.name);
    const record = makeUsageRecord({
      requestId,
      accountId: payer.account.id,
      keyId: payer.key.id,
      memberId: payer.member?.id,
      teamId: payer.team?.id,
      offer,
      protocol: this.#parts.protocol,
      upstreamProtocol: this.lastRoute?.codec.upstreamProtocol ?? null,
      stream: request.stream,
      createdAtMs,
      startedAtMs,
      endedAtMs: steadyNowMs(),
      firstByteAtMs: this.firstByteAtMs,
      status: this.#status,
      httpStatus: this.httpStatus,
      channelId: this.lastRoute?.channel.id ?? null,
      attempts: this.attempts,
      tokens,
      free: this.#state === 'abandoned' || this.#reply?.isFree === true,
      tier,
      variant: request.units?.variant,
      promptTokensHeld: admitted.promptTokens,
      estimated: this.estimated,
      capped,
      upstreamCostNanoUsd: this.#upstreamCost({
        tokens: this.#upstreamTokens(possible),
        reportedTier,
        billedTier: tier,
      }),
    });
    this.costNanoUsd = record.costNanoUsd;
    return context.settlement.settle({
      requestId,
      payer,
      actualNanoUsd: record.costNanoUsd,
      tokens: tokens.input + tokens.output,
      recordJson: usageRecordJson(record, offer),
    });
  }

  /** Undefined where the prices of the last route are unknown. */
  #upstreamCost(use: UpstreamUse): number | undefined {
    const prices = this.lastRoute?.upstreamPrices ?? null;
    return prices === null ? undefined : upstreamCost(prices, use);
  }

  /**
   * Returns the tokens that the upstream worked on. An abandoned request is billed nothing and has
   * no reported usage, but the upstream has read its prompt.
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
    const { model, promptTokensCounted, bytes: body } = request;
    this.estimated = true;
    const [input, output] = await Promise.all([
      reported.input >= 1
        ? null
        : (promptTokensCounted ?? workers.countPrompt({ protocol, model, body })),
      reported.output >= 1 ? null : workers.countText(model, reply.deliveredText()),
    ]);
    let counts = reported;
    // If the pool is overloaded, estimates are used. The prompt's hold is no estimate but a bound,
    // often four times as high.
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

/** Returns counts without tokens. */
function unitsOf(counts: TokenCounts | undefined): TokenCounts {
  if (counts === undefined) return NO_TOKENS;
  const tokens: TokenCounts = { ...NO_TOKENS, extra: counts.extra ?? {} };
  return withoutMeters(withoutMeters(tokens, 'input_tokens'), 'output_tokens');
}

/** Counts without the meters of a unit: the tokens that they are parts of were not reported. */
function withoutMeters({ extra, ...counts }: TokenCounts, unit: Meter['unit']): TokenCounts {
  if (extra === undefined) return counts;
  const { variant } = extra;
  const kept = METER_IDS.filter((id) => METERS[id].unit !== unit && extra[id] !== undefined);
  const others = Object.fromEntries(kept.map((id) => [id, extra[id]]));
  return { ...counts, extra: { ...others, ...(variant === undefined ? {} : { variant }) } };
}
