import type { ChannelView } from '@weir/shared/catalog/channels';
import { expect, test } from 'vitest';
import { ChannelForm } from './channel-form';

function filled(): ChannelForm {
  const form = new ChannelForm();
  form.controls.name.setValue('River works');
  form.controls.baseUrl.setValue('https://api.example.com');
  form.controls.protocols.setValue(['openai-responses']);
  form.controls.omittedFields.setValue('store');
  form.controls.outputLimitField.setValue('max_tokens');
  form.controls.storesResponses.setValue(true);
  return form;
}

test('A new channel is OpenAI-compatible until another kind is chosen', () => {
  const form = filled();
  expect(form.createBody()).toMatchObject({
    kind: 'openai',
    protocols: ['openai-responses'],
    omittedFields: ['store'],
    storesResponses: true,
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
    storesResponses: false,
    omittedFields: [],
    fieldPolicy: 'known',
    proxy: null,
    outputLimitField: null,
  });
  form.controls.kind.setValue('bedrock');
  expect(form.createBody()).toMatchObject({
    kind: 'bedrock',
    protocols: null,
    omittedFields: form.controls.omittedFields.value.split('\n'),
  });
  form.controls.locations.setValue('us-east5\nglobal');
  form.controls.kind.setValue('vertex');
  expect(form.createBody()).toMatchObject({ kind: 'vertex', locations: ['us-east5', 'global'] });
  form.controls.kind.setValue('azure');
  expect(form.createBody()).toMatchObject({ kind: 'azure', protocols: ['openai-responses'] });
});

const DEMO: ChannelView = {
  id: '018f0000-0000-7000-8000-000000000001',
  name: 'demo',
  kind: 'demo',
  baseUrl: 'http://127.0.0.1:1/v1',
  status: 'active',
  priority: 0,
  weight: 1,
  connectTimeoutMs: 5_000,
  firstByteTimeoutMs: 600_000,
  idleTimeoutMs: 600_000,
  totalTimeoutMs: 900_000,
  concurrencyMax: null,
  outputLimitField: null,
  omittedFields: [],
  locations: [],
  fieldPolicy: 'known',
  proxy: null,
  storesResponses: false,
  balanceApi: null,
  protocols: null,
  allowPrivate: true,
  models: [],
  groupIds: [],
  credentials: [],
  health: { state: 'unknown', retryAt: null, failure: null, limitedModels: [], lastTest: null },
  createdAt: '2026-11-25T00:00:00.000Z',
  updatedAt: '2026-11-25T00:00:00.000Z',
};

test('The demo is saved without its kind, which nobody can choose', () => {
  expect(new ChannelForm(DEMO).updateBody([])).not.toHaveProperty('kind');
});
