import type { UpstreamPriceView } from '@weir/shared/prices/upstream-prices';
import { expect, test } from 'vitest';
import { balanceText } from './balance-text';
import { CostFactorForm, UpstreamPriceForm } from './cost-forms';

const LIST = {
  inputUsd: '2',
  cachedInputUsd: '0.2',
  cacheWriteUsd: '2.5',
  outputUsd: '10',
  perCallUsd: '0',
  extra: { webSearch: '0.01' },
  tiers: [],
  longContext: null,
};
const MODEL: UpstreamPriceView = {
  modelId: '01a1fdf9-6fff-74cb-aaaf-80a4c21c7a79',
  publicId: 'a-model',
  source: 'unknown',
  prices: null,
  listPrices: LIST,
  effectiveFrom: null,
};

test('A factor that is taken away makes the cost unknown, not nothing', () => {
  const form = new CostFactorForm('0.8');
  expect(form.body()).toEqual({ factor: '0.8' });
  form.controls.factor.setValue(' ');
  expect(form.body()).toEqual({ factor: null });
});

test('The cost of a model begins with what it is sold for, with all meters', () => {
  const form = new UpstreamPriceForm(MODEL);
  form.controls.inputUsd.setValue('1.5');
  expect(form.group.valid).toBe(true);
  expect(form.updateBody()).toEqual({
    models: [
      {
        model: 'a-model',
        prices: expect.objectContaining({
          inputUsd: '1.5',
          cachedInputUsd: '0.2',
          cacheWriteUsd: '2.5',
          outputUsd: '10',
          longContext: null,
        }) as unknown,
      },
    ],
  });
  expect(JSON.stringify(form.updateBody())).not.toContain('effectiveFrom');
});

test('A balance is shown in the currency of its upstream, and not before it was read', () => {
  const formatter = { usd: (usd: string) => `$${usd}`, number: String };
  const text = (balance: string | null, currency: 'USD' | 'CNY' | null) =>
    balanceText(formatter, { balance, currency });
  expect(text('12.5', 'USD')).toBe('$12.5');
  expect(text('110.456', 'CNY')).toBe('¥110.46');
  expect(text('-0.5', 'CNY')).toBe('-¥0.5');
  expect(text(null, null)).toBeUndefined();
});
