import { expect, test } from 'vitest';
import { PriceForm } from './price-form';

const ORDINARY = {
  inputUsd: '2',
  cachedInputUsd: '0.2',
  cacheWriteUsd: '2.5',
  outputUsd: '12',
  perCallUsd: '0',
};
const LONG = {
  aboveTokens: 200_000,
  inputUsd: '4',
  cachedInputUsd: '0.4',
  cacheWriteUsd: '5',
  outputUsd: '18',
};
const SINCE = { effectiveFrom: '2026-11-01T00:00:00.000Z' };

test('What long prompts cost is kept when another price changes', () => {
  const form = new PriceForm({ ...ORDINARY, longContext: LONG, ...SINCE });
  form.controls.inputUsd.setValue('3');
  expect(form.group.valid).toBe(true);
  expect(form.body()).toEqual({ ...ORDINARY, inputUsd: '3', longContext: LONG });
});

test('A price of the cache for long prompts that is their input price changes with it', () => {
  const longContext = { ...LONG, cachedInputUsd: LONG.inputUsd };
  const form = new PriceForm({ ...ORDINARY, longContext, ...SINCE });
  form.longContext.controls.inputUsd.setValue('6');
  const { aboveTokens, cacheWriteUsd, outputUsd } = LONG;
  const follows = { aboveTokens, inputUsd: '6', cacheWriteUsd, outputUsd };
  expect(form.body().longContext).toEqual(follows);
});

test('What long prompts cost is asked for, and sent, only where it is switched on', () => {
  const form = new PriceForm({ ...ORDINARY, longContext: null, ...SINCE });
  expect(form.group.valid).toBe(true);
  form.hasLongContext.setValue(true);
  expect(form.group.valid).toBe(false);
  const { controls } = form.longContext;
  controls.aboveTokens.setValue('200,000');
  controls.inputUsd.setValue('$4');
  controls.outputUsd.setValue('18');
  expect(form.group.valid).toBe(true);
  const longContext = { aboveTokens: 200_000, inputUsd: '4', outputUsd: '18' };
  expect(form.body()).toEqual({ ...ORDINARY, longContext });
  controls.aboveTokens.setValue('many');
  form.hasLongContext.setValue(false);
  expect(form.group.valid).toBe(true);
  expect(form.body()).toEqual(ORDINARY);
});
