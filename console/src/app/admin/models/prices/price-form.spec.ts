import { expect, test } from 'vitest';
import { wordsIn } from '../../../../testing/words';
import { faultWords } from '../../../core/forms/fault-words';
import { PriceForm } from './price-form';

const { t } = await wordsIn();

const ORDINARY = {
  inputUsd: '2',
  cachedInputUsd: '0.2',
  cacheWriteUsd: '2.5',
  outputUsd: '12',
  perCallUsd: '0',
  extra: {},
};
const LONG = {
  aboveTokens: 200_000,
  inputUsd: '4',
  cachedInputUsd: '0.4',
  cacheWriteUsd: '5',
  outputUsd: '18',
  extra: {},
};
/** The form's values of meters without a price. */
const NO_LONG_EXTRA = {
  cacheWrite1h: null,
  audioInput: null,
  imageInput: null,
  cachedAudioInput: null,
  cachedImageInput: null,
  audioOutput: null,
  imageOutput: null,
};
const NO_EXTRA = {
  ...NO_LONG_EXTRA,
  webSearch: null,
  image: null,
  second: null,
  character: null,
  searchUnit: null,
  secondsMin: null,
  variants: null,
};
const TIERS = [{ tier: 'priority', factor: '2' }];
const SINCE = { tiers: TIERS, effectiveFrom: '2026-11-01T00:00:00.000Z' };

test('What long prompts cost is kept when another price changes', () => {
  const form = new PriceForm({ ...ORDINARY, longContext: LONG, ...SINCE });
  form.controls.inputUsd.setValue('3');
  expect(form.group.valid).toBe(true);
  expect(form.body()).toEqual({
    ...ORDINARY,
    extra: NO_EXTRA,
    inputUsd: '3',
    tiers: TIERS,
    longContext: { ...LONG, extra: NO_LONG_EXTRA },
  });
});

test('A price of the cache for long prompts that is their input price changes with it', () => {
  const longContext = { ...LONG, cachedInputUsd: LONG.inputUsd };
  const form = new PriceForm({ ...ORDINARY, longContext, ...SINCE });
  form.longContext.controls.inputUsd.setValue('6');
  const { aboveTokens, cacheWriteUsd, outputUsd } = LONG;
  const follows = { aboveTokens, inputUsd: '6', cachedInputUsd: null, cacheWriteUsd, outputUsd };
  const body = { ...follows, extra: NO_LONG_EXTRA };
  expect(form.body().longContext).toEqual(body);
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
  const ofCaches = { cachedInputUsd: null, cacheWriteUsd: null, extra: NO_LONG_EXTRA };
  const longContext = { aboveTokens: 200_000, inputUsd: '4', outputUsd: '18', ...ofCaches };
  expect(form.body()).toEqual({ ...ORDINARY, extra: NO_EXTRA, tiers: TIERS, longContext });
  controls.aboveTokens.setValue('many');
  form.hasLongContext.setValue(false);
  expect(form.group.valid).toBe(true);
  expect(form.body()).toEqual({ ...ORDINARY, extra: NO_EXTRA, tiers: TIERS, longContext: null });
});

test('What is cleared or switched off is taken away: left out, it would stay as it is in force', () => {
  const form = new PriceForm({ ...ORDINARY, perCallUsd: '0.01', longContext: LONG, ...SINCE });
  for (const name of ['cachedInputUsd', 'cacheWriteUsd', 'perCallUsd'] as const) {
    form.controls[name].setValue('');
  }
  form.hasLongContext.setValue(false);
  for (const row of form.tiers.rows.controls) form.tiers.remove(row);
  expect(form.group.valid).toBe(true);
  expect(form.body()).toEqual({
    inputUsd: '2',
    outputUsd: '12',
    cachedInputUsd: null,
    cacheWriteUsd: null,
    perCallUsd: null,
    extra: NO_EXTRA,
    tiers: [],
    longContext: null,
  });
});

test('A long prompt that would cost less than a shorter one is refused with words, also where no field shows it', () => {
  const form = new PriceForm({ ...ORDINARY, longContext: LONG, ...SINCE });
  const { inputUsd, cacheWriteUsd } = form.longContext.controls;
  form.controls.inputUsd.setValue('4.5');
  expect(inputUsd.errors).toEqual({ belowOrdinary: true });
  expect(faultWords(form.firstFault(), t)).toBe(
    'A long prompt must not cost less than a shorter one.',
  );
  form.controls.inputUsd.setValue('4');
  expect([form.group.valid, form.firstFault()]).toEqual([true, null]);
  // Nothing stands there: as much as input.
  cacheWriteUsd.setValue('');
  form.controls.cacheWriteUsd.setValue('4.1');
  expect(cacheWriteUsd.errors).toEqual({ belowOrdinary: true });
  inputUsd.setValue('$4.20');
  expect(form.group.valid).toBe(true);
  inputUsd.setValue('3');
  form.hasLongContext.setValue(false);
  expect(form.group.valid).toBe(true);
  form.hasLongContext.setValue(true);
  expect(form.group.valid).toBe(false);
});

test('What meters cost is kept when another price changes, and taken away when it is cleared', () => {
  const extra = { cacheWrite1h: '4', webSearch: '0.01' };
  const longContext = { ...LONG, extra: { cacheWrite1h: '8' } };
  const form = new PriceForm({ ...ORDINARY, extra, longContext, ...SINCE });
  form.controls.inputUsd.setValue('3');
  form.extra.controls['webSearch']?.setValue(' ');
  form.extra.controls['audioOutput']?.setValue('$64.50');
  expect(form.group.valid).toBe(true);
  expect(form.body()).toMatchObject({
    extra: { ...NO_EXTRA, cacheWrite1h: '4', audioOutput: '64.50' },
    longContext: { extra: { ...NO_LONG_EXTRA, cacheWrite1h: '8' } },
  });
  form.extra.controls['imageInput']?.setValue('much');
  expect(form.group.valid).toBe(false);
  expect(form.firstFault()).not.toBe(null);
});
