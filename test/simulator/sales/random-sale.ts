import type { MeterCounts, MeterPrices, VariantPrices } from '@weir/shared/prices/meters';
import type { Prices, TokenCounts } from '@weir/shared/watch/usage-record';
import type { ModelPrices, OrdinaryPrices } from '../../../gateway/pricing/model-prices.ts';
import type { AskedUnits } from '../../../gateway/pricing/variants.ts';
import type { Random } from '../random.ts';

/** A model of the simulator: it is sold by tokens, by the call or by one unit. */
export interface SoldModel extends ModelPrices {
  readonly publicId: string;
  readonly multiplierPpm: number;
}

const ASKED_METERS = ['webSearch', 'cacheWrite1h'] as const;

export type AskedMeter = (typeof ASKED_METERS)[number];

/** The parts of a request that its hold and its bill depend on. */
export interface Asked {
  readonly promptTokensBound: number;
  /** The count of a tokenizer. */
  readonly promptTokensCounted: number;
  readonly maxOutputTokens: number;
  readonly choices: number;
  /** Meters that come on request: searches, and cache writes for an hour. */
  readonly meters: readonly AskedMeter[];
  readonly tier: string | undefined;
  readonly units: AskedUnits | undefined;
}

/** The usage of a reply, and what was delivered of it. */
export interface Report {
  /** Null: the upstream has reported none. */
  readonly usage: TokenCounts | null;
  /** Counts of delivered things that are no text; undefined: none were counted. */
  readonly delivered: TokenCounts | undefined;
  readonly text: string;
  /** The upstream charges nothing for it. */
  readonly isFree: boolean;
}

export const CONTEXT_TOKENS_MAX = 60_000;
export const OUTPUT_TOKENS_MAX = 8_000;
const BOUND_TOKENS_MAX = 70_000;
const TIERS = ['flex', 'priority'] as const;
const SIZES = ['1024x1024', '1024x1536', '1536x1024'] as const;
const QUALITIES = ['low', 'medium', 'high'] as const;
const TOKEN_METERS = [
  'cacheWrite1h',
  'audioInput',
  'imageInput',
  'cachedAudioInput',
  'cachedImageInput',
  'audioOutput',
  'imageOutput',
] as const;

/** The most of each unit that a request asks for, and its highest price in nanodollars. */
const UNITS_SOLD = {
  image: { countMax: 8, priceMax: 250_000_000 },
  second: { countMax: 1_800_000, priceMax: 2_000_000 },
  character: { countMax: 4_096, priceMax: 40_000_000_000 },
  searchUnit: { countMax: 10, priceMax: 2_000_000_000 },
} as const;

type SoldUnit = keyof typeof UNITS_SOLD;

const SOLD_UNITS = Object.keys(UNITS_SOLD) as readonly SoldUnit[];
/** Tokens and calls are sold as often as two of the units. */
const SOLD = [...SOLD_UNITS, 'tokens', 'tokens'] as const;

/** Makes up a model. */
export function randomModel(random: Random, index: number): SoldModel {
  const multiplierPpm = random.pick([1_000_000, 1_000_000, 333_333, 1_250_001]);
  const sold = { publicId: `simulated-${index}`, multiplierPpm };
  const unit = random.pick(SOLD);
  if (unit === 'tokens') return { ...sold, ...tokenPrices(random) };
  const price = random.between(1, UNITS_SOLD[unit].priceMax);
  const extra: MeterPrices = {
    [unit]: price,
    ...(unit === 'image' && { variants: variantPrices(random) }),
    ...(unit === 'second' && random.chance(0.5) && { secondsMin: random.between(1, 10) }),
  };
  return { ...sold, prices: { ...FREE, extra }, longContext: null };
}

const FREE: OrdinaryPrices = {
  inputNanoUsd: 0,
  cachedInputNanoUsd: 0,
  cacheWriteNanoUsd: 0,
  outputNanoUsd: 0,
  perCallNanoUsd: 0,
};

function tokenPrices(random: Random): ModelPrices {
  const prices = ordinaryPrices(random);
  const aboveTokens = random.between(1, CONTEXT_TOKENS_MAX);
  const longContext = random.chance(0.3) ? { aboveTokens, prices: doubled(prices) } : null;
  const tiers = random.chance(0.3) ? { flex: 500_000, priority: 1_750_001 } : null;
  return { prices, longContext, tiers };
}

function ordinaryPrices(random: Random): Prices {
  const perCallNanoUsd = random.chance(0.2) ? random.between(1, 50_000_000) : 0;
  // Sold by the call alone.
  if (perCallNanoUsd > 0 && random.chance(0.3)) return { ...FREE, perCallNanoUsd };
  const price = (): number => random.between(0, 40_000_000_000);
  const priced = TOKEN_METERS.filter(() => random.chance(0.4)).map((id) => [id, price()] as const);
  const extra: MeterPrices = {
    ...Object.fromEntries(priced),
    ...(random.chance(0.5) && { webSearch: random.between(1, 20_000_000) }),
  };
  return {
    inputNanoUsd: price(),
    cachedInputNanoUsd: price(),
    cacheWriteNanoUsd: price(),
    outputNanoUsd: price(),
    perCallNanoUsd,
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/** Twice the prices: none of a long prompt's may be lower. */
function doubled({ extra, ...prices }: Prices): Prices {
  const { variants: _none, ...meters } = extra ?? {};
  const twice = (of: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(of).map(([name, price]) => [name, 2 * price]));
  const ordinary: OrdinaryPrices = { ...prices, ...twice({ ...prices }) };
  return { ...ordinary, ...(extra && { extra: twice(meters) }) };
}

function variantPrices(random: Random): VariantPrices {
  const whole = SIZES.flatMap((size) => QUALITIES.map((quality) => `${size} ${quality}`));
  const names = [...whole, ...QUALITIES, ...SIZES].filter(() => random.chance(0.3));
  return Object.fromEntries(
    names.map((name) => [name, random.between(0, UNITS_SOLD.image.priceMax)]),
  );
}

/** Makes up a request for a model. */
export function randomRequest(random: Random, { prices, tiers }: SoldModel): Asked {
  const promptTokensBound = random.between(1, BOUND_TOKENS_MAX);
  const unit = SOLD_UNITS.find((id) => prices.extra?.[id] !== undefined);
  // A model of images may be sold by tokens.
  const asks = unit ?? (random.chance(0.2) ? random.pick(SOLD_UNITS) : undefined);
  return {
    promptTokensBound,
    promptTokensCounted: random.between(1, Math.min(promptTokensBound, CONTEXT_TOKENS_MAX)),
    maxOutputTokens: random.between(1, OUTPUT_TOKENS_MAX),
    choices: random.pick([1, 1, 1, 3]),
    meters: ASKED_METERS.filter((id) => prices.extra?.[id] !== undefined && random.chance(0.5)),
    tier: tiers && random.chance(0.5) ? random.pick(TIERS) : undefined,
    units: asks && askedUnits(random, asks),
  };
}

function askedUnits(random: Random, meter: SoldUnit): AskedUnits {
  const { countMax } = UNITS_SOLD[meter];
  // Some are smaller than the least that is charged.
  const count = random.between(1, random.chance(0.4) ? Math.ceil(countMax / 200) : countMax);
  if (meter !== 'image') return { meter, count, variant: { words: [], open: 0 } };
  const words = [random.pick(SIZES), random.pick(QUALITIES)].filter(() => random.chance(0.6));
  return { meter, count, variant: { words, open: 2 - words.length } };
}

/** Makes up a reply's usage: mostly a possible one; else none, a doubled or an impossible one. */
export function randomReport(random: Random, asked: Asked): Report {
  const text = 'x'.repeat(random.between(0, 40));
  const usage = possibleUsage(random, asked);
  const roll = random.next();
  const plain = { usage, delivered: undefined, text, isFree: roll < 0.02 };
  if (roll < 0.7) return plain;
  if (roll < 0.8) return { ...plain, usage: null, delivered: countedHere(random, asked) };
  const distorted = roll < 0.9 ? changed(usage, (count) => 2 * count) : distort(random, usage);
  return { ...plain, usage: distorted };
}

function possibleUsage(random: Random, asked: Asked): TokenCounts {
  const input = random.between(1, asked.promptTokensCounted);
  const output = random.between(0, asked.maxOutputTokens * asked.choices);
  const inputParts = splitted(random, input, 7);
  const outputParts = splitted(random, output, 3);
  const [cachedInput = 0, cacheWrite = 0, ...ofInput] = inputParts;
  const [audioOutput = 0, imageOutput = 0] = outputParts;
  const [cacheWrite1h = 0, audioInput = 0, imageInput = 0, cachedAudioInput = 0] = ofInput;
  const hasMeters = random.chance(0.6);
  const meters: MeterCounts = {
    ...(hasMeters && { cacheWrite1h, audioInput, imageInput, cachedAudioInput }),
    ...(hasMeters && { cachedImageInput: ofInput[4] ?? 0, audioOutput, imageOutput }),
    ...(asked.meters.includes('webSearch') && { webSearch: random.between(0, 12) }),
    ...unitsOf(random, asked),
  };
  const counts = { input, cachedInput, cacheWrite, output, reasoning: random.between(0, output) };
  const tier = random.chance(0.3) ? { tier: random.pick(TIERS) } : {};
  return { ...counts, ...(Object.keys(meters).length > 0 && { extra: meters }), ...tier };
}

/** Units that were made; of images also their variant, which may be a more expensive one. */
function unitsOf(random: Random, { units }: Asked): MeterCounts {
  if (units === undefined) return {};
  const count = random.between(0, units.count);
  if (units.meter !== 'image') return { [units.meter]: count };
  return { image: count, variant: `${random.pick(SIZES)} ${random.pick(QUALITIES)}` };
}

/** Counts of a reply whose upstream has reported none: its units, or tokens of sound. */
function countedHere(random: Random, asked: Asked): TokenCounts | undefined {
  if (random.chance(0.2)) return undefined;
  const output = random.between(0, asked.maxOutputTokens);
  const none = { input: 0, cachedInput: 0, cacheWrite: 0, output, reasoning: 0 };
  return { ...none, extra: { audioOutput: output, ...unitsOf(random, asked) } };
}

/** Parts that together are not more than the whole. */
function splitted(random: Random, whole: number, parts: number): number[] {
  let left = whole;
  return Array.from({ length: parts }, () => {
    const part = random.chance(0.5) ? 0 : random.between(0, left);
    left -= part;
    return part;
  });
}

/** One count in a usage is one that no vendor can mean. */
function distort(random: Random, usage: TokenCounts): TokenCounts {
  const names = ['input', 'cachedInput', 'cacheWrite', 'output', 'reasoning'];
  const victim = random.pick([...names, ...Object.keys(usage.extra ?? {})]);
  const absurd = random.pick([-5, 0.5, 1e15, Infinity, NaN]);
  return changed(usage, (count, name) => (name === victim ? absurd : count));
}

function changed(usage: TokenCounts, change: (count: number, name: string) => number): TokenCounts {
  const { extra, tier, ...counts } = usage;
  const { variant, ...meters } = extra ?? {};
  const each = (of: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(of).map(([name, count]) => [name, change(count, name)]));
  return {
    ...counts,
    ...each(counts),
    ...(extra && { extra: { ...each(meters), ...(variant !== undefined && { variant }) } }),
    ...(tier !== undefined && { tier }),
  };
}
