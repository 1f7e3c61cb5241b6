import { KeyCreate, KeyUpdate } from '@weir/shared/people/keys';
import { describe, expect, test } from 'vitest';
import { key } from '../../../testing/views';
import { matchesSchema } from '../../core/api/matches-schema';
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
    expect(matchesSchema(KeyCreate, form.createBody())).toBe(true);
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
    expect(matchesSchema(KeyCreate, body)).toBe(true);
  });

  test('that nobody touched changes nothing', () => {
    const form = new KeyForm({ ...key, budgetDayUsd: '2', ipAllowlist: ['203.0.113.0/24'] });
    expect(form.group.valid).toBe(true);
    expect(form.updateBody()).toEqual({});
  });

  // The server refuses a time that is over and a model that is gone, even for a key that has them
  // already.
  test('sends only what was touched', () => {
    const form = new KeyForm({
      ...key,
      expiresAt: '2020-01-31T12:00:30.000Z',
      rpm: 5,
      modelAllowlist: ['gone-1'],
    });
    const { name, rpm } = form.controls;
    name.setValue(' Old laptop ');
    name.markAsDirty();
    rpm.setValue('');
    rpm.markAsDirty();
    const body = form.updateBody();
    expect(body).toEqual({ name: 'Old laptop', rpm: null });
    expect(matchesSchema(KeyUpdate, body)).toBe(true);
  });

  test('knows the models of a key that are no longer there, ticked or not', () => {
    const form = new KeyForm({ ...key, modelAllowlist: ['gone-1', 'here-1'] });
    expect(form.modelsGone(['here-1', 'here-2'])).toEqual(['gone-1']);
    form.controls.modelAllowlist.setValue(['here-1']);
    expect(form.modelsGone(['here-1', 'here-2'])).toEqual(['gone-1']);
    expect(new KeyForm().modelsGone(['here-1'])).toEqual([]);
  });

  test('forgets models that another group does not have', () => {
    const form = new KeyForm();
    form.controls.modelAllowlist.setValue(['only-a', 'both']);
    form.changeGroup('b', ['both', 'only-b']);
    expect(form.createBody().modelAllowlist).toEqual(['both']);
  });

  test('keeps models that are gone while the group stays, or a limited key would allow every model', () => {
    const form = new KeyForm({ ...key, modelAllowlist: ['gone-1', 'gone-2'] });
    form.controls.modelAllowlist.setValue(['gone-2']);
    form.controls.modelAllowlist.markAsDirty();
    form.changeGroup(key.groupId, ['here-1']);
    expect(form.updateBody().modelAllowlist).toEqual(['gone-2']);
  });
});
