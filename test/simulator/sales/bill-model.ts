import type { MeterCounts, MeterId } from '@weir/shared/prices/meters';
import type { Prices, TokenCounts } from '@weir/shared/watch/usage-record';
import {
  CONTEXT_TOKENS_MAX,
  OUTPUT_TOKENS_MAX,
  type Asked,
  type Report,
  type SoldModel,
} from './random-sale.ts';

/** The bill that a sale must have: its cost, and the counts and marks of its record. */
export interface ExpectedBill {
  readonly costNanoUsd: bigint;
  readonly counts: TokenCounts;
  readonly estimated: boolean;
  readonly capped: boolean;
}

const OF_INPUT = [
  'cacheWrite1h',
  'audioInput',
  'imageInput',
  'cachedAudioInput',
  'cachedImageInput',
] as const;
const OF_OUTPUT = ['audioOutput', 'imageOutput'] as const;
/** The units that models are sold by, each with the number of them that a price is for. */
const PER_PRICE = { image: 1n, second: 1_000n, character: 1_000_000n, searchUnit: 1_000n } as const;
const BASES = ['image', 'second', 'character', 'searchUnit'] as const;
const SEARCHES_MAX = 10;
/** The most tokens in a prompt and in a choice of a model without prices of tokens. */
const UNSOLD_TOKENS_MAX = 1_000_000;
const MILLION = 1_000_000n;

/**
 * The auditor of bills: computes the cost of a request from the rules in ARCHITECTURE.md, "What is
 * billed". In BigInt, from the listed prices, and without anything of the gateway's.
 */
export function expectedBill(model: SoldModel, asked: Asked, report: Report): ExpectedBill {
  const basis = basisOf(model.prices);
  const { counts, estimated } = countsOf(asked, report, basis);
  const possible = possibleCounts(counts, model, asked);
  const charged = inBasis(possible, model.prices, basis);
  const prices = pricesOf(model, asked, { counts: charged, tier: counts.tier });
  return {
    costNanoUsd: report.isFree ? 0n : costOf(charged, prices, model.multiplierPpm),
    counts: charged,
    estimated,
    capped: !isSame(counts, possible),
  };
}

type Basis = (typeof BASES)[number];

function basisOf({ extra }: Prices): Basis | undefined {
  return BASES.find((id) => extra?.[id] !== undefined);
}

interface Counted {
  readonly counts: TokenCounts;
  readonly estimated: boolean;
}

const NOTHING: TokenCounts = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 };

function countsOf(asked: Asked, report: Report, basis: Basis | undefined): Counted {
  if (report.isFree) return { counts: NOTHING, estimated: false };
  return basis === undefined ? counted(asked, report) : unitsAlone(report);
}

/** Tokens that the upstream has reported none of are counted: the prompt, the text, or both. */
function counted({ promptTokensCounted }: Asked, report: Report): Counted {
  const { usage, delivered, text } = report;
  let counts = usage ?? delivered ?? NOTHING;
  const hasInput = counts.input >= 1;
  const hasOutput = counts.output >= 1;
  if (hasInput && (hasOutput || text === '')) return { counts, estimated: false };
  if (!hasInput) {
    const extra = without(counts.extra, OF_INPUT);
    counts = { ...counts, ...extra, input: promptTokensCounted, cachedInput: 0, cacheWrite: 0 };
  }
  if (!hasOutput) {
    const extra = without(counts.extra, OF_OUTPUT);
    counts = { ...counts, ...extra, output: text.length, reasoning: 0 };
  }
  return { counts, estimated: true };
}

/** A bill by units needs no tokens: without a report, the units that were delivered are charged. */
function unitsAlone({ usage, delivered }: Report): Counted {
  if (usage !== null) return { counts: usage, estimated: false };
  const extra = without(delivered?.extra, [...OF_INPUT, ...OF_OUTPUT]);
  return { counts: { ...NOTHING, ...extra }, estimated: false };
}

function without(
  extra: MeterCounts | undefined,
  meters: readonly MeterId[],
): { readonly extra?: MeterCounts } {
  if (extra === undefined) return {};
  const kept = Object.entries(extra).filter(([id]) => !meters.some((one) => one === id));
  return { extra: Object.fromEntries(kept) };
}

/** Clamps each count to what the request can have led to, and parts to what their whole leaves. */
function possibleCounts(reported: TokenCounts, model: SoldModel, asked: Asked): TokenCounts {
  const isSoldByUnits = basisOf(model.prices) !== undefined;
  const promptMax = Math.max(CONTEXT_TOKENS_MAX, asked.promptTokensBound);
  const input = clamped(reported.input, isSoldByUnits ? UNSOLD_TOKENS_MAX : promptMax);
  const cachedInput = clamped(reported.cachedInput, input);
  const cacheWrite = clamped(reported.cacheWrite, input - cachedInput);
  const outputMax = isSoldByUnits ? UNSOLD_TOKENS_MAX : OUTPUT_TOKENS_MAX;
  const output = clamped(reported.output, outputMax * asked.choices);
  const reasoning = clamped(reported.reasoning, output);
  const counts = { input, cachedInput, cacheWrite, output, reasoning };
  const { extra } = reported;
  if (extra === undefined) return counts;
  const found: Record<string, number | string> = {};
  const take = (id: MeterId, max: number): number => {
    const count = clamped(extra[id] ?? 0, max);
    if (count > 0) found[id] = count;
    return max - count;
  };
  OF_INPUT.reduce((left, id) => take(id, left), input - cachedInput - cacheWrite);
  OF_OUTPUT.reduce((left, id) => take(id, left), output);
  take('webSearch', model.prices.extra?.webSearch === undefined ? 0 : SEARCHES_MAX);
  if (asked.units !== undefined) take(asked.units.meter, asked.units.count);
  const hasUnits = BASES.some((id) => found[id] !== undefined);
  if (hasUnits && extra.variant !== undefined) found['variant'] = extra.variant;
  return { ...counts, ...(Object.keys(found).length > 0 && { extra: found }) };
}

function clamped(count: number, max: number): number {
  if (Number.isNaN(count) || count < 0) return 0;
  return count >= max ? max : Math.floor(count);
}

/** Nothing was changed: a count of 0 says as much as none. */
function isSame(one: TokenCounts, other: TokenCounts): boolean {
  const meters = [...OF_INPUT, ...OF_OUTPUT, ...BASES, 'webSearch'] as const;
  return (
    (['input', 'cachedInput', 'cacheWrite', 'output', 'reasoning'] as const).every(
      (name) => one[name] === other[name],
    ) && meters.every((id) => (one.extra?.[id] ?? 0) === (other.extra?.[id] ?? 0))
  );
}

/** Leaves out units that the model is not sold by; of seconds the least are charged. */
function inBasis(counts: TokenCounts, { extra: prices }: Prices, basis?: Basis): TokenCounts {
  const { extra, ...tokens } = counts;
  if (extra === undefined) return tokens;
  const foreign = BASES.filter((id) => id !== basis);
  const isForeign = foreign.some((id) => extra[id] !== undefined);
  const kept = isForeign ? { ...without(extra, foreign).extra } : { ...extra };
  if (isForeign) delete kept.variant;
  if (kept.second !== undefined) {
    kept.second = Math.max(kept.second, 1_000 * (prices?.secondsMin ?? 0));
  }
  return { ...tokens, ...(Object.keys(kept).length > 0 && { extra: kept }) };
}

/** The prices that apply: of a long prompt, if one was held for; of a tier, up to the asked one. */
function pricesOf(
  { prices, longContext, tiers }: SoldModel,
  asked: Asked,
  { counts, tier }: { readonly counts: TokenCounts; readonly tier: string | undefined },
): Prices {
  const held = Math.min(
    asked.promptTokensBound,
    Math.max(CONTEXT_TOKENS_MAX, asked.promptTokensBound),
  );
  const isLong = longContext !== null && Math.min(counts.input, held) > longContext.aboveTokens;
  const listed = isLong ? longContext.prices : prices;
  const ppm = billedFactor(tiers ?? {}, tier, asked.tier);
  const times = (price: number): number =>
    Number((BigInt(price) * BigInt(ppm) + MILLION - 1n) / MILLION);
  const { extra } = listed;
  const ofTokens = [...OF_INPUT, ...OF_OUTPUT].flatMap((id) =>
    extra?.[id] === undefined ? [] : [[id, times(extra[id])] as const],
  );
  const variant = variantPrice(listed, asked, counts.extra?.variant);
  return {
    inputNanoUsd: times(listed.inputNanoUsd),
    cachedInputNanoUsd: times(listed.cachedInputNanoUsd),
    cacheWriteNanoUsd: times(listed.cacheWriteNanoUsd),
    outputNanoUsd: times(listed.outputNanoUsd),
    perCallNanoUsd: listed.perCallNanoUsd,
    extra: { ...extra, ...Object.fromEntries(ofTokens), ...variant },
  };
}

function billedFactor(
  tiers: Readonly<Record<string, number>>,
  reported: string | undefined,
  asked: string | undefined,
): number {
  const one = Number(MILLION);
  const found = reported === undefined ? undefined : tiers[reported];
  if (found === undefined) return one;
  const held = asked === undefined ? undefined : tiers[asked];
  return found <= Math.max(one, held ?? 0) ? found : (held ?? one);
}

/** The price of the reported variant, up to the most expensive one that was held for. */
function variantPrice(
  { extra }: Prices,
  { units }: Asked,
  reported: string | undefined,
): { readonly image?: number } {
  const own = extra?.image;
  const variants = extra?.variants ?? {};
  if (own === undefined || units === undefined) return {};
  const priceOf = (words: readonly string[]): number => {
    const name = [words.join(' '), ...words].find((one) => variants[one] !== undefined);
    return name === undefined ? own : (variants[name] ?? own);
  };
  const { words, open } = units.variant;
  const possible = Object.entries(variants).filter(
    ([name]) => name.split(' ').filter((word) => !words.includes(word)).length <= open,
  );
  const most =
    open === 0
      ? priceOf(words)
      : Math.max(priceOf(words), own, ...possible.map(([, price]) => price));
  return { image: Math.min(reported === undefined ? own : priceOf(reported.split(' ')), most) };
}

/** The sum of all parts in nanodollars, rounded up once. */
function costOf(counts: TokenCounts, prices: Prices, multiplierPpm: number): bigint {
  const { extra = {} } = counts;
  const { extra: own = {} } = prices;
  const input = prices.inputNanoUsd;
  const fallback: Readonly<Record<(typeof OF_INPUT)[number] | (typeof OF_OUTPUT)[number], number>> =
    {
      cacheWrite1h: Math.max(input, prices.cacheWriteNanoUsd),
      audioInput: input,
      imageInput: input,
      cachedAudioInput: prices.cachedInputNanoUsd,
      cachedImageInput: prices.cachedInputNanoUsd,
      audioOutput: prices.outputNanoUsd,
      imageOutput: prices.outputNanoUsd,
    };
  const meters = [...OF_INPUT, ...OF_OUTPUT];
  const inParts = (of: readonly MeterId[]): number =>
    of.reduce((sum, id) => sum + (extra[id] ?? 0), 0);
  const plain = counts.input - counts.cachedInput - counts.cacheWrite - inParts(OF_INPUT);
  // Nanodollars times a million.
  let sum =
    BigInt(plain) * BigInt(input) +
    BigInt(counts.cachedInput) * BigInt(prices.cachedInputNanoUsd) +
    BigInt(counts.cacheWrite) * BigInt(prices.cacheWriteNanoUsd) +
    BigInt(counts.output - inParts(OF_OUTPUT)) * BigInt(prices.outputNanoUsd) +
    BigInt(prices.perCallNanoUsd) * MILLION +
    BigInt(extra.webSearch ?? 0) * BigInt(own.webSearch ?? 0) * MILLION;
  for (const id of meters) sum += BigInt(extra[id] ?? 0) * BigInt(own[id] ?? fallback[id]);
  for (const id of BASES) {
    sum += (BigInt(extra[id] ?? 0) * BigInt(own[id] ?? 0) * MILLION) / PER_PRICE[id];
  }
  const scaled = sum * BigInt(multiplierPpm);
  const unit = MILLION * MILLION;
  return (scaled + unit - 1n) / unit;
}
