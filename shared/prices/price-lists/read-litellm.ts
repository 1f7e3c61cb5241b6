import type { TokenMeterId } from '../meters.ts';
import type { MODEL_CAPABILITIES } from '../../catalog/models.ts';
import { assemblePrices, RateReader, type Rates, type TokenRates } from './assemble-prices.ts';
import { isCharge, isRecord, textOf, tokensOf, type JsonRecord } from './json-record.ts';
import type { ListedModel } from './price-list.ts';
import { BASIS_MODES, isBasisField, readBasis } from './read-litellm-basis.ts';

type Slot = Exclude<keyof TokenRates, 'extra'> | TokenMeterId | 'reasoning';

/** Fields of LiteLLM's `model_prices_and_context_window.json`, USD for one token. */
const SLOTS: Readonly<Record<string, Slot>> = {
  input_cost_per_token: 'input',
  output_cost_per_token: 'output',
  cache_read_input_token_cost: 'cacheRead',
  cache_creation_input_token_cost: 'cacheWrite',
  cache_creation_input_token_cost_above_1hr: 'cacheWrite1h',
  input_cost_per_audio_token: 'audioInput',
  cache_read_input_audio_token_cost: 'cachedAudioInput',
  cache_read_input_image_token_cost: 'cachedImageInput',
  output_cost_per_audio_token: 'audioOutput',
  input_cost_per_image_token: 'imageInput',
  output_cost_per_image_token: 'imageOutput',
  output_cost_per_reasoning_token: 'reasoning',
};

/** The field, a threshold in thousands of tokens, a tier of processing. */
const FIELD = new RegExp(
  `^(${Object.keys(SLOTS)
    .toSorted((one, other) => other.length - one.length)
    .join('|')})(?:_above_(\\d{1,6})k_tokens)?(?:_(priority|flex|fast|batches))?$`,
);

/** Weir has no batches, so their prices are ignored. */
const NO_TIER = 'batches';

const CAPABILITIES: readonly [string, (typeof MODEL_CAPABILITIES)[number]][] = [
  ['supports_vision', 'vision'],
  ['supports_audio_input', 'audio'],
  ['supports_pdf_input', 'files'],
  ['supports_function_calling', 'tools'],
  ['supports_response_schema', 'json'],
  ['supports_reasoning', 'reasoning'],
  ['supports_prompt_caching', 'cache'],
];

/** The modes that Weir's endpoints serve. */
const SERVED_MODES = [
  '',
  'chat',
  'responses',
  'completion',
  'embedding',
  'realtime',
  ...BASIS_MODES,
];
/** The modes of models without output in text. */
const WITHOUT_TEXT: readonly string[] = ['embedding', ...BASIS_MODES];

const HAS_PRICE = /cost|pricing/;

const SAMPLE = 'sample_spec';

export function isLitellm(file: JsonRecord): boolean {
  return Object.entries(file).some(
    ([key, entry]) =>
      key !== SAMPLE &&
      isRecord(entry) &&
      ('input_cost_per_token' in entry || 'litellm_provider' in entry),
  );
}

export function readLitellm(file: JsonRecord): ListedModel[] {
  return Object.entries(file).flatMap(([key, entry]) =>
    key === SAMPLE || !isRecord(entry) ? [] : [readModel(key, entry)],
  );
}

function readModel(key: string, entry: JsonRecord): ListedModel {
  const reader = new RateReader();
  const provider = textOf(entry['litellm_provider']);
  const mode = textOf(entry['mode']);
  const rates = readRates(entry, reader, mode);
  const isServed = SERVED_MODES.includes(mode);
  if (!isServed) reader.note(`mode: ${mode}`, 'no_meter');
  const prefix = `${provider}/`;
  return {
    key,
    provider,
    name: key.startsWith(prefix) ? key.slice(prefix.length) : key,
    displayName: '',
    contextTokensMax: tokensOf(entry['max_input_tokens']) ?? tokensOf(entry['max_tokens']),
    outputTokensMax: tokensOf(entry['max_output_tokens']) ?? tokensOf(entry['max_tokens']),
    capabilities: CAPABILITIES.flatMap(([field, name]) => (entry[field] === true ? [name] : [])),
    prices: isServed ? assemblePrices(rates, reader) : null,
    leftOut: reader.leftOut,
  };
}

/** Rates while they are gathered, field by field. */
interface Gathered extends Partial<Record<Exclude<Slot, TokenMeterId>, string>> {
  extra: Partial<Record<TokenMeterId, string>>;
  field: string;
}

function put(into: Gathered, slot: Slot, price: string): void {
  switch (slot) {
    case 'input':
    case 'output':
    case 'cacheRead':
    case 'cacheWrite':
    case 'reasoning':
      into[slot] = price;
      return;
    default:
      into.extra[slot] = price;
  }
}

/** Rates by threshold, in tokens, and by tier; 0 and '' are the ordinary ones. */
class Gatherer {
  readonly #all = new Map<string, Gathered>();

  at(aboveTokens: number, tier: string, field: string): Gathered {
    const key = `${String(aboveTokens)} ${tier}`;
    const known = this.#all.get(key) ?? { extra: {}, field };
    this.#all.set(key, known);
    return known;
  }

  find(aboveTokens: number, tier: string): Gathered | undefined {
    return this.#all.get(`${String(aboveTokens)} ${tier}`);
  }

  thresholds(): number[] {
    const all = [...this.#all.keys()].map((key) => key.split(' '));
    return [
      ...new Set(all.flatMap(([above, tier]) => (tier === '' && above !== '0' ? [above] : []))),
    ].map(Number);
  }

  tiers(): string[] {
    return [...new Set([...this.#all.keys()].map((key) => key.split(' ')[1] ?? ''))].filter(
      (tier) => tier !== '',
    );
  }
}

function readRates(entry: JsonRecord, reader: RateReader, mode: string): Rates {
  const gathered = new Gatherer();
  for (const [field, value] of Object.entries(entry)) {
    const match = FIELD.exec(field);
    if (match === null) {
      const isKnown = field in OTHER_FIELDS || isBasisField(mode, field);
      if (HAS_PRICE.test(field) && !isKnown && isCharge(value)) reader.note(field, 'no_meter');
      continue;
    }
    const [, name = '', thousands = '0', tier = ''] = match;
    const slot = SLOTS[name];
    if (tier === NO_TIER) {
      if (isCharge(value)) reader.note(field, 'no_meter');
      continue;
    }
    const price = reader.read(value, 'token', field);
    if (price !== undefined && slot !== undefined) {
      put(gathered.at(Number(thousands) * 1_000, tier, field), slot, price);
    }
  }
  readTieredPricing(entry['tiered_pricing'], gathered, reader);
  const ordinary = gathered.at(0, '', '');
  if (WITHOUT_TEXT.includes(mode) && ordinary.output === undefined) {
    // Output of images alone: text among it must not be free.
    put(ordinary, 'output', ordinary.extra.imageOutput ?? ordinary.extra.audioOutput ?? '0');
  } else if (ordinary.output !== undefined && !isCharge(ordinary.output)) {
    reader.note('output: 0', 'free_tokens');
  }
  noteReasoning(ordinary, reader);
  const thresholds = gathered.thresholds();
  const lowest = Math.min(...thresholds);
  return {
    ordinary,
    thresholds: thresholds.map((aboveTokens) => {
      const rates = gathered.at(aboveTokens, '', '');
      return { aboveTokens, rates, field: rates.field };
    }),
    tiers: [
      ...gathered.tiers().map((tier) => {
        const rates = gathered.at(0, tier, tier);
        return { tier, rates, long: gathered.find(lowest, tier), field: rates.field };
      }),
      ...providerTiers(entry['provider_specific_entry'], ordinary, reader),
    ],
    perCall: reader.read(entry['input_cost_per_request'], 'call', 'input_cost_per_request'),
    webSearch: searchPrice(entry['search_context_cost_per_query'], reader),
    basis: readBasis(entry, { mode, hasTokenPrice: hasTokenPrice(ordinary) }, reader),
  };
}

/** Notes a price of reasoning as left out if it differs: Weir bills reasoning tokens as output. */
function noteReasoning({ reasoning, output }: Gathered, reader: RateReader): void {
  if (reasoning !== undefined && reasoning !== output) {
    reader.note('output_cost_per_reasoning_token', 'no_meter');
  }
}

/** Fields that are read separately from the table. */
const OTHER_FIELDS = {
  tiered_pricing: true,
  input_cost_per_request: true,
  search_context_cost_per_query: true,
};

/** Ranges of prompt lengths with prices of their own: the first is what short prompts cost. */
function readTieredPricing(value: unknown, gathered: Gatherer, reader: RateReader): void {
  if (!Array.isArray(value)) return;
  for (const [index, item] of value.entries()) {
    const range: unknown = isRecord(item) ? item['range'] : undefined;
    const from: unknown = Array.isArray(range) ? range[0] : undefined;
    const at = `tiered_pricing[${String(index)}]`;
    if (!isRecord(item) || typeof from !== 'number' || !Number.isSafeInteger(from) || from < 0) {
      reader.note(at, 'unreadable');
      continue;
    }
    const into = gathered.at(from, '', at);
    for (const [name, slot] of Object.entries(SLOTS)) {
      const price = reader.read(item[name], 'token', `${at}.${name}`);
      if (price !== undefined) put(into, slot, price);
    }
  }
}

/** Factors by name, such as `{"fast": 6}`; those of regions and the like are left out. */
function providerTiers(value: unknown, ordinary: Gathered, reader: RateReader): Rates['tiers'] {
  if (!isRecord(value)) return [];
  const at = (name: string) => `provider_specific_entry.${name}`;
  const { fast, ...others } = value;
  for (const [name, factor] of Object.entries(others)) {
    if (isCharge(factor) && factor !== 1) reader.note(at(name), 'no_meter');
  }
  const field = at('fast');
  const factor = reader.read(fast, 'call', field);
  const { input, output } = ordinary;
  if (factor === undefined || input === undefined || output === undefined) return [];
  return [{ tier: 'fast', factor, rates: { extra: {} }, field }];
}

function hasTokenPrice({ input, output, extra }: Gathered): boolean {
  return [input, output, ...Object.values(extra)].some((price) => isCharge(price));
}

/** Weir has one price for a search, whatever its size; medium is what vendors take when unasked. */
function searchPrice(value: unknown, reader: RateReader): string | undefined {
  const field = 'search_context_cost_per_query';
  if (!isRecord(value)) return reader.read(value, 'call', field);
  const sizes = ['medium', 'low', 'high'].map((size) => `search_context_size_${size}`);
  const prices = sizes.flatMap((size) => {
    const price = reader.read(value[size], 'call', `${field}.${size}`);
    return price === undefined ? [] : [price];
  });
  if (new Set(prices).size > 1) reader.note(field, 'one_of_several');
  return prices[0];
}
