import { expect, test } from 'vitest';
import { factorOf, scaledPrice } from './scale-price';

const PRICE = {
  inputUsd: '2',
  cachedInputUsd: '0.2',
  cacheWriteUsd: '2',
  outputUsd: '0.000000001',
  perCallUsd: '0.01',
  extra: { webSearch: '0.01' },
  tiers: [{ tier: 'priority', factor: '2' }],
  longContext: {
    aboveTokens: 200_000,
    inputUsd: '4',
    cachedInputUsd: '4',
    cacheWriteUsd: '5',
    outputUsd: '8',
    extra: { cacheWrite1h: '8' },
  },
  effectiveFrom: '2026-01-01T00:00:00.000Z',
};

test('All prices of a model change by the same share, and are never rounded down', () => {
  expect(scaledPrice(PRICE, factorOf('10'))).toEqual({
    inputUsd: '2.2',
    cachedInputUsd: '0.22',
    cacheWriteUsd: null,
    outputUsd: '0.000000002',
    perCallUsd: '0.011',
    extra: { webSearch: '0.011' },
    tiers: PRICE.tiers,
    longContext: {
      aboveTokens: 200_000,
      inputUsd: '4.4',
      cachedInputUsd: null,
      cacheWriteUsd: '5.5',
      outputUsd: '8.8',
      extra: { cacheWrite1h: '8.8' },
    },
  });
  expect(scaledPrice(PRICE, factorOf('-12.5')).inputUsd).toBe('1.75');
});
