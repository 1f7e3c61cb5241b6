import type { PricingModel } from '@weir/shared/prices/prices';
import { describe, expect, test } from 'vitest';
import { GROUP_ID, model } from '../../testing/views';
import { presetModel } from './preset-model';

function priced(publicId: string, inputUsd: string, outputUsd: string): PricingModel {
  const one = model(publicId);
  const prices = { ...one.prices, inputUsd, outputUsd };
  return { ...one, prices, groups: [{ groupId: GROUP_ID, prices, nextPrices: null }] };
}

const MODELS = [priced('dear', '15', '75'), priced('cheap', '0.1', '0.4'), priced('mid', '2', '8')];
const embedding: PricingModel = {
  ...priced('embedding', '0.01', '0'),
  protocols: ['gemini', 'openai-embeddings'],
};

describe('The model that forms begin with', () => {
  test('is the cheapest, wherever it is listed', () => {
    expect(presetModel(MODELS, { wanted: '', groupId: GROUP_ID })?.publicId).toBe('cheap');
  });

  test('is the operator’s choice where there is one that the key may use', () => {
    expect(presetModel(MODELS, { wanted: 'dear', groupId: undefined })?.publicId).toBe('dear');
    expect(presetModel(MODELS, { wanted: 'gone', groupId: undefined })?.publicId).toBe('cheap');
  });

  test('is the cheapest by the prices of the group', () => {
    const [dear, cheap] = MODELS;
    if (dear === undefined || cheap === undefined) throw new Error('no models');
    const groups = [
      {
        groupId: GROUP_ID,
        prices: { ...dear.prices, inputUsd: '0', outputUsd: '0' },
        nextPrices: null,
      },
    ];
    const models = [cheap, { ...dear, groups }];
    expect(presetModel(models, { wanted: '', groupId: GROUP_ID })?.publicId).toBe('dear');
    expect(presetModel(models, { wanted: '', groupId: undefined })?.publicId).toBe('cheap');
  });

  test('is one that can be talked to, if any can', () => {
    expect(presetModel([embedding, ...MODELS], { wanted: '', groupId: GROUP_ID })?.publicId).toBe(
      'cheap',
    );
    expect(presetModel([embedding], { wanted: '', groupId: GROUP_ID })?.publicId).toBe('embedding');
    expect(presetModel([], { wanted: '', groupId: GROUP_ID })).toBeUndefined();
  });
});
