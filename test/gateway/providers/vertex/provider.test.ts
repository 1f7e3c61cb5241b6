import { describe, expect, it } from 'vitest';
import { spokenProtocols } from '../../../../gateway/providers/spoken-protocols.ts';
import { vertex } from '../../../../gateway/providers/vertex/provider.ts';

const BASE = 'https://us-east5-aiplatform.googleapis.com/v1/projects/p-1/locations/us-east5';
const EXPRESS = 'https://aiplatform.googleapis.com/v1';

describe('the base address of another location', () => {
  const at = (base: string, location: string) => vertex.atLocation?.(base, location);
  const path = (location: string) => `/v1/projects/p-1/locations/${location}`;

  it.each([
    ['global', 'aiplatform.googleapis.com'],
    ['eu', 'aiplatform.eu.rep.googleapis.com'],
    ['europe-west1', 'europe-west1-aiplatform.googleapis.com'],
  ])('has the host of %s', (location, host) => {
    const there = `https://${host}${path(location)}`;
    expect(at(BASE, location)).toBe(there);
    expect(at(there, 'us-east5')).toBe(BASE);
  });

  it.each([
    'https://gateway.example.com',
    'http://127.0.0.1:4711',
    'https://x-aiplatform.p.example',
  ])('keeps a host that is not Google’s: %s', (origin) => {
    expect(at(origin + path('us-east5'), 'global')).toBe(origin + path('global'));
  });

  it('is the same in express mode, which has no location', () => {
    expect(at(EXPRESS, 'us-east5')).toBe(EXPRESS);
  });

  it('names project and location for the log', () => {
    expect(vertex.placeOf?.(BASE)).toBe('p-1/us-east5');
    expect(vertex.placeOf?.(EXPRESS)).toBeUndefined();
  });
});

describe('a model at Vertex', () => {
  it.each([
    ['gemini-2.5-pro', BASE, 'gemini'],
    ['gemini-2.5-pro', EXPRESS, 'gemini'],
    ['endpoints/4711', BASE, 'gemini'],
    ['claude-sonnet-4-5@20250929', BASE, 'anthropic-messages'],
    ['claude-opus-5-5', BASE, 'anthropic-messages'],
    ['meta/llama-4-maverick-17b-128e-instruct-maas', BASE, 'openai-chat'],
    ['google/gemini-2.5-pro', BASE, 'openai-chat'],
  ])('%s at %s is spoken to in %s', (upstreamModel, baseUrl, protocol) => {
    expect(spokenProtocols(vertex, null, { upstreamModel, baseUrl })).toEqual([protocol]);
  });

  it.each([
    ['gemini', 'gemini-2.5-pro', '/publishers/google/models/gemini-2.5-pro', ':generateContent'],
    ['gemini', 'endpoints/4711', '/endpoints/4711', ':generateContent'],
    [
      'anthropic-messages',
      'claude-sonnet-4-5@20250929',
      '/publishers/anthropic/models/claude-sonnet-4-5@20250929',
      ':rawPredict',
    ],
    ['anthropic-messages', 'claude;x', '/publishers/anthropic/models/claude%3Bx', ':rawPredict'],
    ['openai-chat', 'meta/llama', '/endpoints/openapi/chat/completions', ''],
  ] as const)('speaking %s to %s it has a path', (protocol, model, path, method) => {
    expect(vertex.path(protocol, 'generate', model, BASE)).toBe(path + method);
  });

  it('has other paths for streams', () => {
    expect(vertex.streamPath?.('gemini', 'gemini-2.5-pro', BASE)).toBe(
      '/publishers/google/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
    );
    expect(vertex.streamPath?.('anthropic-messages', 'claude-opus-5-5', BASE)).toBe(
      '/publishers/anthropic/models/claude-opus-5-5:streamRawPredict',
    );
  });

  it('has a counter', () => {
    expect(vertex.countPath?.('gemini', 'gemini-2.5-pro', BASE)).toBe(
      '/publishers/google/models/gemini-2.5-pro:countTokens',
    );
    expect(vertex.countPath?.('anthropic-messages', 'claude-opus-5-5', BASE)).toBe(
      '/publishers/anthropic/models/count-tokens:rawPredict',
    );
    expect(vertex.countPath?.('openai-chat', 'meta/llama', BASE)).toBeUndefined();
  });
});

it.each([
  ['AIzaSyA-0123456789', ['x-goog-api-key', 'AIzaSyA-0123456789']],
  ['AQ.Ab8-0123456789', ['x-goog-api-key', 'AQ.Ab8-0123456789']],
  ['ya29.token', ['authorization', 'Bearer ya29.token']],
  ['eyJhbGciOi.token', ['authorization', 'Bearer eyJhbGciOi.token']],
])('sends %s in its header', (credential, headers) => {
  expect(vertex.credentialHeaders(credential)).toEqual(headers);
});

it("asks for the publisher's list, and reads its names", () => {
  const { models } = vertex;
  expect(models.baseUrl?.(BASE)).toBe('https://us-east5-aiplatform.googleapis.com/v1beta1');
  expect(models.headers?.(BASE)).toEqual(['x-goog-user-project', 'p-1']);
  expect(models.headers?.(EXPRESS)).toEqual([]);
  const publisherModels = [
    { name: 'publishers/google/models/gemini-3-pro' },
    { launchStage: 'GA' },
  ];
  expect(models.names({ publisherModels })).toEqual(['gemini-3-pro']);
  expect(models.names({ error: {} })).toBeUndefined();
});
