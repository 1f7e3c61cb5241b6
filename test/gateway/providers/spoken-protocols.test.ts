import { describe, expect, it } from 'vitest';
import { openaiCompatible } from '../../../gateway/providers/openai-compatible/provider.ts';
import { spokenProtocols } from '../../../gateway/providers/spoken-protocols.ts';

describe('the protocols of a channel', () => {
  it('are those of its kind when none are set', () => {
    expect(spokenProtocols(openaiCompatible, null)).toBe(openaiCompatible.speaks);
    expect(openaiCompatible.speaks).not.toContain('openai-responses');
  });

  it('are what its operator has set, in that order, as far as its kind has a path for it', () => {
    const listed = ['openai-responses', 'gemini', 'openai-chat'] as const;
    expect(spokenProtocols(openaiCompatible, listed)).toEqual(['openai-responses', 'openai-chat']);
  });
});
