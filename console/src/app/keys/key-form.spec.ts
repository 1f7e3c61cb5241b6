import { KeyCreate, KeyUpdate } from '@weir/shared/keys';
import { describe, expect, test } from 'vitest';
import { key } from '../../testing/views';
import { fits } from '../core/api/fits';
import { KeyForm } from './key-form';

const LIMITS = {
  expiresAt: null,
  budgetTotalUsd: null,
  budgetDayUsd: null,
  budgetMonthUsd: null,
  rpm: null,
  tpm: null,
  concurrencyMax: null,
  ipAllowlist: [],
  modelAllowlist: [],
};

describe('The form of a key', () => {
  test('sends no limit where nothing stands', () => {
    const form = new KeyForm();
    form.controls.name.setValue('  Laptop ');
    form.controls.groupId.setValue(key.groupId);
    expect(form.group.valid).toBe(true);
    expect(form.createBody()).toEqual({ name: 'Laptop', groupId: key.groupId, ...LIMITS });
    expect(fits(KeyCreate, form.createBody())).toBe(true);
  });

  test('sends what people write as the API takes it', () => {
    const form = new KeyForm();
    form.group.patchValue({
      name: 'Server',
      groupId: key.groupId,
      budgetMonthUsd: '$1,000.50',
      rpm: '1 200',
      ipAllowlist: ' 203.0.113.0/24\n\n2001:db8::1 ',
      expiresAt: '2027-01-31T12:00',
    });
    expect(form.group.valid).toBe(true);
    const body = form.createBody();
    expect(body).toMatchObject({
      budgetMonthUsd: '1000.50',
      rpm: 1200,
      ipAllowlist: ['203.0.113.0/24', '2001:db8::1'],
      expiresAt: '2027-01-31T12:00:00.000Z',
    });
    expect(fits(KeyCreate, body)).toBe(true);
  });

  test('that nobody touched changes nothing', () => {
    const limited = { ...key, budgetDayUsd: '2', tpm: 90_000, ipAllowlist: ['203.0.113.0/24'] };
    const form = new KeyForm(limited);
    expect(form.group.valid).toBe(true);
    const body = form.updateBody();
    expect(fits(KeyUpdate, body)).toBe(true);
    const kept = Object.keys(body).map((field) => [field, limited[field as keyof typeof limited]]);
    expect(body).toEqual(Object.fromEntries(kept));
  });
});
