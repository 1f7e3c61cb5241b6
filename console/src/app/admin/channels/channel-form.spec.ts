import type { ChannelView } from '@weir/shared/channels';
import { expect, test } from 'vitest';
import { ChannelForm } from './channel-form';

function filled(): ChannelForm {
  const form = new ChannelForm();
  form.controls.name.setValue('River works');
  form.controls.baseUrl.setValue('https://api.example.com');
  form.controls.protocols.setValue(['openai-responses']);
  form.controls.omittedFields.setValue('store');
  form.controls.outputLimitField.setValue('max_tokens');
  return form;
}

test('A new channel is OpenAI-compatible until another kind is chosen', () => {
  const form = filled();
  expect(form.createBody()).toMatchObject({
    kind: 'openai',
    protocols: ['openai-responses'],
    omittedFields: ['store'],
    outputLimitField: 'max_tokens',
  });
});

test('Settings that another kind does not show are not sent with it', () => {
  const form = filled();
  form.controls.kind.setValue('anthropic');
  expect(form.kind()).toBe('anthropic');
  expect(form.createBody()).toMatchObject({
    kind: 'anthropic',
    protocols: null,
    omittedFields: [],
    outputLimitField: null,
  });
  form.controls.kind.setValue('azure');
  expect(form.createBody()).toMatchObject({ kind: 'azure', protocols: ['openai-responses'] });
});

test('The demo is saved without its kind, which nobody can choose', () => {
  const form = new ChannelForm({
    ...filled().createBody(),
    kind: 'demo',
    omittedFields: [],
    groupIds: [],
  } as Partial<ChannelView> as ChannelView);
  expect(form.updateBody([])).not.toHaveProperty('kind');
});
