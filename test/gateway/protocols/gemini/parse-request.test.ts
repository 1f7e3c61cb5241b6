import { describe, expect, it } from 'vitest';
import { encodeRequest } from '../../../../gateway/protocols/gemini/to-upstream/encode-request.ts';
import { parse, parsed, TARGET } from './support/parsed.ts';

const CONTENTS = [{ role: 'user', parts: [{ text: 'Hello' }] }];
const STREAM = '/v1beta/models/m:streamGenerateContent';

describe('a Gemini request', () => {
  it('is read in camel case and in snake case alike', () => {
    const camel = parsed({
      contents: CONTENTS,
      generationConfig: { maxOutputTokens: 10, candidateCount: 2 },
      tools: [{ googleSearch: {} }],
    });
    const snake = parsed({
      contents: CONTENTS,
      generation_config: { max_output_tokens: 10, candidate_count: 2 },
      tools: [{ google_search: {} }],
    });
    const facts = { maxOutputTokens: 10, choices: 2, meters: ['webSearch'], model: 'public-model' };
    expect(camel).toMatchObject(facts);
    expect(snake).toMatchObject(facts);
  });

  it('takes single values for lists of one, as Google’s own examples have them', () => {
    const request = parsed({ contents: { role: 'user', parts: { text: 'Hello' } } });
    expect(request.hasUnboundedParts).toBe(false);
  });

  it.each([
    [{}, 'contents'],
    [{ contents: [] }, 'contents'],
    [{ contents: ['Hello'] }, 'contents[0]'],
    [{ contents: CONTENTS, cachedContent: 'cachedContents/1' }, 'cachedContent'],
    [{ contents: CONTENTS, cached_content: 'cachedContents/1' }, 'cachedContent'],
    [{ contents: CONTENTS, tools: [{ googleMaps: {} }] }, 'tools[0].googleMaps'],
    [{ contents: CONTENTS, tools: [{ GoogleSearch: {} }] }, 'tools[0].googleSearch'],
    [{ contents: CONTENTS, Contents: [] }, 'contents'],
    [{ contents: CONTENTS, servicetier: 'priority' }, 'serviceTier'],
    [{ contents: CONTENTS, generationConfig: {}, generation_config: {} }, 'generationConfig'],
    [
      { contents: CONTENTS, generationConfig: { maxOutputTokens: 0 } },
      'generationConfig.maxOutputTokens',
    ],
    [
      { contents: CONTENTS, generationConfig: { maxOutputTokens: '10' } },
      'generationConfig.maxOutputTokens',
    ],
    [
      { contents: [{ parts: [{ fileData: { fileUri: 'gs://bucket/x' } }] }] },
      'contents[0].parts[0].fileData.fileUri',
    ],
  ])('is refused with the field that is wrong: %j', (body, param) => {
    expect(parse(body)).toMatchObject({ param });
  });

  it('asks for prices of images and audio that it wants made', () => {
    const generationConfig = { responseModalities: ['TEXT', 'IMAGE', 'AUDIO'] };
    const { meters } = parsed({ contents: CONTENTS, generationConfig });
    expect(meters).toEqual(['imageOutput', 'audioOutput']);
  });

  it.each([
    ['image/png', false],
    ['audio/mp3', false],
    ['application/pdf', true],
    ['video/mp4', true],
  ])('with %s bounds its prompt where the bytes do', (mimeType, hasUnboundedParts) => {
    const parts = [{ inlineData: { mimeType, data: 'AAAA' } }];
    expect(parsed({ contents: [{ parts }] }).hasUnboundedParts).toBe(hasUnboundedParts);
  });

  it('streams by its path, and as events by its query', () => {
    const body = { contents: CONTENTS };
    expect(parsed(body)).toMatchObject({ stream: false });
    const array = parsed(body, { path: STREAM });
    expect(array).toMatchObject({ stream: true, serverSentEvents: false });
    const events = parsed(body, { path: STREAM, query: 'key=x&alt=sse' });
    expect(events.serverSentEvents).toBe(true);
  });

  it('leaves without what would make the upstream charge or serve something else', () => {
    const text = `{"service_tier":"priority","contents":[{"parts":[{"text":"1e400"}]}],"model":"models/other"}`;
    const sent = encodeRequest(parsed(text), TARGET).body.toString();
    expect(sent).toBe('{"contents":[{"parts":[{"text":"1e400"}]}]}');
  });

  it.each([
    [`{"contents":[{}]}`, `{"generationConfig":{"maxOutputTokens":7},"contents":[{}]}`],
    [
      `{"contents":[{}],"generationConfig":{"temperature":1.0, "maxOutputTokens": 900}}`,
      `{"contents":[{}],"generationConfig":{"temperature":1.0, "maxOutputTokens": 7}}`,
    ],
    [
      `{"contents":[{}],"generation_config": {"max_output_tokens":900} }`,
      `{"contents":[{}],"generation_config": {"max_output_tokens":7} }`,
    ],
    [
      `{"contents":[{}],"generationConfig":{}}`,
      `{"contents":[{}],"generationConfig":{"maxOutputTokens":7}}`,
    ],
  ])('leaves with the limit that can be paid for: %s', (text, expected) => {
    const { body: sent } = encodeRequest(parsed(text), { ...TARGET, outputTokensCap: 7 });
    expect(sent.toString()).toBe(expected);
  });
});
