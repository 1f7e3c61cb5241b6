import { describe, expect, it } from 'vitest';
import { gemini } from '../../../../gateway/providers/gemini/provider.ts';

const ORIGIN = 'https://generativelanguage.googleapis.com';
const VERTEX =
  'https://us-central1-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/google';

describe('a channel of kind gemini', () => {
  it.each([
    [ORIGIN, 'gemini-3-pro', '/v1beta/models/gemini-3-pro'],
    [`${ORIGIN}/v1beta`, 'gemini-3-pro', '/models/gemini-3-pro'],
    [`${ORIGIN}/v1`, 'gemini-3-pro', '/models/gemini-3-pro'],
    [VERTEX, 'gemini-3-pro', '/models/gemini-3-pro'],
    [ORIGIN, 'models/gemini-3-pro', '/v1beta/models/gemini-3-pro'],
    [ORIGIN, 'tunedModels/mine', '/v1beta/tunedModels/mine'],
    [ORIGIN, 'a?b', '/v1beta/models/a%3Fb'],
  ])('with the base address %s asks for %s at its path', (baseUrl, model, path) => {
    expect(gemini.path('gemini', 'generate', model, baseUrl)).toBe(`${path}:generateContent`);
    expect(gemini.streamPath?.('gemini', model, baseUrl)).toBe(
      `${path}:streamGenerateContent?alt=sse`,
    );
  });

  it('sends API keys in Google’s header and OAuth tokens as bearer', () => {
    expect(gemini.credentialHeaders('AIza')).toEqual(['x-goog-api-key', 'AIza']);
    expect(gemini.credentialHeaders('ya29.x')).toEqual(['authorization', 'Bearer ya29.x']);
  });
});
