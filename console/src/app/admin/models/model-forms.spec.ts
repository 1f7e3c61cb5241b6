import { describe, expect, test } from 'vitest';
import { catalogModel, NOW } from '../../../testing/views';
import { ModelForm } from './model-form';
import { PriceForm } from './prices/price-form';

/** Returns a price as the server shows it: omitted prices of the cache are the input price. */
function priced(cachedInputUsd: string, cacheWriteUsd: string) {
  const form = new PriceForm({
    inputUsd: '2',
    outputUsd: '10',
    cachedInputUsd,
    cacheWriteUsd,
    perCallUsd: '0',
    extra: {},
    longContext: null,
    tiers: [],
    effectiveFrom: NOW,
  });
  form.controls.inputUsd.setValue('3');
  return form;
}

describe('A new price', () => {
  test('takes the cache along when that cost as much as input', () => {
    const form = priced('2', '2');
    // Left out, what is in force would stay: null is the input price.
    expect(form.body()).toEqual({
      inputUsd: '3',
      outputUsd: '10',
      cachedInputUsd: null,
      cacheWriteUsd: null,
      perCallUsd: '0',
      extra: expect.objectContaining({ webSearch: null }) as unknown,
      tiers: [],
      longContext: null,
    });
    expect(form.cachePrices()).toEqual({ cachedInputUsd: '3', cacheWriteUsd: '3' });
  });

  test('keeps what the cache was given of its own', () => {
    const form = priced('0.2', '2.5');
    expect(form.body()).toMatchObject({ cachedInputUsd: '0.2', cacheWriteUsd: '2.5' });
    expect(form.cachePrices()).toEqual({ cachedInputUsd: '0.2', cacheWriteUsd: '2.5' });
  });
});

describe('The name of a model', () => {
  test('is the model id again once it was cleared', () => {
    const form = new ModelForm(catalogModel);
    expect(form.body().displayName).toBe('River One');
    form.controls.displayName.setValue(' ');
    expect(form.body().displayName).toBe('river-1');
  });

  test('follows the model id where it has none of its own', () => {
    const form = new ModelForm({ ...catalogModel, displayName: 'river-1' });
    expect(form.controls.displayName.value).toBe('');
    form.controls.publicId.setValue('river-2');
    expect(form.body().displayName).toBe('river-2');
  });
});
