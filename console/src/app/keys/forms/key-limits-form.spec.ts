import { expect, test } from 'vitest';
import { wordsIn } from '../../../testing/words';
import { KeyLimitsForm } from './key-limits-form';

const { t } = await wordsIn('en');

test('Only limits that are filled in are set, and "none" takes one away', () => {
  const form = new KeyLimitsForm(t);
  const { rpm, tpm, budgetDayUsd } = form.controls;
  expect(form.group.valid).toBe(false);
  rpm.setValue('60');
  tpm.setValue('None');
  budgetDayUsd.setValue(' 1.50 ');
  expect(form.group.valid).toBe(true);
  expect(form.body()).toEqual({ budgetDayUsd: '1.50', rpm: 60, tpm: null });
});

test.each(['0', '-1', '1.5', 'many', '2147483648'])('%s is no rate', (text) => {
  const { controls } = new KeyLimitsForm(t);
  controls.rpm.setValue(text);
  expect(controls.rpm.errors).toEqual({ words: t('keys.limitFault') });
});

test.each(['-1', '1,5', 'many'])('%s is no budget', (text) => {
  const { controls } = new KeyLimitsForm(t);
  controls.budgetMonthUsd.setValue(text);
  expect(controls.budgetMonthUsd.errors).toEqual({ words: t('keys.budgetFault') });
});
