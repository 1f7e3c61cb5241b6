import type { TargetView } from '@weir/shared/catalog/targets';
import { expect, test } from 'vitest';
import { FakeApi } from '../../../../testing/fake-api';
import { NOW } from '../../../../testing/views';
import { TargetsState } from './targets-state';

const PART = { source: '', checkedOn: '2026-11-28' };
const PROFILES = {
  vendors: [
    { ...PART, id: 'openai', label: 'OpenAI' },
    { ...PART, id: 'groq', label: 'Groq' },
  ],
  families: [{ ...PART, id: 'gpt-5.1', label: 'GPT-5.1' }],
};
const TARGET: TargetView = {
  modelId: 'one',
  upstreamName: 'gpt-5.1',
  profile: 'groq/gpt-5.1',
  isChosen: false,
  omissions: [],
  refusedFields: [],
  efforts: [],
  outputLimitField: null,
  developerAsSystem: false,
  toolNameCharactersMax: 64,
  learned: [
    {
      id: 'refusal',
      protocol: 'openai-chat',
      field: 'user',
      message: '',
      isForAll: true,
      learnedAt: NOW,
      expiresAt: NOW,
    },
  ],
};

async function stateOf(api: FakeApi): Promise<TargetsState> {
  const state = new TargetsState(api, () => 'channel');
  await state.targets.load();
  return state;
}

test('A profile is called by its vendor and its family, of which one may be generic', async () => {
  const api = new FakeApi({
    listTargets: () => ({ data: [] }),
    listTargetProfiles: () => PROFILES,
  });
  const state = await stateOf(api);
  expect(
    ['groq/gpt-5.1', 'groq', 'generic/gpt-5.1', 'groq/generic', 'generic'].map((profile) =>
      state.labelOf(profile),
    ),
  ).toEqual(['Groq · GPT-5.1', 'Groq', 'GPT-5.1', 'Groq', undefined]);
  expect(state.choices(TARGET)).toEqual([
    { value: 'openai', label: 'OpenAI' },
    { value: 'groq', label: 'Groq' },
    { value: 'groq/gpt-5.1', label: 'Groq · GPT-5.1' },
  ]);
});

test('What is kept or forgotten is read again', async () => {
  let asked = 0;
  const api = new FakeApi({
    listTargets: () => {
      asked += 1;
      return { data: asked === 1 ? [TARGET] : [{ ...TARGET, learned: [] }] };
    },
    listTargetProfiles: () => PROFILES,
    deleteLearnedRefusal: () => undefined,
  });
  const state = await stateOf(api);
  await state.forget('refusal');
  expect(state.targets.value()).toEqual([{ ...TARGET, learned: [] }]);
});
