import { steadyNowMs } from '../../platform/clock/steady-clock.ts';
import type { Offer } from '../../catalog/catalog.ts';
import { isRefusal, type Refusal } from '../../platform/errors/refusal.ts';
import type { LedgerHealth } from '../../ledger/ledger-health.ts';
import {
  type HoldOutcome,
  type HoldRequest,
  isBudgetRefusal,
  type Ledger,
  type Payer,
} from '../../ledger/ledger.ts';
import { costUpperBound, outputTokensAffordable } from '../../pricing/cost.ts';
import { UNRATIONED_BYTES_MAX, type TokenCountThrottle } from './token-count-throttle.ts';
import { refuseCount, refuseHold, type FundsRefusal, type RefusedHold } from './refuse-hold.ts';

/**
 * The parts of a request that admission reads. Token numbers are for one choice unless they say
 * "total".
 */
export interface AdmissionRequest {
  readonly requestId: string;
  readonly payer: Payer;
  readonly offer: Offer;
  /** No prompt of this size has more tokens. */
  readonly promptTokensBound: number;
  /** Tokens that TPM limits count; the settle corrects the number. */
  readonly promptTokensEstimate: number;
  /**
   * 0 if nothing is generated: the hold covers the prompt alone. Infinity if no limit can be
   * imposed.
   */
  readonly maxOutputTokens: number | null;
  /** The client protocol's name for that limit. */
  readonly outputLimitName: string;
  readonly choices: number;
  readonly stream: boolean;
  /**
   * Counts the prompt exactly, on the worker pool, and reports when a worker begins. Called only
   * when the balance or the budget does not cover the bound.
   */
  readonly countPrompt: (onBegun?: () => void) => Promise<number | Refusal>;
  /** The size of the whole request, which the token count has to read. */
  readonly bodyBytes: number;
}

export interface AdmissionOptions {
  readonly ledger: Ledger;
  readonly holdTtlMs: number;
  /** Output tokens held at a time for a stream that names no maximum. */
  readonly sliceTokens: number;
  /**
   * The same for the first slice of a reasoning model, which thinks before it sends any output that
   * could be metered.
   */
  readonly reasoningSliceTokens: number;
  readonly tokenCountThrottle: TokenCountThrottle;
  readonly ledgerHealth: LedgerHealth;
}

export interface Admitted {
  readonly heldNanoUsd: number;
  /** Output tokens that the hold covers, over all choices. */
  readonly outputTokensHeldTotal: number;
  /**
   * Output tokens per choice to impose on the upstream, null when the client's own limit applies.
   */
  readonly outputTokensCap: number | null;
  /** True when the reply may outgrow the hold and has to ask for more. */
  readonly openEnded: boolean;
  readonly promptTokens: number;
}

/** Below this many output tokens an answer is of no use, and refusing is kinder than answering. */
const OUTPUT_TOKENS_USEFUL_MIN = 16;

/**
 * The factor by which vendors with vocabularies of their own may count more tokens in a text than
 * Weir.
 */
const VENDOR_COUNT_FACTOR = 4 / 3;

/**
 * Estimates the price and holds it. The cheap upper bound decides first; only when it does not fit
 * is the prompt counted exactly. A refusal for money names the output limit that would be
 * affordable.
 */
export async function admit(
  request: AdmissionRequest,
  options: AdmissionOptions,
): Promise<Admitted | Refusal> {
  const bounded = await holdFor(request, request.promptTokensBound, options);
  if (isHeld(bounded)) {
    return admitted(request, request.promptTokensBound, bounded.heldNanoUsd, options);
  }
  if (!isFundsRefusal(bounded)) return refused(bounded, request, options);

  // A balance too low for any prompt needs no exact count: a refusal must cost less than
  // serving.
  const outputTokensMin = Math.min(1, request.maxOutputTokens ?? 1);
  if (bounded.affordableNanoUsd < costUpperBound(request.offer.prices, 1, outputTokensMin)) {
    return refuseHold(bounded, request, null);
  }
  if (request.bodyBytes <= UNRATIONED_BYTES_MAX) {
    return admitExactly(request, await request.countPrompt(), bounded, options);
  }
  return admitCounted(request, bounded, options);
}

/** Counts the prompt, if the account's ration allows it. */
async function admitCounted(
  request: AdmissionRequest,
  bounded: FundsRefusal,
  options: AdmissionOptions,
): Promise<Admitted | Refusal> {
  const { tokenCountThrottle } = options;
  const { id } = request.payer.account;
  const waitMs = tokenCountThrottle.begin(id, steadyNowMs());
  if (waitMs > 0) return refuseCount(bounded, request.payer, waitMs);
  // The wait for a worker is not time that the account used.
  let begunAtMs = Infinity;
  let isRefused = true;
  try {
    const count = request.countPrompt(() => (begunAtMs = steadyNowMs()));
    const result = await admitExactly(request, await count, bounded, options);
    isRefused = isRefusal(result);
    return result;
  } finally {
    const nowMs = steadyNowMs();
    tokenCountThrottle.end(id, nowMs, isRefused ? Math.max(0, nowMs - begunAtMs) : 0);
  }
}

async function admitExactly(
  request: AdmissionRequest,
  exact: number | Refusal,
  bounded: FundsRefusal,
  options: AdmissionOptions,
): Promise<Admitted | Refusal> {
  if (typeof exact !== 'number') return exact;
  const promptTokens = promptTokensToHold(exact, request);
  let latest = bounded;
  if (minimum(request, promptTokens) <= bounded.affordableNanoUsd) {
    const held = await holdFor(request, promptTokens, options);
    if (isHeld(held)) return admitted(request, promptTokens, held.heldNanoUsd, options);
    if (!isFundsRefusal(held)) return refused(held, request, options);
    latest = held;
  }
  const { prices } = request.offer;
  const total = outputTokensAffordable(prices, promptTokens, latest.affordableNanoUsd);
  return refuseHold(latest, request, Math.floor(total / request.choices));
}

/** The log message for a new request that the ledger reports as an old one. */
const CLOCKS_DIFFER =
  'the ledger takes a new request for an old one: its clock was set, or is ahead of this machine’s';

/** Returns the refusal for an outcome that no exact count of the prompt can change. */
function refused(
  outcome: RefusedHold,
  request: AdmissionRequest,
  { ledgerHealth }: AdmissionOptions,
): Refusal {
  if (outcome.code === 'ledger_unavailable') ledgerHealth.recordFailure(outcome.cause);
  if (outcome.code === 'request_closed') ledgerHealth.recordFailure(CLOCKS_DIFFER);
  return refuseHold(outcome, request, null);
}

/**
 * Returns the prompt tokens to hold for. If another tokenizer may count the prompt as a long one,
 * the hold is for a long one, which may cost twice as much: the difference could go unpaid.
 */
function promptTokensToHold(
  counted: number,
  { offer, promptTokensBound }: Pick<AdmissionRequest, 'offer' | 'promptTokensBound'>,
): number {
  const { longContextAboveTokens } = offer.prices;
  const nearlyLong = counted * VENDOR_COUNT_FACTOR > longContextAboveTokens;
  const tokens = nearlyLong ? Math.max(counted, longContextAboveTokens + 1) : counted;
  return Math.min(tokens, promptTokensBound);
}

function isFundsRefusal(outcome: RefusedHold): outcome is FundsRefusal {
  if (outcome.code === 'ledger_unavailable') return false;
  return outcome.code === 'insufficient_balance' || isBudgetRefusal(outcome.code);
}

/** Output tokens for each choice that the request wants held at the start. */
function outputTokensWanted(request: AdmissionRequest, options: AdmissionOptions): number {
  const { outputTokensMax, reasoning } = request.offer.model;
  if (request.maxOutputTokens !== null) return Math.min(request.maxOutputTokens, outputTokensMax);
  if (!request.stream) return outputTokensMax;
  const slice = reasoning
    ? Math.max(options.reasoningSliceTokens, options.sliceTokens)
    : options.sliceTokens;
  return Math.min(slice, outputTokensMax);
}

/** The least that is of use: all of it when the client named a maximum, a short answer when not. */
function minimum(request: AdmissionRequest, promptTokens: number): number {
  const { choices, maxOutputTokens, offer } = request;
  const tokens = Math.min(maxOutputTokens ?? OUTPUT_TOKENS_USEFUL_MIN, offer.model.outputTokensMax);
  return costUpperBound(offer.prices, promptTokens, choices * tokens);
}

function holdFor(
  request: AdmissionRequest,
  promptTokens: number,
  options: AdmissionOptions,
): Promise<HoldOutcome> {
  const { ledger, holdTtlMs, sliceTokens } = options;
  const outputTokens = request.choices * outputTokensWanted(request, options);
  const amountNanoUsd = costUpperBound(request.offer.prices, promptTokens, outputTokens);
  const hold: HoldRequest = {
    requestId: request.requestId,
    payer: request.payer,
    amountNanoUsd,
    minimumNanoUsd: Math.min(amountNanoUsd, minimum(request, promptTokens)),
    tokens: tokensForLimits(request, sliceTokens),
    ttlMs: holdTtlMs,
  };
  return ledger.hold(hold);
}

/**
 * Returns the tokens that count against TPM limits; the settle corrects them. Replies seldom reach
 * their maximum, so a request without one is counted with a slice. A maximum counts as at most the
 * limit of a minute: more would refuse the request for ever.
 */
function tokensForLimits(request: AdmissionRequest, sliceTokens: number): number {
  const { promptTokensEstimate, maxOutputTokens, choices, payer, offer } = request;
  const isNamed = maxOutputTokens !== null && maxOutputTokens !== Infinity;
  const answer = Math.min(isNamed ? maxOutputTokens : sliceTokens, offer.model.outputTokensMax);
  const minute = Math.min(payer.key.tpm ?? Infinity, payer.group.tpm ?? Infinity);
  return Math.max(promptTokensEstimate, Math.min(promptTokensEstimate + choices * answer, minute));
}

type Held = Extract<HoldOutcome, { code: 'held' | 'exists' }>;

function isHeld(outcome: HoldOutcome): outcome is Held {
  return outcome.code === 'held' || outcome.code === 'exists';
}

function admitted(
  request: AdmissionRequest,
  promptTokens: number,
  heldNanoUsd: number,
  options: AdmissionOptions,
): Admitted {
  options.ledgerHealth.recordSuccess();
  const affordable = outputTokensAffordable(request.offer.prices, promptTokens, heldNanoUsd);
  const named = request.maxOutputTokens !== null;
  const perChoice = Math.floor(affordable / request.choices);
  // If less was granted than requested, nothing is left. A model may spend all of it and more on
  // thinking before any output can be metered, so the upstream must get this limit, for a stream
  // too.
  const capped = !named && perChoice < outputTokensWanted(request, options);
  return {
    heldNanoUsd,
    outputTokensHeldTotal: affordable,
    outputTokensCap: capped ? perChoice : null,
    openEnded: !named && request.stream,
    promptTokens,
  };
}
