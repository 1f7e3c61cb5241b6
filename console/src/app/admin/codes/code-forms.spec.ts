import { RedemptionBatchCreate } from '@weir/shared/money/redemption-codes';
import { describe, expect, test } from 'vitest';
import { GROUP_ID } from '../../../testing/views';
import { matchesSchema } from '../../core/api/matches-schema';
import { BatchForm } from './code-forms';

const PLAN_ID = GROUP_ID;

function named(): BatchForm {
  const form = new BatchForm();
  form.controls.name.setValue('Spring');
  return form;
}

describe('The form of a batch', () => {
  test('wants an amount for money and a plan for plans', () => {
    const form = named();
    expect(form.group.valid).toBe(false);
    form.controls.amountUsd.setValue('5');
    expect(form.group.valid).toBe(true);
    form.controls.kind.setValue('plan');
    expect(form.group.valid).toBe(false);
    expect(form.controls.planId.errors).toEqual({ required: true });
    form.controls.planId.setValue(PLAN_ID);
    expect(form.group.valid).toBe(true);
  });

  // The amount is not shown then: nobody could mend it, and nothing said why no code was made.
  test('asks no more for what stands in the field of the other kind', () => {
    const form = named();
    form.controls.amountUsd.setValue('abc');
    form.controls.kind.setValue('plan');
    form.controls.planId.setValue(PLAN_ID);
    expect(form.group.valid).toBe(true);
    const body = form.body();
    expect(body).toMatchObject({ kind: 'plan', planId: PLAN_ID });
    expect(body).not.toHaveProperty('amountUsd');
    expect(matchesSchema(RedemptionBatchCreate, body)).toBe(true);
  });

  test('asks again when the first kind is taken after all', () => {
    const form = named();
    form.controls.amountUsd.setValue('abc');
    form.controls.kind.setValue('plan');
    form.controls.kind.setValue('balance');
    expect(form.group.valid).toBe(false);
    expect(form.controls.amountUsd.errors).toHaveProperty('fault');
  });
});
