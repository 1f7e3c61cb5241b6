import { Check } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { PriceFinder } from '@weir/shared/prices/price-lists/find-price';
import type { ListedModel, PriceList } from '@weir/shared/prices/price-lists/price-list';
import { readPriceList } from '@weir/shared/prices/price-lists/read-price-list';
import { PriceCreate } from '@weir/shared/prices/prices';
import { readPrices } from '../../../gateway/control-plane/prices/write-price.ts';
import { isRefusal } from '../../../gateway/platform/errors/refusal.ts';

/** A model that is sold by tokens: a list in which nothing is priced is none. */
const CHAT = {
  litellm_provider: 'openai',
  mode: 'chat',
  input_cost_per_token: 2.5e-6,
  output_cost_per_token: 1e-5,
};

function listOf(file: object): PriceList {
  const list = readPriceList(JSON.stringify({ ...file, another: CHAT }));
  if ('kind' in list) throw new Error(list.kind);
  return list;
}

/** The first model of a list, whose prices the server takes as they are. */
function only(file: object): ListedModel {
  const [model] = listOf(file).models;
  if (model === undefined) throw new Error('no model');
  if (model.prices !== null) {
    expect(Check(PriceCreate, model.prices)).toBe(true);
    expect(isRefusal(readPrices(model.prices, undefined))).toBe(false);
  }
  return model;
}

const reasons = ({ leftOut }: ListedModel) =>
  Object.fromEntries(leftOut.map(({ field, reason }) => [field, reason]));

describe('LiteLLM’s prices of what is not sold by tokens', () => {
  const priced = (mode: string, entry: object) =>
    only({ m: { litellm_provider: 'openai', mode, ...entry } });

  it.each([
    ['image_generation', { output_cost_per_image: 0.04 }, { image: '0.04' }],
    [
      'image_generation',
      { input_cost_per_image: 0.042, output_cost_per_image: 0 },
      { image: '0.042' },
    ],
    [
      'audio_transcription',
      { input_cost_per_second: 0.0001, output_cost_per_second: 0 },
      { second: '0.0001' },
    ],
    [
      'audio_transcription',
      { input_cost_per_second: 0, output_cost_per_second: 0.0001 },
      { second: '0.0001' },
    ],
    ['audio_speech', { input_cost_per_character: 1.5e-5 }, { character: '15' }],
    [
      'rerank',
      { input_cost_per_query: 0.002, input_cost_per_token: 0, output_cost_per_token: 0 },
      { searchUnit: '2' },
    ],
  ])('%s: %j', (mode, entry, extra) => {
    const model = priced(mode, entry);
    expect(model.prices).toEqual({
      inputUsd: '0',
      outputUsd: '0',
      cachedInputUsd: null,
      cacheWriteUsd: null,
      perCallUsd: null,
      extra,
      longContext: null,
      tiers: [],
    });
  });

  it('are those of tokens where a model has both, and the other is named', () => {
    const speaker = priced('audio_speech', {
      input_cost_per_token: 6e-7,
      output_cost_per_audio_token: 1.2e-5,
      input_cost_per_character: 1.5e-5,
      output_cost_per_second: 0.00025,
    });
    expect(speaker.prices).toMatchObject({
      inputUsd: '0.6',
      outputUsd: '12',
      extra: { audioOutput: '12' },
    });
    expect(reasons(speaker)).toEqual({
      input_cost_per_character: 'one_of_several',
      output_cost_per_second: 'no_meter',
    });
    const painter = priced('image_generation', {
      input_cost_per_token: 5e-6,
      input_cost_per_image_token: 8e-6,
      output_cost_per_image_token: 3.2e-5,
    });
    expect(painter.prices).toMatchObject({
      inputUsd: '5',
      outputUsd: '32',
      extra: { imageInput: '8', imageOutput: '32' },
    });
    const ranker = priced('rerank', { input_cost_per_token: 1.8e-8, output_cost_per_token: 0 });
    expect(ranker.prices).toMatchObject({ inputUsd: '0.018', outputUsd: '0', extra: {} });
  });

  it('are none where the list has a basis that is not counted', () => {
    expect(priced('image_generation', { input_cost_per_pixel: 1e-8 }).prices).toBeNull();
    expect(priced('video_generation', { output_cost_per_second: 0.1 }).prices).toBeNull();
  });
});

it('A model is not priced as another whose name its own begins with', () => {
  const finder = new PriceFinder(listOf({ 'gpt-realtime': CHAT }));
  expect(finder.find('gpt-realtime', ['openai'])?.name).toBe('gpt-realtime');
  expect(finder.find('gpt-realtime-translate', ['openai'])).toBeUndefined();
});
