import { expect, test } from 'vitest';
import { ChannelForm } from '../../admin/channels/channel-form';
import { PriceForm } from '../../admin/models/price-form';
import { ApiFailure } from '../api/api-failure';
import { judgeAnew, showServerFaults, withoutShownFaults } from './server-faults';

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
  showServerFaults(group, REFUSED);
  expect(controls.baseUrl.errors).toEqual({ server: 'Allow private addresses.' });
  controls.allowPrivate.setValue(true);
  expect(group.valid).toBe(false);
  judgeAnew(group);
  expect(group.valid).toBe(true);
});

test('What breaks a rule of the form stays wrong when it is judged anew', () => {
  const { controls, group } = filled();
  showServerFaults(group, REFUSED);
  controls.name.setValue('');
  judgeAnew(group);
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
    showServerFaults(form.group, new ApiFailure({ code: 'invalid_value', status: 400, fields }));
    expect(inputUsd.errors).toEqual({ server: 'Too low.' });
    expect(form.longContext.errors).toBe(null);
    judgeAnew(form.group);
    expect(inputUsd.errors).toBe(null);
  },
);
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
