import type { ModelView } from '@weir/shared/catalog/models';
import type {
  ListedModel,
  ListPrices,
  PriceList,
} from '@weir/shared/prices/price-lists/price-list';
import { describe, expect, test } from 'vitest';
import { Offers } from './offers';
import { nameFor, presetOf, UPSTREAM_PRESETS } from '../upstream-presets';
import { importFromList } from '../../models/import/list-prices-import';
import { factorOf } from '../../models/prices/scale-price';
import { isMarkup } from '../../price-lists/markup';

const PRICES: ListPrices = {
  inputUsd: '2',
  outputUsd: '10',
  cachedInputUsd: '0.2',
  cacheWriteUsd: null,
  perCallUsd: null,
  extra: { webSearch: '0.01' },
  longContext: {
    aboveTokens: 200_000,
    inputUsd: '4',
    outputUsd: '15',
    cachedInputUsd: null,
    cacheWriteUsd: null,
    extra: {},
  },
  tiers: [{ tier: 'flex', factor: '0.5' }],
};

function listed(name: string, prices: ListPrices | null = PRICES): ListedModel {
  return {
    key: name,
    provider: '',
    name,
    displayName: '',
    contextTokensMax: 1_000,
    outputTokensMax: null,
    capabilities: ['tools'],
    prices,
    leftOut: [],
  };
}

const listOf = (...models: ListedModel[]): PriceList => ({ format: 'litellm', models });

function model(publicId: string, isPriced = true): ModelView {
  return {
    id: `id of ${publicId}`,
    publicId,
    displayName: publicId,
    vendor: '',
    description: '',
    contextTokensMax: 5,
    outputTokensMax: 5,
    capabilities: [],
    status: 'active',
    sortOrder: 0,
    groupIds: [],
    channelIds: [],
    price: isPriced
      ? {
          inputUsd: '1',
          outputUsd: '1',
          cachedInputUsd: '1',
          cacheWriteUsd: '1',
          perCallUsd: '0',
          extra: {},
          longContext: null,
          tiers: [],
          effectiveFrom: '2026-11-25T00:00:00.000Z',
        }
      : null,
    nextPriceFrom: null,
    createdAt: '2026-11-25T00:00:00.000Z',
    updatedAt: '2026-11-25T00:00:00.000Z',
  };
}

function offersOf(names: readonly string[], catalog: readonly ModelView[] = []): Offers {
  const offers = new Offers();
  offers.fill(names, { catalog, providers: [] });
  return offers;
}

const states = (offers: Offers) =>
  Object.fromEntries(offers.all().map(({ upstreamName, state }) => [upstreamName, state]));

describe('A model of an upstream', () => {
  test('is known by its name, or by what is behind the last slash where that is one model', () => {
    const catalog = [model('a'), model('b'), model('c', false)];
    const names = ['x/a', 'x/b', 'y/b', 'c', 'd'];
    expect(states(offersOf(names, catalog))).toEqual({
      'x/a': 'sold',
      'x/b': 'new',
      'y/b': 'new',
      c: 'unpriced',
      d: 'new',
    });
  });

  test('that is sold keeps its price: only its channel is added', () => {
    const offers = offersOf(['x/a'], [model('a')]);
    offers.useList(listOf(listed('a')));
    offers.tick(offers.all(), true);
    expect(offers.served()).toEqual([{ modelId: 'id of a', upstreamName: 'x/a' }]);
    expect(offers.body()).toEqual([]);
  });

  test('is sold at the price of the list with the markup on all of it', () => {
    const offers = offersOf(['m']);
    offers.tick(offers.all(), true);
    expect(offers.unpriced()).toHaveLength(1);
    expect(offers.newModels.valid).toBe(false);
    offers.useList(listOf(listed('m')));
    offers.setMarkup('10');
    expect(offers.newModels.valid).toBe(true);
    expect(offers.body()).toEqual([
      {
        publicId: 'm',
        upstreamName: 'm',
        contextTokensMax: 1_000,
        outputTokensMax: 32_000,
        capabilities: ['tools'],
        prices: {
          ...PRICES,
          inputUsd: '2.2',
          outputUsd: '11',
          cachedInputUsd: '0.22',
          extra: { webSearch: '0.011' },
          longContext: { ...PRICES.longContext, inputUsd: '4.4', outputUsd: '16.5' },
        },
      },
    ]);
  });

  test('keeps the price and the name that somebody typed, whatever list or markup comes', () => {
    const offers = offersOf(['m', 'n']);
    offers.useList(listOf(listed('m'), listed('n')));
    offers.tick(offers.all(), true);
    const [m, n] = offers.all();
    m?.form.controls.prices.controls.inputUsd.markAsDirty();
    m?.form.controls.prices.controls.inputUsd.setValue('7');
    n?.form.controls.publicId.setValue('other');
    offers.setMarkup('100');
    expect(offers.body()).toMatchObject([
      { publicId: 'm', prices: { inputUsd: '7', outputUsd: '10' } },
      { publicId: 'other', prices: { inputUsd: '4', outputUsd: '20' } },
    ]);
  });

  test('has a name that the API takes', () => {
    const offers = offersOf(['~ours/some model (beta)']);
    const [offer] = offers.all();
    expect(offer?.form.controls.publicId.value).toBe('ours/some-model--beta-');
    expect(offer?.form.controls.publicId.valid).toBe(true);
  });

  test('stays ticked when the upstream is asked again', () => {
    const offers = offersOf(['m', 'n']);
    offers.tick(offers.all().slice(0, 1), true);
    offers.fill(['l', 'm'], { catalog: [], providers: [] });
    expect(offers.ticked().map(({ upstreamName }) => upstreamName)).toEqual(['m']);
    expect(offers.newModels).toHaveLength(1);
  });
});

test('A newly imported list comes before the older one, which is asked for what it lacks', () => {
  const offers = offersOf(['m', 'n']);
  offers.useList({ ...listOf(listed('m'), listed('n')), format: 'weir' });
  offers.useList(listOf(listed('m'), listed('n', null)));
  expect(offers.all().map(({ proposal }) => proposal()?.format)).toEqual(['litellm', 'weir']);
});

test.each(['', '-100', '1001', '1e1', '5,5', 'x'])('%s is no markup', (text) => {
  expect(isMarkup(text)).toBe(false);
});

test.each(['0', '-99.5', '12.5', '1000'])('%s is a markup', (text) => {
  expect(isMarkup(text)).toBe(true);
});

test('A list changes prices of models alone, and only of those that it has', () => {
  const { models } = importFromList(
    listOf(listed('a'), listed('c')),
    [model('a'), model('b')],
    factorOf('50'),
  );
  expect(models).toMatchObject([
    { publicId: 'a', contextTokensMax: 5, outputTokensMax: 5, prices: { inputUsd: '3' } },
  ]);
  expect(models).toHaveLength(1);
});

test('A channel is named after its upstream, and no two alike', () => {
  expect(nameFor('https://openrouter.ai/api/v1', [])).toBe('OpenRouter');
  expect(nameFor('https://openrouter.ai/api/v1', ['OpenRouter', 'x'])).toBe('OpenRouter 2');
  expect(nameFor('http://10.0.0.1:8000/v1', [])).toBe('10.0.0.1:8000');
  expect(presetOf('https://a.b.openai.azure.com')).toBeUndefined();
  expect(presetOf('https://bedrock-runtime.us-east-1.amazonaws.com/other')?.id).toBe('bedrock');
  for (const { id, address } of UPSTREAM_PRESETS) {
    expect(presetOf(address.replace(/\{\w+\}/, 'eu-west-1'))?.id).toBe(id);
  }
});
