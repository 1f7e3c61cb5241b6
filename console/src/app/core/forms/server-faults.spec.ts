import { FormArray, FormControl, FormGroup } from '@angular/forms';
import { expect, test } from 'vitest';
import { ChannelForm } from '../../admin/channels/channel-form';
import { PriceForm } from '../../admin/models/prices/price-form';
import { FakeApi } from '../../../testing/fake-api';
import { wordsIn } from '../../../testing/words';
import { PasswordForm } from '../../account/security/password-form';
import { ApiFailure, type Failure } from '../api/api-failure';
import { revalidate, showServerFaults, standsAtFields, withoutShownFaults } from './server-faults';

const english = await wordsIn('en');
const chinese = await wordsIn('zh-CN');

const REFUSED = new ApiFailure({
  code: 'invalid_value',
  status: 400,
  fields: [{ field: 'baseUrl', detail: 'Allow private addresses.' }],
});

function filled(): ChannelForm {
  const form = new ChannelForm();
  form.group.patchValue({ name: 'At home', baseUrl: 'http://localhost:11434/v1' });
  return form;
}

test('What the server refused at one field is asked again, because it may be mended at another', () => {
  const { controls, group } = filled();
  showServerFaults(group, REFUSED, english);
  expect(controls.baseUrl.errors).toEqual({ server: 'Allow private addresses.' });
  controls.allowPrivate.setValue(true);
  expect(group.valid).toBe(false);
  revalidate(group);
  expect(group.valid).toBe(true);
});

test('What breaks a rule of the form stays wrong when it is validated again', () => {
  const { controls, group } = filled();
  showServerFaults(group, REFUSED, english);
  controls.name.setValue('');
  revalidate(group);
  expect(controls.baseUrl.errors).toBe(null);
  expect(controls.name.errors).toEqual({ required: true });
});

test.each(['longContext.inputUsd', '/longContext/inputUsd'])(
  'What the server refused at a field within another stands there: %s',
  (field) => {
    const form = new PriceForm(null);
    form.hasLongContext.setValue(true);
    const { inputUsd } = form.longContext.controls;
    inputUsd.setValue('1');
    const fields = [{ field, detail: 'Too low.' }];
    const failure = new ApiFailure({ code: 'invalid_value', status: 400, fields });
    showServerFaults(form.group, failure, english);
    expect(inputUsd.errors).toEqual({ server: 'Too low.' });
    expect(form.longContext.errors).toBe(null);
    revalidate(form.group);
    expect(inputUsd.errors).toBe(null);
  },
);
test.each([
  ['already_exists', 'There is one.', 'problem.already_exists'],
  ['invalid_credentials', 'The current password is wrong.', 'rule.currentPassword'],
  ['invalid_value', 'No such thing.', undefined],
] as const)('What the server refused with %s is told in the language of the page', (...row) => {
  const [code, detail, key] = row;
  const { group } = new PasswordForm(new FakeApi());
  const failure = new ApiFailure({ code, fields: [{ field: 'currentPassword', detail }] });
  const fault = group.controls.currentPassword;
  showServerFaults(group, failure, english);
  expect(fault.errors).toEqual({ server: detail });
  showServerFaults(group, failure, chinese);
  expect(fault.errors).toEqual({ server: key === undefined ? detail : chinese.t(key) });
});

test('What stands at its field is not repeated above the buttons', () => {
  const elsewhere = { field: 'elsewhere', detail: 'No field of the form.' };
  const failure = new ApiFailure({
    code: 'invalid_value',
    status: 400,
    fields: [...REFUSED.fields, elsewhere],
  });
  expect(withoutShownFaults(filled().group, failure)).toMatchObject({
    code: 'invalid_value',
    fields: [elsewhere],
  });
});

test('All is said at the fields when each is one of the form, and nothing may have been done', () => {
  const { group } = filled();
  const { code, fields } = REFUSED;
  const elsewhere = { field: 'elsewhere', detail: 'No field of the form.' };
  const saidThere = (more: Partial<Failure>): boolean =>
    standsAtFields(group, new ApiFailure({ code, fields, ...more }));
  expect(saidThere({})).toBe(true);
  expect(saidThere({ fields: [] })).toBe(false);
  expect(saidThere({ fields: [...fields, elsewhere] })).toBe(false);
  expect(saidThere({ mayBeDone: true })).toBe(false);
});

test('What has no field of its own is said at the nearest one, and other rows stay right', () => {
  const row = () =>
    new FormGroup({
      publicId: new FormControl('m'),
      prices: new FormGroup({ inputUsd: new FormControl('1'), outputUsd: new FormControl('2') }),
    });
  const rows = new FormArray([row(), row()]);
  const group = new FormGroup({ newModels: rows });
  const field = 'newModels.1.prices.longContext.inputUsd';
  const failure = new ApiFailure({
    code: 'invalid_value',
    status: 400,
    fields: [{ field, detail: 'Too low.' }],
  });
  showServerFaults(group, failure, english);
  expect(rows.at(1).controls.prices.controls.inputUsd.errors).toEqual({ server: 'Too low.' });
  expect([rows.at(0).valid, rows.at(1).controls.prices.controls.outputUsd.valid]).toEqual([
    true,
    true,
  ]);
  expect(withoutShownFaults(group, failure).fields).toEqual([]);
});
