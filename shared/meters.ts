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
  readonly unit: 'input_tokens' | 'output_tokens' | 'calls';
  /** Its line in the explanation of a bill, and the beginning of its columns in exports. */
  readonly part: string;
  /**
   * Only a request that asks for it is charged for it. Such a request is refused where the model
   * has no price for it, and only the holds of such requests cover it. The other meters may occur
   * in any request; without a price of their own they cost what plain input or output costs.
   */
  readonly onRequest: boolean;
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
} as const satisfies Readonly<Record<string, Meter>>;

export type MeterId = keyof typeof METERS;

export const METER_IDS = Object.keys(METERS) as readonly MeterId[];

/** Counts of a request: tokens, or calls. A meter that is absent counts 0. */
export type MeterCounts = Readonly<Partial<Record<MeterId, number>>>;

/** Nanodollars per 1,000,000 tokens, or per call. A meter that is absent has no price. */
export type MeterPrices = Readonly<Partial<Record<MeterId, number>>>;

/** Meters of tokens. */
export type TokenMeterId = {
  [Id in MeterId]: (typeof METERS)[Id]['unit'] extends 'calls' ? never : Id;
}[MeterId];

export const TOKEN_METER_IDS = METER_IDS.filter(
  (id): id is TokenMeterId => METERS[id].unit !== 'calls',
);

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
