import type { Offer } from '../../../gateway/catalog/catalog.ts';
import { Billing } from '../../../gateway/data-plane/billing/billing.ts';
import type { BillingContext } from '../../../gateway/data-plane/thread-context.ts';
import type { Payer, SettleRequest } from '../../../gateway/ledger/ledger.ts';
import { steadyNowMs } from '../../../gateway/platform/clock/steady-clock.ts';
import { compilePrices } from '../../../gateway/pricing/compile-prices.ts';
import { costUpperBound } from '../../../gateway/pricing/cost.ts';
import { pricesToHold } from '../../../gateway/pricing/tiers.ts';
import type { ParsedRequest } from '../../../gateway/protocols/protocol.ts';
import type { Random } from '../random.ts';
import { expectedBill, type ExpectedBill } from './bill-model.ts';
import {
  CONTEXT_TOKENS_MAX,
  OUTPUT_TOKENS_MAX,
  randomModel,
  randomReport,
  randomRequest,
  type Asked,
  type Report,
  type SoldModel,
} from './random-sale.ts';

const MODELS = 40;

/** A request for a model, before its reply. */
export interface Sale {
  readonly payer: Payer;
  readonly model: SoldModel;
  readonly asked: Asked;
  readonly request: ParsedRequest;
  readonly offer: Offer;
  /** The most that the request is expected to cost, which is held for it. */
  readonly holdNanoUsd: number;
}

/** A settled request: the gateway's settle, and the bill that it should be. */
export interface Sold {
  readonly settle: SettleRequest;
  readonly expected: ExpectedBill;
  /** Sentences on what differs. */
  readonly differences: readonly string[];
}

/** Sells replies of every unit by the gateway's own bills. */
export class Shop {
  readonly #random: Random;
  readonly #models: readonly SoldModel[];
  /** Like a catalog, it has one offer for all requests of a model and a group. */
  readonly #offers = new Map<string, Offer>();

  constructor(random: Random) {
    this.#random = random;
    this.#models = Array.from({ length: MODELS }, (_none, index) => randomModel(random, index));
  }

  begin(payer: Payer): Sale {
    const random = this.#random;
    const model = random.pick(this.#models);
    const asked = randomRequest(random, model);
    const offer = this.#offer(model, payer.group.id);
    const request = parsedRequest(model, asked);
    const { promptTokensBound, maxOutputTokens, choices } = asked;
    const prices = pricesToHold(offer.prices, request);
    const holdNanoUsd = costUpperBound(prices, promptTokensBound, choices * maxOutputTokens);
    return { payer, model, asked, request, offer, holdNanoUsd };
  }

  /** Bills a reply. */
  async settle(sale: Sale, requestId: string, nowMs: number): Promise<Sold> {
    const report = randomReport(this.#random, sale.asked);
    const settle = await billed(sale, report, { requestId, nowMs });
    const expected = expectedBill(sale.model, sale.asked, report);
    return { settle, expected, differences: compare(sale, { report, settle, expected }) };
  }

  #offer(model: SoldModel, groupId: string): Offer {
    const name = `${model.publicId} ${groupId}`;
    let offer = this.#offers.get(name);
    if (offer === undefined) this.#offers.set(name, (offer = offerOf(model, groupId)));
    return offer;
  }
}

function offerOf(model: SoldModel, groupId: string): Offer {
  const { publicId, multiplierPpm, prices, longContext, tiers = null } = model;
  return {
    model: {
      ...{ id: publicId, publicId, vendor: '', createdAtSeconds: 0, reasoning: false },
      ...{ contextTokensMax: CONTEXT_TOKENS_MAX, outputTokensMax: OUTPUT_TOKENS_MAX },
      ...{ prices, longContext, tiers },
    },
    group: {
      ...{ id: groupId, name: '', active: true, isPublic: true, multiplierPpm },
      ...{ rpm: null, tpm: null, modelIds: [], protocols: null },
    },
    prices: compilePrices(prices, multiplierPpm, longContext, tiers),
    routes: [],
  };
}

function parsedRequest({ publicId }: SoldModel, asked: Asked): ParsedRequest {
  const { promptTokensBound, promptTokensCounted, maxOutputTokens, choices, units } = asked;
  const { tier, meters } = asked;
  return {
    model: publicId,
    stream: true,
    maxOutputTokens,
    heldInSlices: false,
    meters: [...meters, ...(units ? [units.meter] : [])],
    units,
    tier: tier === undefined ? undefined : { field: 'service_tier', name: tier },
    conversation: null,
    choices,
    promptTokensBound,
    textTokensBound: promptTokensBound,
    promptTokensEstimate: promptTokensCounted,
    promptTokensCounted,
    hasUnboundedParts: false,
    bytes: Buffer.alloc(0),
  };
}

/** Runs a reply through the gateway's bill, and returns what goes to the ledger. */
async function billed(
  { payer, request, offer, asked, holdNanoUsd }: Sale,
  { usage, delivered, text, isFree }: Report,
  { requestId, nowMs }: { readonly requestId: string; readonly nowMs: number },
): Promise<SettleRequest> {
  let settle: SettleRequest | undefined;
  const context = {
    config: { holdTtlMs: 120_000, streamSliceTokens: 1_024 },
    // One token for each character.
    workers: { countText: (_model: string, counted: string) => Promise.resolve(counted.length) },
    settlement: {
      settle: (asks: SettleRequest) => {
        settle = asks;
        return Promise.resolve('settled' as const);
      },
    },
  } as BillingContext;
  const billing = new Billing({
    ...{ context, request, offer, payer },
    identity: { requestId, createdAtMs: nowMs, startedAtMs: steadyNowMs() },
    protocol: 'openai-chat',
    admitted: {
      heldNanoUsd: holdNanoUsd,
      outputTokensHeldTotal: asked.choices * asked.maxOutputTokens,
      outputTokensCap: null,
      openEnded: false,
      promptTokens: asked.promptTokensBound,
    },
  });
  billing.httpStatus = 200;
  billing.delivering({
    usage,
    isFree,
    ...(delivered && { countDelivered: () => delivered }),
    deliveredText: () => text,
  });
  billing.delivered('completed');
  await billing.settle();
  if (settle === undefined) throw new Error('a delivered reply is not settled');
  return settle;
}

function compare(
  { model, asked, holdNanoUsd }: Sale,
  made: Pick<Sold, 'settle' | 'expected'> & { readonly report: Report },
): string[] {
  const { settle, expected, report } = made;
  const { actualNanoUsd } = settle;
  const about = JSON.stringify({ model, asked, report }, (_name, value: unknown) =>
    typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
  );
  const found: string[] = [];
  if (BigInt(actualNanoUsd) !== expected.costNanoUsd) {
    found.push(`bill ${actualNanoUsd}, expected ${expected.costNanoUsd}: ${about}`);
  }
  const { counts } = expected;
  const { webSearch, cacheWrite1h } = counts.extra ?? {};
  const isWithinHold =
    counts.input <= asked.promptTokensBound &&
    counts.output <= asked.choices * asked.maxOutputTokens &&
    (webSearch === undefined || asked.meters.includes('webSearch')) &&
    (cacheWrite1h === undefined || asked.meters.includes('cacheWrite1h'));
  if (isWithinHold && actualNanoUsd > holdNanoUsd) {
    found.push(`bill ${actualNanoUsd} above its hold ${holdNanoUsd}: ${about}`);
  }
  return found;
}
