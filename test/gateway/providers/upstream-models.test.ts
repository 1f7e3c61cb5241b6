import { describe, expect, it } from 'vitest';
import type { ProviderKind } from '../../../gateway/providers/provider.ts';
import { providerOf } from '../../../gateway/providers/registry.ts';

describe("an upstream's list of models", () => {
  it.each<readonly [ProviderKind, string, string]>([
    ['openai', 'https://api.openai.com/v1', '/models'],
    ['anthropic', 'https://api.anthropic.com', '/v1/models?limit=1000'],
    ['gemini', 'https://generativelanguage.googleapis.com', '/v1beta/models?pageSize=1000'],
    ['gemini', 'https://generativelanguage.googleapis.com/v1beta', '/models?pageSize=1000'],
    ['azure', 'https://weir.openai.azure.com', '/openai/v1/models'],
    ['azure', 'https://weir.openai.azure.com/openai', '/v1/models'],
    ['azure', 'https://weir.openai.azure.com/openai/v1', '/models'],
  ])('of kind %s is asked for behind %s', (kind, baseUrl, path) => {
    expect(providerOf(kind).models.path(baseUrl)).toBe(path);
  });

  it('of Gemini has the names that requests use', () => {
    const { models } = providerOf('gemini');
    const reply = { models: [{ name: 'models/gemini-3.8-flash' }, { displayName: 'unnamed' }] };
    expect(models.names(reply)).toEqual(['gemini-3.8-flash']);
    expect(models.names({ error: { code: 403 } })).toBeUndefined();
  });

  it.each([
    [{ object: 'list', data: [{ id: 'a' }, { id: 'b' }] }],
    [[{ id: 'a' }, { id: 'b' }]],
    [['a', 'b']],
    [{ data: ['a', 'b'] }],
    [{ models: [{ id: 'a' }, { id: 'b' }] }],
    [{ models: [{ name: 'a', model: 'a' }, { model: 'b' }] }],
  ])('is read from %j', (reply) => {
    expect(providerOf('openai').models.names(reply)).toEqual(['a', 'b']);
  });

  it.each([[{ models: [{ name: 'models/a' }] }], [{ data: null }], [{ data: [1] }], ['a'], [{}]])(
    'is none in %j',
    (reply) => {
      expect(providerOf('openai').models.names(reply)).toBeUndefined();
    },
  );
});
