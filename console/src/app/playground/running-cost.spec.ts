import { expect, test } from 'vitest';
import { roughTokens, runningCost } from './running-cost';

const PRICES = {
  inputUsd: '2',
  cachedInputUsd: '0.5',
  cacheWriteUsd: '2.5',
  outputUsd: '10',
  perCallUsd: '0',
  extra: {},
  longContext: null,
  tiers: [],
};

test.each([
  { input: 1_234, output: 57, perCallUsd: '0', costs: '0.003038' },
  { input: 0, output: 0, perCallUsd: '0.01', costs: '0.01' },
  { input: 1, output: 0, perCallUsd: '0', costs: '0.000002' },
])('A reply of $input and $output tokens costs $costs', ({ input, output, perCallUsd, costs }) => {
  expect(runningCost({ input, output }, { ...PRICES, perCallUsd })).toBe(costs);
});

test('After a long prompt a reply costs what long prompts cost', () => {
  const costlier = { inputUsd: '4', cachedInputUsd: '1', cacheWriteUsd: '5', outputUsd: '15' };
  const prices = { ...PRICES, longContext: { aboveTokens: 200, ...costlier, extra: {} } };
  expect(runningCost({ input: 200, output: 10 }, prices)).toBe('0.0005');
  expect(runningCost({ input: 201, output: 10 }, prices)).toBe('0.000954');
});

test('A forecast is rounded up to a nanodollar, as bills are', () => {
  expect(runningCost({ input: 1, output: 0 }, { ...PRICES, inputUsd: '0.0000001' })).toBe(
    '0.000000001',
  );
});

test('Tokens are guessed by letters, never less than one for any', () => {
  expect([roughTokens(''), roughTokens('a'), roughTokens('abcde')]).toEqual([0, 1, 2]);
});
