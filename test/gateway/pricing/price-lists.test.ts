import { Check } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { readExactPrice } from '@weir/shared/prices/price-lists/exact-price';
import { PriceFinder } from '@weir/shared/prices/price-lists/find-price';
import type { ListedModel, PriceList } from '@weir/shared/prices/price-lists/price-list';
import { readPriceList } from '@weir/shared/prices/price-lists/read-price-list';
import { PriceCreate } from '@weir/shared/prices/prices';
import { readPrices } from '../../../gateway/control-plane/prices/write-price.ts';
import { isRefusal } from '../../../gateway/platform/errors/refusal.ts';

function listOf(file: object): PriceList {
  const list = readPriceList(JSON.stringify(file));
  if ('kind' in list) throw new Error(list.kind);
  return list;
}

/** The only model of a list, whose prices the server takes as they are. */
function only(file: object): ListedModel {
  // A list in which nothing is priced is none.
  const [model] = listOf({ ...file, another: { ...BASE, litellm_provider: 'openai' } }).models;
  if (model === undefined) throw new Error('no model');
  if (model.prices !== null) {
    expect(Check(PriceCreate, model.prices)).toBe(true);
    expect(isRefusal(readPrices(model.prices, undefined))).toBe(false);
  }
  return model;
}

const litellm = (entry: object) =>
  only({ m: { litellm_provider: 'openai', mode: 'chat', ...BASE, ...entry } });
const BASE = { input_cost_per_token: 2.5e-6, output_cost_per_token: 1e-5 };

const modelsDev = (cost: object, model: object = {}) =>
  only({ acme: { id: 'acme', models: { m: { id: 'm', name: 'M', cost, ...model } } } });

const reasons = ({ leftOut }: ListedModel) =>
  Object.fromEntries(leftOut.map(({ field, reason }) => [field, reason]));

describe('a price of a list is exact', () => {
  it.each([
    [2.5e-6, 'token', '2.5'],
    [1.5e-7, 'token', '0.15'],
    [7.5e-8, 'token', '0.075'],
    [0.000168, 'token', '168'],
    [2.4414e-7, 'token', '0.24414'],
    [5.46875e-7, 'token', '0.546875'],
    [1e-15, 'token', '0.000000001'],
    [0, 'token', '0'],
    ['1.25e-06', 'token', '1.25'],
    ['0.00000125', 'token', '1.25'],
    ['3.E-7', 'token', '0.3'],
    [1, 'token', '1000000'],
    [0.1, 'million', '0.1'],
    [0.30000000000000004, 'million', '0.3'],
    // 1.1 * 3 and the like, as scripts that make lists leave them.
    [1.4999999999999999e-6, 'token', '1.5'],
    [2.0000000000000003e-6, 'token', '2'],
    [12, 'million', '12'],
    [0.0275, 'call', '0.0275'],
  ] as const)('%s for a %s', (value, per, usd) => {
    expect(readExactPrice(value, per)).toEqual({ usd, isRounded: false });
  });

  it('says when it has more decimals than money', () => {
    expect(readExactPrice(1.23456789123e-7, 'token')).toEqual({
      usd: '0.123456789',
      isRounded: true,
    });
    expect(readExactPrice(4e-16, 'token')).toEqual({ usd: '0', isRounded: true });
  });

  it.each([-1e-6, 'free', '', NaN, Infinity, '1,5', true, {}, 1e9, '1e400', '0x10'])(
    'is none where %s stands',
    (value) => {
      expect(readExactPrice(value, 'token')).toBeUndefined();
    },
  );
});

describe('LiteLLM', () => {
  it('becomes prices of every meter there is', () => {
    const model = litellm({
      cache_read_input_token_cost: 2.5e-7,
      cache_creation_input_token_cost: 3.125e-6,
      cache_creation_input_token_cost_above_1hr: 5e-6,
      input_cost_per_audio_token: 4e-5,
      output_cost_per_audio_token: 8e-5,
      input_cost_per_image_token: 5e-6,
      output_cost_per_image_token: 4e-5,
      output_cost_per_reasoning_token: 1e-5,
      max_input_tokens: 128_000,
      max_output_tokens: 16_384,
      supports_vision: true,
      supports_function_calling: true,
      search_context_cost_per_query: {
        search_context_size_low: 0.01,
        search_context_size_medium: 0.01,
        search_context_size_high: 0.01,
      },
    });
    expect(model).toMatchObject({
      key: 'm',
      provider: 'openai',
      contextTokensMax: 128_000,
      outputTokensMax: 16_384,
      capabilities: ['vision', 'tools'],
      leftOut: [],
    });
    expect(model.prices).toEqual({
      inputUsd: '2.5',
      outputUsd: '10',
      cachedInputUsd: '0.25',
      cacheWriteUsd: '3.125',
      perCallUsd: null,
      extra: {
        cacheWrite1h: '5',
        audioInput: '40',
        audioOutput: '80',
        imageInput: '5',
        imageOutput: '40',
        webSearch: '0.01',
      },
      longContext: null,
      tiers: [],
    });
  });

  it('has the prices of a realtime model, of which cached sound has its own', () => {
    const model = litellm({
      mode: 'realtime',
      ...{ input_cost_per_token: 6e-7, output_cost_per_token: 2.4e-6 },
      ...{ input_cost_per_audio_token: 1e-5, output_cost_per_audio_token: 2e-5 },
      ...{ cache_read_input_token_cost: 6e-8, cache_read_input_audio_token_cost: 3e-7 },
    });
    expect(model.leftOut).toEqual([]);
    expect(model.prices).toMatchObject({
      ...{ inputUsd: '0.6', outputUsd: '2.4', cachedInputUsd: '0.06' },
      extra: { audioInput: '10', cachedAudioInput: '0.3', audioOutput: '20' },
    });
  });

  it('has prices of long prompts, which keep what the list does not say of them', () => {
    const { prices, leftOut } = litellm({
      cache_read_input_token_cost: 2.5e-7,
      cache_creation_input_token_cost_above_1hr: 6e-6,
      cache_creation_input_token_cost_above_1hr_above_200k_tokens: 12e-6,
      input_cost_per_audio_token: 1e-6,
      input_cost_per_token_above_200k_tokens: 5e-6,
      output_cost_per_token_above_200k_tokens: 1.5e-5,
    });
    expect(prices?.longContext).toEqual({
      aboveTokens: 200_000,
      inputUsd: '5',
      outputUsd: '15',
      cachedInputUsd: '0.25',
      cacheWriteUsd: null,
      extra: { cacheWrite1h: '12', audioInput: '1' },
    });
    expect(leftOut).toEqual([]);
  });

  it('takes the lowest of several thresholds, and tells the others and what would be cheaper', () => {
    const model = litellm({
      input_cost_per_token_above_256k_tokens: 9e-6,
      input_cost_per_token_above_128k_tokens: 5e-6,
      output_cost_per_token_above_128k_tokens: 9e-6,
    });
    expect(model.prices?.longContext).toMatchObject({
      aboveTokens: 128_000,
      inputUsd: '5',
      outputUsd: '10',
    });
    expect(Object.values(reasons(model)).toSorted()).toEqual(['cheaper', 'threshold']);
  });

  it('does not make what long prompts write to a cache cheaper than what short ones send', () => {
    const model = litellm({
      input_cost_per_token_above_200k_tokens: 5e-6,
      cache_creation_input_token_cost_above_200k_tokens: 2.5e-7,
      input_cost_per_audio_token_above_200k_tokens: 1e-6,
    });
    expect(model.prices?.longContext).toMatchObject({ cacheWriteUsd: null, extra: {} });
    expect(Object.values(reasons(model))).toEqual(['cheaper', 'cheaper']);
  });

  it('reads ranges of prompt lengths', () => {
    const ranges = {
      tiered_pricing: [
        { range: [32_000, 128_000], input_cost_per_token: 2.4e-6, output_cost_per_token: 1.2e-5 },
        { range: [0, 32_000], input_cost_per_token: 1.2e-6, output_cost_per_token: 6e-6 },
      ],
    };
    const model = only({
      'dashscope/q': { litellm_provider: 'dashscope', mode: 'chat', ...ranges },
    });
    expect(model).toMatchObject({ name: 'q', leftOut: [] });
    expect(model.prices).toMatchObject({
      inputUsd: '1.2',
      longContext: { aboveTokens: 32_000, inputUsd: '2.4', outputUsd: '12' },
    });
  });

  it('makes a factor of the prices of a tier, where one is', () => {
    const priority = {
      input_cost_per_token_priority: 5e-6,
      output_cost_per_token_priority: 2e-5,
      input_cost_per_token_flex: 1.25e-6,
      output_cost_per_token_flex: 5e-6,
    };
    expect(litellm(priority).prices?.tiers).toEqual([
      { tier: 'priority', factor: '2' },
      { tier: 'flex', factor: '0.5' },
    ]);
    const uneven = litellm({ ...priority, output_cost_per_token_priority: 2.1e-5 });
    expect(uneven.prices?.tiers).toEqual([{ tier: 'flex', factor: '0.5' }]);
    expect(Object.values(reasons(uneven))).toEqual(['no_factor']);
    const long = {
      input_cost_per_token_above_272k_tokens: 5e-6,
      input_cost_per_token_above_272k_tokens_priority: 1.1e-5,
    };
    expect(litellm({ ...priority, ...long }).prices?.tiers).toEqual([
      { tier: 'flex', factor: '0.5' },
    ]);
    expect(litellm({ provider_specific_entry: { fast: 6, us: 1.1 } })).toMatchObject({
      prices: { tiers: [{ tier: 'fast', factor: '6' }] },
      leftOut: [{ field: 'provider_specific_entry.us', reason: 'no_meter' }],
    });
  });

  it('tells what is not carried over', () => {
    const model = litellm({
      output_cost_per_reasoning_token: 2e-5,
      input_cost_per_token_batches: 1.25e-6,
      file_search_cost_per_1k_calls: 0.0025,
      input_cost_per_second: 0,
      cache_read_input_token_cost: -1,
      search_context_cost_per_query: {
        search_context_size_low: 0.025,
        search_context_size_medium: 0.0275,
        search_context_size_high: 0.03,
      },
    });
    expect(model.prices?.extra.webSearch).toBe('0.0275');
    expect(reasons(model)).toEqual({
      output_cost_per_reasoning_token: 'no_meter',
      input_cost_per_token_batches: 'no_meter',
      file_search_cost_per_1k_calls: 'no_meter',
      cache_read_input_token_cost: 'unreadable',
      search_context_cost_per_query: 'one_of_several',
    });
  });

  it('has no price for what is not sold by the token, and one for what embeds', () => {
    expect(litellm({ mode: 'video_generation' }).prices).toBeNull();
    const half = { input_cost_per_token: 1e-6, output_cost_per_token: 'much' };
    expect(litellm(half).prices).toBeNull();
    const e = { litellm_provider: 'openai', mode: 'embedding', input_cost_per_token: 2e-8 };
    expect(only({ e }).prices).toMatchObject({ inputUsd: '0.02', outputUsd: '0' });
  });
});

describe('models.dev', () => {
  it('becomes prices, limits and capabilities', () => {
    const model = modelsDev(
      {
        input: 1.25,
        output: 10,
        cache_read: 0.125,
        cache_write: 1.5,
        input_audio: 2,
        output_audio: 20,
        reasoning: 10,
        context_over_200k: { input: 2.5, output: 15, cache_read: 0.25 },
      },
      {
        limit: { context: 1_048_576, output: 65_536 },
        modalities: { input: ['text', 'image', 'pdf'], output: ['text'] },
        tool_call: true,
        reasoning: true,
      },
    );
    expect(model).toMatchObject({
      key: 'acme/m',
      displayName: 'M',
      contextTokensMax: 1_048_576,
      outputTokensMax: 65_536,
      capabilities: ['vision', 'files', 'tools', 'reasoning', 'cache'],
      leftOut: [],
    });
    expect(model.prices).toEqual({
      inputUsd: '1.25',
      outputUsd: '10',
      cachedInputUsd: '0.125',
      cacheWriteUsd: '1.5',
      perCallUsd: null,
      extra: { audioInput: '2', audioOutput: '20' },
      longContext: {
        aboveTokens: 200_000,
        inputUsd: '2.5',
        outputUsd: '15',
        cachedInputUsd: '0.25',
        cacheWriteUsd: '1.5',
        extra: { audioInput: '2', audioOutput: '20' },
      },
      tiers: [],
    });
  });

  it('prefers tiers of context, and tells what it has no meter for', () => {
    const model = modelsDev({
      input: 1,
      output: 2,
      reasoning: 8,
      seconds: 3,
      context_over_200k: { input: 2, output: 4 },
      tiers: [
        { tier: { type: 'context', size: 128_000 }, input: 2, output: 4 },
        { tier: { type: 'hour', size: 3 }, input: 1 },
      ],
    });
    expect(model.prices?.longContext?.aboveTokens).toBe(128_000);
    expect(reasons(model)).toEqual({
      'cost.reasoning': 'no_meter',
      'cost.seconds': 'no_meter',
      'cost.tiers[1]': 'no_meter',
    });
  });
});

describe('a file that is no price list', () => {
  it.each([
    ['', 'empty'],
    ['  \n', 'empty'],
    ['{"m": {"input_cost_per_token": 1e-6,', 'json'],
    ['input,output', 'json'],
    ['[]', 'format'],
    ['7', 'format'],
    ['null', 'format'],
    ['{}', 'format'],
    ['{"m": {"price": 3}}', 'format'],
    ['{"m": {"litellm_provider": "openai"}}', 'unpriced'],
    ['{"acme": {"models": {}}}', 'unpriced'],
    ['{"acme": {"models": {"m": null, "n": {"cost": []}}}}', 'unpriced'],
  ])('%s is called %s', (text, kind) => {
    expect(readPriceList(text)).toMatchObject({ kind });
  });

  it('is read with a byte order mark, and without its sample', () => {
    const file = { sample_spec: { input_cost_per_token: 0, output_cost_per_token: 0 }, m: BASE };
    const list = readPriceList(`\uFEFF${JSON.stringify(file)}`);
    expect('models' in list && list.models.map(({ key }) => key)).toEqual(['m']);
  });
});

describe('a model is found in a list', () => {
  const priced = (provider: string, input: number) => ({
    litellm_provider: provider,
    input_cost_per_token: input * 1e-6,
    output_cost_per_token: 1e-5,
  });
  const finder = new PriceFinder(
    listOf({
      'gpt-4o': priced('openai', 2.5),
      'azure/gpt-4o': priced('azure', 2.75),
      'openrouter/openai/gpt-4o': priced('openrouter', 3),
      'cheap/llama': priced('cheap', 1),
      'dear/llama': priced('dear', 4),
      'images/gpt-4o-draw': { litellm_provider: 'images', mode: 'image_generation' },
    }),
  );
  it.each([
    ['gpt-4o', [], 'gpt-4o'],
    ['GPT-4o', ['azure'], 'azure/gpt-4o'],
    ['openai/gpt-4o', ['openrouter'], 'openrouter/openai/gpt-4o'],
    ['openai/gpt-4o', [], 'openrouter/openai/gpt-4o'],
    ['models/gpt-4o', [], 'gpt-4o'],
    ['anyone/gpt-4o', [], 'gpt-4o'],
    // Nobody knows whose it is: none is sold at a loss.
    ['llama', [], 'dear/llama'],
    ['llama', ['cheap'], 'cheap/llama'],
    ['gpt-4o:free', [], undefined],
    ['gpt-4o-draw', [], undefined],
  ])('%s at %j is %s', (name, providers, key) => {
    expect(finder.find(name, providers)?.key).toBe(key);
  });
});
