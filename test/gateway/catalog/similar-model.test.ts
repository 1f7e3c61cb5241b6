import { expect, it } from 'vitest';
import { Catalog } from '../../../gateway/catalog/catalog.ts';
import type { GroupEntry, ModelEntry } from '../../../gateway/catalog/snapshot.ts';

function catalogOf(...publicIds: string[]): Catalog {
  const models = publicIds.map((publicId) => ({ id: publicId, publicId }) as ModelEntry);
  const group: GroupEntry = {
    ...{ id: 'group', name: 'group', active: true, isPublic: true, modelIds: publicIds },
    ...{ multiplierPpm: 1_000_000, rpm: null, tpm: null, protocols: null },
  };
  const other = { ...group, id: 'other', modelIds: [] };
  const snapshot = {
    version: 1,
    groups: [group, other],
    models,
    channels: [],
    uncheckedKeyPrefixes: [],
  };
  return new Catalog(snapshot);
}

it.each([
  ['openai/gpt-4o-mini', 'gpt-4o-mini'],
  ['OpenRouter/openai/GPT-4o-mini', 'gpt-4o-mini'],
  ['openai/gpt-4o-mini:free', 'gpt-4o-mini'],
  ['GPT-4o-Mini ', 'gpt-4o-mini'],
  ['llama-4', 'meta/llama-4'],
  ['groq/llama-4', 'meta/llama-4'],
  ['gpt-5', null],
])('for %s a request is told of %s', (asked, similar) => {
  const catalog = catalogOf('gpt-4o-mini', 'meta/llama-4');
  expect(catalog.offer({ groupId: 'other', memberships: new Map() }, asked)).toEqual({
    missing: 'model',
    similar,
  });
});
