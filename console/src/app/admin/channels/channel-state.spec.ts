import type { ChannelTestView, ChannelView } from '@weir/shared/catalog/channels';
import { describe, expect, test } from 'vitest';
import { FakeApi } from '../../../testing/fake-api';
import { GROUP_ID, NOW } from '../../../testing/views';
import { ChannelState } from './channel-state';

const ONE = { modelId: 'one', upstreamName: 'upstream-one' };
const OTHER = { modelId: 'other', upstreamName: 'upstream-other' };

const channel: ChannelView = {
  id: 'channel',
  name: 'Channel',
  kind: 'openai',
  baseUrl: 'https://upstream.example/v1',
  status: 'active',
  priority: 0,
  weight: 1,
  connectTimeoutMs: 1_000,
  firstByteTimeoutMs: 1_000,
  idleTimeoutMs: 1_000,
  totalTimeoutMs: 1_000,
  concurrencyMax: null,
  outputLimitField: null,
  omittedFields: [],
  locations: [],
  fieldPolicy: 'known',
  proxy: null,
  storesResponses: false,
  balanceApi: null,
  protocols: null,
  allowPrivate: false,
  models: [ONE, OTHER],
  groupIds: [GROUP_ID],
  credentials: [],
  health: { state: 'unknown', retryAt: null, failure: null, limitedModels: [], lastTest: null },
  createdAt: NOW,
  updatedAt: NOW,
};

const TEST: ChannelTestView = {
  id: 'test',
  ok: true,
  upstreamName: ONE.upstreamName,
  latencyMs: 5,
  httpStatus: 200,
  reply: 'Hello',
  error: null,
  createdAt: NOW,
};

test('A channel that was tested shows what its health is now, and the models of the form as they stand', async () => {
  const api = new FakeApi({ getChannel: () => channel, testChannel: () => TEST });
  const state = new ChannelState(api, () => channel.id);
  await state.channel.load();
  state.removeModel(OTHER.modelId);
  const health = { ...channel.health, state: 'healthy', lastTest: TEST } as const;
  api.answer({ getChannel: () => ({ ...channel, name: 'Renamed by another', health }) });
  await state.tryOut();
  expect(state.channel.value()).toEqual({ ...channel, health });
  expect([state.test(), state.models()]).toEqual([TEST, [ONE]]);
});

describe('Saving a channel', () => {
  async function savingOf(saved: ChannelView) {
    const { promise: free, resolve: letGo } = Promise.withResolvers<ChannelView>();
    const api = new FakeApi({ getChannel: () => channel, updateChannel: () => free });
    const state = new ChannelState(api, () => channel.id);
    await state.channel.load();
    const done = state.save({ models: [...state.models()] });
    return { state, answer: () => (letGo(saved), done) };
  }

  test('keeps what is done to its models meanwhile', async () => {
    const { state, answer } = await savingOf(channel);
    state.removeModel(OTHER.modelId);
    state.renameModel(ONE.modelId, 'renamed');
    await answer();
    expect(state.models()).toEqual([{ ...ONE, upstreamName: 'renamed' }]);
  });

  test('shows the models as the server has them when nothing was done to them', async () => {
    const { state, answer } = await savingOf({ ...channel, models: [OTHER, ONE] });
    await answer();
    expect(state.models()).toEqual([OTHER, ONE]);
  });
});

describe('Models of the upstream', () => {
  const NEW = { modelId: 'new', upstreamName: 'upstream-new' };
  const LIST = [
    { modelId: null, upstreamName: 'upstream-one' },
    { modelId: OTHER.modelId, upstreamName: 'another-name' },
    { modelId: null, upstreamName: NEW.upstreamName },
  ];
  const saved = { ...channel, models: [ONE, NEW] };

  async function begin() {
    const api = new FakeApi({
      getChannel: () => ({ ...channel, models: [ONE] }),
      listModels: () => ({ data: [], nextCursor: null, total: null }),
      listUpstreamModels: () => ({ data: LIST, nextCursor: null }),
      updateChannel: () => saved,
    });
    const state = new ChannelState(api, () => channel.id);
    await state.channel.load();
    return { api, state };
  }

  test('are those that the channel serves by no name yet, saved or not', async () => {
    const { state } = await begin();
    state.models.update((models) => [...models, OTHER]);
    expect(await state.fetchNames()).toEqual([NEW.upstreamName]);
  });

  test('are saved at once, apart from edits of the others', async () => {
    const { api, state } = await begin();
    await state.bring({ served: [NEW], newModels: [] });
    expect(api.seen.find(({ route }) => route === 'updateChannel')?.body).toEqual({
      models: [ONE, NEW],
      newModels: [],
    });
    expect([state.models(), state.modelsEdited()]).toEqual([[ONE, NEW], false]);
  });

  test('leave alone what is not saved', async () => {
    const { state } = await begin();
    state.renameModel(ONE.modelId, 'renamed');
    await state.bring({ served: [NEW], newModels: [] });
    expect(state.models()).toEqual([{ ...ONE, upstreamName: 'renamed' }, NEW]);
    expect(state.modelsEdited()).toBe(true);
  });
});
