import type { TokenMeterId } from '../meters.ts';
import type { MODEL_CAPABILITIES } from '../../catalog/models.ts';
import { assemblePrices, RateReader, type Rates, type TokenRates } from './assemble-prices.ts';
import { isCharge, isRecord, textOf, tokensOf, type JsonRecord } from './json-record.ts';
import type { ListedModel } from './price-list.ts';

/** Fields of `cost` in models.dev's `api.json`, USD for 1,000,000 tokens. */
const METER_FIELDS: readonly [string, TokenMeterId][] = [
  ['cache_write_1h', 'cacheWrite1h'],
  ['input_audio', 'audioInput'],
  ['output_audio', 'audioOutput'],
  ['input_image', 'imageInput'],
  ['output_image', 'imageOutput'],
];

const RATE_FIELDS = ['input', 'output', 'cache_read', 'cache_write', 'reasoning'];
const KNOWN_FIELDS = [...RATE_FIELDS, ...METER_FIELDS.map(([field]) => field), 'tier'];

const OVER_200K = 'context_over_200k';
const OVER_200K_TOKENS = 200_000;

export function isModelsDev(file: JsonRecord): boolean {
  return Object.values(file).some((provider) => isRecord(provider) && isRecord(provider['models']));
}

export function readModelsDev(file: JsonRecord): ListedModel[] {
  return Object.entries(file).flatMap(([providerId, provider]) => {
    const models = isRecord(provider) ? provider['models'] : undefined;
    if (!isRecord(models)) return [];
    return Object.entries(models).flatMap(([modelId, model]) =>
      isRecord(model) ? [readModel(providerId, modelId, model)] : [],
    );
  });
}

function readModel(provider: string, modelId: string, model: JsonRecord): ListedModel {
  const reader = new RateReader();
  const { cost, limit } = model;
  const name = textOf(model['id']) || modelId;
  const limits = isRecord(limit) ? limit : {};
  return {
    key: `${provider}/${name}`,
    provider,
    name,
    displayName: textOf(model['name']),
    contextTokensMax: tokensOf(limits['context']),
    outputTokensMax: tokensOf(limits['output']),
    capabilities: capabilitiesOf(model),
    prices: isRecord(cost) ? assemblePrices(readRates(cost, reader), reader) : null,
    leftOut: reader.leftOut,
  };
}

function readRates(cost: JsonRecord, reader: RateReader): Rates {
  const ordinary = readTokens(cost, 'cost', reader, [OVER_200K, 'tiers']);
  const thresholds: { aboveTokens: number; rates: TokenRates; field: string }[] = [];
  const tiers: unknown = cost['tiers'];
  if (Array.isArray(tiers)) {
    for (const [index, item] of tiers.entries()) {
      const field = `cost.tiers[${String(index)}]`;
      const aboveTokens = contextSize(item);
      if (!isRecord(item) || aboveTokens === null) reader.note(field, 'no_meter');
      else thresholds.push({ aboveTokens, rates: readTokens(item, field, reader, []), field });
    }
  }
  const over = cost[OVER_200K];
  // Both say the same where both are there.
  if (isRecord(over) && thresholds.length === 0) {
    const field = `cost.${OVER_200K}`;
    const rates = readTokens(over, field, reader, []);
    thresholds.push({ aboveTokens: OVER_200K_TOKENS, rates, field });
  }
  return { ordinary, thresholds, tiers: [] };
}

function contextSize(item: unknown): number | null {
  const tier: unknown = isRecord(item) ? item['tier'] : undefined;
  return isRecord(tier) && tier['type'] === 'context' ? tokensOf(tier['size']) : null;
}

function readTokens(
  from: JsonRecord,
  path: string,
  reader: RateReader,
  apart: readonly string[],
): TokenRates {
  const read = (field: string) => reader.read(from[field], 'million', `${path}.${field}`);
  const extra: Partial<Record<TokenMeterId, string>> = {};
  for (const [field, meter] of METER_FIELDS) {
    const price = read(field);
    if (price !== undefined) extra[meter] = price;
  }
  for (const [field, value] of Object.entries(from)) {
    const isKnown = KNOWN_FIELDS.includes(field) || apart.includes(field);
    if (!isKnown && isCharge(value)) reader.note(`${path}.${field}`, 'no_meter');
  }
  const [output, reasoning] = [read('output'), read('reasoning')];
  // Weir bills the tokens of reasoning as output.
  if (reasoning !== undefined && isCharge(reasoning) && reasoning !== output) {
    reader.note(`${path}.reasoning`, 'no_meter');
  }
  return {
    input: read('input'),
    output,
    cacheRead: read('cache_read'),
    cacheWrite: read('cache_write'),
    extra,
  };
}

function capabilitiesOf(model: JsonRecord): (typeof MODEL_CAPABILITIES)[number][] {
  const modalities: unknown = model['modalities'];
  const inputs: unknown = isRecord(modalities) ? modalities['input'] : undefined;
  const takes = (kind: string) => Array.isArray(inputs) && inputs.includes(kind);
  const cost = model['cost'];
  const has: readonly [boolean, (typeof MODEL_CAPABILITIES)[number]][] = [
    [takes('image'), 'vision'],
    [takes('audio'), 'audio'],
    [takes('pdf'), 'files'],
    [model['tool_call'] === true, 'tools'],
    [model['structured_output'] === true, 'json'],
    [model['reasoning'] === true, 'reasoning'],
    [isRecord(cost) && 'cache_read' in cost, 'cache'],
  ];
  return has.flatMap(([is, capability]) => (is ? [capability] : []));
}
