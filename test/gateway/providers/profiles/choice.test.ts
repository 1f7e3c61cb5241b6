/** The choice of a profile: unknown and hostile names, and the operator's setting. */
import { describe, expect, it } from 'vitest';
import { modelNameOf } from '../../../../gateway/providers/profiles/model-name.ts';
import {
  isProfileId,
  listProfiles,
  profileName,
} from '../../../../gateway/providers/profiles/profile-of.ts';
import { PROTOCOL_DEFAULTS } from '../../../../gateway/providers/profiles/protocol-defaults.ts';
import { profileFor, targetOf } from './profile-for.ts';

describe('a model that is not known', () => {
  it.each([
    'upstream',
    'my-finetune-v2',
    '',
    '/',
    'openai/',
    'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc123',
    'o',
    'gp',
    'olmo-2',
    'gpt-j-6b',
    'prod-gpt-5.1',
  ])('gets the plainest profile of the protocol: %j', (name) => {
    for (const protocol of ['openai-chat', 'openai-responses', 'anthropic-messages'] as const) {
      expect(profileFor(name, { protocol })).toEqual(PROTOCOL_DEFAULTS[protocol]);
    }
    expect(profileName(targetOf(name))).toBe('generic');
  });

  it('is sent none of the advice that only some vendors take', () => {
    expect(profileFor('upstream')).toMatchObject({
      cacheKey: false,
      userIdCharactersMax: 0,
      verbosity: false,
      developerRole: false,
      strictTools: false,
      efforts: ['low', 'medium', 'high'],
      stopSequencesMax: 4,
      jsonSchema: 'format',
    });
    expect(profileFor('upstream', { protocol: 'openai-responses' }).encryptedReasoning).toBe(false);
  });
});

describe('hostile names', () => {
  /** Letters with which a nested repetition would exceed the test's time. */
  const LETTERS = 10_240;
  it.each([
    'a'.repeat(LETTERS),
    '/'.repeat(LETTERS),
    '-'.repeat(LETTERS),
    'gemini-'.repeat(LETTERS / 7),
    `gemini-${'a-'.repeat(LETTERS)}`,
    `claude-${'1'.repeat(LETTERS)}`,
    `claude-${'a'.repeat(LETTERS)}-5`,
    `gpt-5.${'6'.repeat(LETTERS)}`,
    `qwen3-${'a.1-'.repeat(LETTERS)}`,
    `us.${'anthropic.'.repeat(LETTERS)}`,
    `${'1p'.repeat(LETTERS)}1`,
    String.fromCharCode(0, 0xd800, 0xdc00, 0xd800).repeat(1_000),
  ])('are matched in linear time (%#)', (name) => {
    for (const kind of ['openai', 'azure'] as const) {
      expect(profileFor(name, { kind, baseUrl: `https://${name.slice(0, 200)}` })).toBeDefined();
    }
    expect(modelNameOf(name).length).toBeLessThanOrEqual(250);
  });

  it('the names of objects’ own members are no profiles', () => {
    for (const chosen of ['__proto__', 'constructor', 'toString/valueOf', 'openai/__proto__']) {
      expect(isProfileId(chosen)).toBe(false);
      expect(profileName(targetOf('gpt-5.1', { chosen }))).toBe('generic/gpt-5.1');
    }
  });
});

describe('the choice of the operator', () => {
  const baseUrl = 'https://api.groq.com/openai/v1';

  it.each([
    [null, 'groq/gpt-oss'],
    ['generic', 'generic'],
    ['vllm', 'vllm/gpt-oss'],
    ['openai/gpt-5.1', 'openai/gpt-5.1'],
    ['generic/gpt-5.1', 'generic/gpt-5.1'],
    ['groq/generic', 'groq/generic'],
    // What is not known, such as a profile of a newer version, stops no request.
    ['groq/no-such', 'groq/gpt-oss'],
    ['no-such/gpt-5.1', 'groq/gpt-oss'],
    ['', 'groq/gpt-oss'],
    ['openai/gpt-5.1/more', 'groq/gpt-oss'],
  ])('%j means %s', (chosen, name) => {
    expect(profileName(targetOf('openai/gpt-oss-120b', { baseUrl, chosen }))).toBe(name);
  });

  it('replaces what the address and the name say', () => {
    const chosen = profileFor('prod', { chosen: 'openai/gpt-5.1' });
    expect(chosen).toBe(profileFor('gpt-5.1', { baseUrl: 'https://api.openai.com/v1' }));
    expect(profileFor('gpt-5.1', { baseUrl, chosen: 'generic' })).toEqual(
      PROTOCOL_DEFAULTS['openai-chat'],
    );
  });

  it('has all that the list names', () => {
    const { vendors, families } = listProfiles();
    for (const { id: vendor } of vendors) {
      for (const { id: family } of families) {
        const chosen = `${vendor}/${family}`;
        expect(isProfileId(chosen)).toBe(true);
        expect(profileName(targetOf('any', { chosen }))).toBe(chosen);
      }
    }
  });
});
