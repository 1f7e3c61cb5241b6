import { describe, expect, test } from 'vitest';
import { NOW } from '../../../testing/views';
import { PriceForm } from './price-form';

/** As the server shows a price: what was left out about the cache is the input price. */
function priced(cachedInputUsd: string, cacheWriteUsd: string) {
  const form = new PriceForm({
    inputUsd: '2',
    outputUsd: '10',
    cachedInputUsd,
    cacheWriteUsd,
    perCallUsd: '0',
    effectiveFrom: NOW,
  });
  form.controls.inputUsd.setValue('3');
  return form;
}

describe('A new price', () => {
  test('takes the cache along when that cost as much as input', () => {
    const form = priced('2', '2');
    expect(form.body()).toEqual({ inputUsd: '3', outputUsd: '10', perCallUsd: '0' });
    expect(form.cachePrices()).toEqual({ cachedInputUsd: '3', cacheWriteUsd: '3' });
  });

  test('keeps what the cache was given of its own', () => {
    const form = priced('0.2', '2.5');
    expect(form.body()).toMatchObject({ cachedInputUsd: '0.2', cacheWriteUsd: '2.5' });
    expect(form.cachePrices()).toEqual({ cachedInputUsd: '0.2', cacheWriteUsd: '2.5' });
  });
});
