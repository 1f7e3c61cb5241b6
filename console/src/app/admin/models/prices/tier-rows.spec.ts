import { ADMIN_SCHEMAS } from '@weir/shared/api/admin-schemas';
import { TierFactor, TIERS_MAX } from '@weir/shared/prices/price-fields';
import { Check } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { badValues } from '../../../../testing/bad-values';
import { wordsIn } from '../../../../testing/words';
import { ApiFailure } from '../../../core/api/api-failure';
import { faultWords } from '../../../core/forms/fault-words';
import { revalidate, showServerFaults } from '../../../core/forms/server-faults';
import { PriceForm } from './price-form';
import { type TierRow, TierRows } from './tier-rows';

const english = await wordsIn('en');
const chinese = await wordsIn('zh-CN');

const PRESENT = [
  { tier: 'flex', factor: '0.5' },
  { tier: 'priority', factor: '2' },
];

function rowOf({ rows }: TierRows, index: number): TierRow {
  const row = rows.controls[index];
  if (row === undefined) throw new Error(`There is no row ${String(index)}`);
  return row;
}

function faultsOf({ rows }: TierRows): string[] {
  return rows.controls.map(({ controls }) => faultWords(controls.tier.errors, english.t));
}

test('Rows are sent as they stand, without what means nothing around them', () => {
  const tiers = new TierRows(PRESENT);
  expect(tiers.body()).toEqual(PRESENT);
  tiers.add();
  rowOf(tiers, 2).setValue({ tier: ' fast ', factor: ' 1.25 ' });
  tiers.remove(rowOf(tiers, 0));
  expect(tiers.rows.valid).toBe(true);
  expect(tiers.body()).toEqual([PRESENT[1], { tier: 'fast', factor: '1.25' }]);
});

test('A row that was added wants both its fields, and says so also where no field shows it', () => {
  const form = new PriceForm(null);
  form.controls.inputUsd.setValue('1');
  form.controls.outputUsd.setValue('1');
  expect(form.group.valid).toBe(true);
  form.tiers.add();
  expect(form.group.valid).toBe(false);
  expect(form.firstFault()).toEqual({ required: true });
  const { tier, factor } = rowOf(form.tiers, 0).controls;
  tier.setValue('flex');
  expect(form.firstFault()).toEqual({ required: true });
  factor.setValue('0.5');
  expect([form.group.valid, form.firstFault()]).toEqual([true, null]);
});

describe('A tier that stands in two rows', () => {
  const repeated = english.t('rule.repeated');

  test('is wrong in the lower one until either is another', () => {
    const tiers = new TierRows([...PRESENT, { tier: 'fast', factor: '3' }]);
    rowOf(tiers, 0).controls.tier.setValue('fast ');
    expect(faultsOf(tiers)).toEqual(['', '', repeated]);
    rowOf(tiers, 1).controls.tier.setValue('fast');
    expect(faultsOf(tiers)).toEqual(['', repeated, repeated]);
    expect(tiers.rows.valid).toBe(false);
    rowOf(tiers, 0).controls.tier.setValue('flex');
    expect(faultsOf(tiers)).toEqual(['', '', repeated]);
    rowOf(tiers, 2).controls.tier.setValue('priority');
    expect([faultsOf(tiers), tiers.rows.valid]).toEqual([['', '', ''], true]);
  });

  test('is right when the other row goes', () => {
    const tiers = new TierRows(PRESENT);
    rowOf(tiers, 0).controls.tier.setValue('priority');
    expect(faultsOf(tiers)).toEqual(['', repeated]);
    tiers.remove(rowOf(tiers, 0));
    expect([faultsOf(tiers), tiers.rows.valid]).toEqual([[''], true]);
  });

  test('is not found in rows that are empty yet', () => {
    const tiers = new TierRows([]);
    tiers.add();
    tiers.add();
    const required = english.t('rule.required');
    expect(faultsOf(tiers)).toEqual([required, required]);
  });
});

const BREACHES = (['tier', 'factor'] as const).flatMap((field) =>
  badValues(TierFactor.properties[field]).map((bad) => ({ field, ...bad })),
);

test.each(BREACHES)('A $field that breaks $rule is told what is wrong', ({ field, value }) => {
  const tiers = new TierRows(PRESENT);
  const control = rowOf(tiers, 0).controls[field];
  control.setValue(String(value));
  for (const { t } of [english, chinese]) {
    expect(['', t('rule.form')]).not.toContain(faultWords(control.errors, t));
  }
});

test('There are no more rows than the API takes', () => {
  const tiers = new TierRows([]);
  for (let count = 1; count <= TIERS_MAX; count += 1) {
    expect(tiers.isFull).toBe(false);
    tiers.add({ tier: `tier-${String(count)}`, factor: '1' });
  }
  expect(tiers.isFull).toBe(true);
  const { tiers: schema } = ADMIN_SCHEMAS.PriceCreate.properties;
  expect(Check(schema, tiers.body())).toBe(true);
  expect(Check(schema, [...tiers.body(), ...PRESENT])).toBe(false);
});

test('What the server refused in a row stands there until it is asked again', () => {
  const form = new PriceForm(null);
  form.tiers.add(PRESENT[0]);
  const { factor } = rowOf(form.tiers, 0).controls;
  const fields = [{ field: 'tiers.0.factor', detail: 'Too low.' }];
  const failure = new ApiFailure({ code: 'invalid_value', status: 400, fields });
  showServerFaults(form.group, failure, english);
  expect(factor.errors).toEqual({ server: 'Too low.' });
  revalidate(form.group);
  expect(factor.errors).toBe(null);
});
