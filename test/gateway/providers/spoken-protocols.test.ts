import { describe, expect, it } from 'vitest';
import { openaiCompatible } from '../../../gateway/providers/openai-compatible/provider.ts';
import { spokenProtocols } from '../../../gateway/providers/spoken-protocols.ts';

const AT = { upstreamModel: 'm', baseUrl: 'https://upstream.example/v1' };

describe('the protocols of a channel', () => {
  it('are those of its kind when none are set', () => {
    expect(spokenProtocols(openaiCompatible, null, AT)).toBe(openaiCompatible.speaks);
    expect(openaiCompatible.speaks).not.toContain('openai-responses');
  });

  it('are what its operator has set, in that order, as far as its kind has a path for it', () => {
    const listed = ['openai-responses', 'gemini', 'openai-chat'] as const;
    expect(spokenProtocols(openaiCompatible, listed, AT)).toEqual([
      'openai-responses',
      'openai-chat',
    ]);
  });

  it('are those of the model where its vendor serves its models in several', () => {
    const mixed = {
      ...openaiCompatible,
      speaksTo: (model: string) =>
        model === 'm' ? (['gemini'] as const) : openaiCompatible.speaks,
    };
    expect(spokenProtocols(mixed, null, AT)).toEqual(['gemini']);
    expect(spokenProtocols(mixed, ['openai-chat'], AT)).toEqual(['openai-chat']);
  });
});
