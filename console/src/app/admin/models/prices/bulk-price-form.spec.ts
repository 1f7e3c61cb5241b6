import { expect, test } from 'vitest';
import { BulkPriceForm } from './bulk-price-form';

test('Only what is asked for is sent, and only that can be wrong', () => {
  const form = new BulkPriceForm();
  expect(form.group.valid).toBe(false);
  form.controls.percent.setValue('-10');
  expect([form.group.valid, form.body()]).toEqual([true, { percent: '-10' }]);
  form.controls.stepUsd.setValue('0.05');
  expect(form.body()).toEqual({ percent: '-10', rounding: { stepUsd: '0.05', mode: 'nearest' } });

  form.controls.kind.setValue('factor');
  expect(form.group.valid).toBe(false);
  form.controls.factor.setValue('1.2');
  expect(form.body()).toMatchObject({ factor: '1.2' });

  form.controls.kind.setValue('set');
  expect(form.group.valid).toBe(false);
  form.controls.inputUsd.setValue('1');
  form.controls.outputUsd.setValue('2');
  expect([form.group.valid, form.body()]).toEqual([
    true,
    { set: { inputUsd: '1', outputUsd: '2' } },
  ]);
});

test('Prices can begin at a time that is still to come', () => {
  const form = new BulkPriceForm();
  form.controls.percent.setValue('5');
  form.controls.effectiveFrom.setValue('2100-01-01T00:00');
  expect(form.body().effectiveFrom).toBe(new Date('2100-01-01T00:00').toISOString());
});
