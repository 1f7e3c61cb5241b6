/** A kind of quantity: how its prices are quoted, and what it has to do with tokens. */
interface Unit {
  /** Prices are for this many of it; it divides 1,000,000, so that lines of a bill are exact. */
  readonly perPrice: number;
  /** Exports have it behind the meter's part: `image_count`, `image_usd_each`. */
  readonly columns: { readonly count: string; readonly price: string };
  /**
   * `tokens`: a part of input or output. `more`: charged in addition to tokens. `basis`: charged
   * instead of tokens, so a model has a price for one such meter at most, and none for tokens.
   */
  readonly charged: 'tokens' | 'more' | 'basis';
}

const TOKENS = {
  perPrice: 1_000_000,
  columns: { count: 'tokens', price: 'usd_per_million' },
  charged: 'tokens',
} as const;

/** The units of meters. */
export const UNITS = {
  input_tokens: TOKENS,
  output_tokens: TOKENS,
  calls: { perPrice: 1, columns: { count: 'calls', price: 'usd_per_call' }, charged: 'more' },
  images: { perPrice: 1, columns: { count: 'count', price: 'usd_each' }, charged: 'basis' },
  search_units: {
    perPrice: 1_000,
    columns: { count: 'count', price: 'usd_per_thousand' },
    charged: 'basis',
  },
  characters: {
    perPrice: 1_000_000,
    columns: { count: 'count', price: 'usd_per_million' },
    charged: 'basis',
  },
  milliseconds: {
    perPrice: 1_000,
    columns: { count: 'ms', price: 'usd_per_second' },
    charged: 'basis',
  },
} as const satisfies Readonly<Record<string, Unit>>;

/** A meter's unit by its name. */
export type UnitId = keyof typeof UNITS;

/**
 * A quantity that is counted and priced apart from plain input, cached input, ordinary cache
 * writes and output. A model may have a price for each. One entry here is a new meter: counts,
 * prices, cost, records, price form and import follow it.
 */
export interface Meter {
  /** The meter's name in messages, such as "web searches". */
  readonly name: string;
  /**
   * `input_tokens` and `output_tokens` are parts of `input` and `output`, and disjoint from each
   * other and from cached and written input. Calls are charged in addition to tokens.
   */
  readonly unit: UnitId;
  /** Its line in the explanation of a bill, and the beginning of its columns in exports. */
  readonly part: string;
  /**
   * Only a request that asks for it is charged for it. Such a request is refused where the model
   * has no price for it, and only the holds of such requests cover it. The other meters may occur
   * in any request; without a price of their own they cost what plain input or output costs.
   */
  readonly onRequest: boolean;
  /** Tokens of a cache: without a price of their own they cost what cached input costs. */
  readonly isCached?: true;
  /** The most calls that one request is held and billed for; of calls alone. */
  readonly callsMax?: number;
}

export const METERS = {
  cacheWrite1h: {
    name: 'cache writes for an hour',
    unit: 'input_tokens',
    part: 'cache_write_1h',
    onRequest: true,
  },
  audioInput: {
    name: 'audio in the prompt',
    unit: 'input_tokens',
    part: 'audio_input',
    onRequest: false,
  },
  imageInput: {
    name: 'images in the prompt',
    unit: 'input_tokens',
    part: 'image_input',
    onRequest: false,
  },
  cachedAudioInput: {
    name: 'audio in the prompt that is cached',
    unit: 'input_tokens',
    part: 'cached_audio_input',
    onRequest: false,
    isCached: true,
  },
  cachedImageInput: {
    name: 'images in the prompt that are cached',
    unit: 'input_tokens',
    part: 'cached_image_input',
    onRequest: false,
    isCached: true,
  },
  audioOutput: {
    name: 'audio in the reply',
    unit: 'output_tokens',
    part: 'audio_output',
    onRequest: false,
  },
  imageOutput: {
    name: 'images in the reply',
    unit: 'output_tokens',
    part: 'image_output',
    onRequest: false,
  },
  webSearch: {
    name: 'web searches',
    unit: 'calls',
    part: 'web_search',
    onRequest: true,
    // Agents ask for eight at most; at list prices ten are held as a tenth of a dollar.
    callsMax: 10,
  },
  image: { name: 'images that it makes', unit: 'images', part: 'image', onRequest: true },
  second: { name: 'seconds of sound', unit: 'milliseconds', part: 'second', onRequest: true },
  character: {
    name: 'characters that it speaks',
    unit: 'characters',
    part: 'character',
    onRequest: true,
  },
  searchUnit: {
    name: 'search units of rankings',
    unit: 'search_units',
    part: 'search_unit',
    onRequest: true,
  },
} as const satisfies Readonly<Record<string, Meter>>;

export type MeterId = keyof typeof METERS;

export const METER_IDS = Object.keys(METERS) as readonly MeterId[];

/** Counts of a request, in the unit of each meter. A meter that is absent counts 0. */
export type MeterCounts = Readonly<
  Partial<Record<MeterId, number>> & {
    /** The variant of what a basis meter counted, such as `1024x1536 high`. */
    variant?: string;
  }
>;

/** Nanodollars per `perPrice` of the unit. A meter that is absent has no price. */
export type MeterPrices = Readonly<
  Partial<Record<MeterId, number>> & {
    variants?: VariantPrices;
    /** The fewest seconds of sound that a request is charged for; of a model priced by `second`. */
    secondsMin?: number;
  }
>;

/**
 * Prices of variants of the model's basis meter, in its place: by one word of the variant, such as
 * `high`, or by all of them, such as `1024x1536 high`, which goes before. In small letters.
 */
export type VariantPrices = Readonly<Record<string, number>>;

type MeterIdCharged<Charged extends Unit['charged']> = {
  [Id in MeterId]: (typeof UNITS)[(typeof METERS)[Id]['unit']]['charged'] extends Charged
    ? Id
    : never;
}[MeterId];

/** Meters of tokens. */
export type TokenMeterId = MeterIdCharged<'tokens'>;

export const TOKEN_METER_IDS = METER_IDS.filter(
  (id): id is TokenMeterId => UNITS[METERS[id].unit].charged === 'tokens',
);

/** Meters that models are priced by in place of tokens. */
export type BasisMeterId = MeterIdCharged<'basis'>;

export const BASIS_METER_IDS = METER_IDS.filter(
  (id): id is BasisMeterId => UNITS[METERS[id].unit].charged === 'basis',
);

/** Milliseconds of a second. */
const SECOND_MS = 1_000;

/**
 * Returns the count of a basis meter that a request is charged for: the least that the prices have
 * for it, or what was counted.
 */
export function chargedCount(prices: MeterPrices, meter: BasisMeterId, counted: number): number {
  if (meter !== 'second') return counted;
  return Math.max(counted, (prices.secondsMin ?? 0) * SECOND_MS);
}

/** Returns the meter that a model with these prices is priced by; undefined: by tokens. */
export function basisMeter(prices: MeterPrices | undefined): BasisMeterId | undefined {
  return prices && BASIS_METER_IDS.find((id) => prices[id] !== undefined);
}

/** The quantities that every model has a price for, by their lines in the explanation of a bill. */
type OrdinaryPart = 'input' | 'cached_input' | 'cache_write' | 'output' | 'per_call';

export type BillPart = OrdinaryPart | (typeof METERS)[MeterId]['part'];

/** The lines of a bill's explanation. */
export const BILL_PARTS: readonly [BillPart, ...BillPart[]] = [
  'input',
  'cached_input',
  'cache_write',
  'output',
  'per_call',
  ...METER_IDS.map((id) => METERS[id].part),
];
