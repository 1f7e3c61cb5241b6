import { Check } from 'typebox/value';
import { expect, test } from 'vitest';
import { readVariantLines, variantLines, VariantLines } from './variant-lines';

const PRICES = [
  { variant: 'high', usd: '0.17' },
  { variant: '1024x1536 high', usd: '0.25' },
];

test('Prices of variants are the same after they were lines', () => {
  expect(variantLines(PRICES)).toBe('high 0.17\n1024x1536 high 0.25');
  expect(readVariantLines(variantLines(PRICES))).toEqual(PRICES);
  expect(readVariantLines('\n  high   $0.17 \n')).toEqual([{ variant: 'high', usd: '0.17' }]);
});

test('No lines are no prices', () => {
  expect(readVariantLines(variantLines(undefined))).toBeNull();
  expect(readVariantLines(' \n')).toBeNull();
});

test.each(['high', '0.17', 'High 0.17', 'high -1', 'a b c 0.17', 'high 1,5'])(
  '%j is no price of a variant',
  (line) => {
    expect(Check(VariantLines, line)).toBe(false);
    expect(Check(VariantLines, `low 0.1\n${line}`)).toBe(false);
  },
);

test.each(['', 'high 0.17', 'high $0.17\n\n1024x1536 high 0.25\n'])('%j are prices', (lines) => {
  expect(Check(VariantLines, lines)).toBe(true);
});
