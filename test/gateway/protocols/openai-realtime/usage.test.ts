import { describe, expect, it } from 'vitest';
import {
  readReplyUsage,
  readTranscriptUsage,
} from '../../../../gateway/protocols/openai-realtime/usage.ts';

const NOTHING_CACHED = { cachedInput: 0, cacheWrite: 0 };

describe('the usage of a reply', () => {
  it('has text, sound and images apart, of the cached ones as well', () => {
    const usage = {
      ...{ input_tokens: 1_000, output_tokens: 200 },
      input_token_details: {
        ...{ text_tokens: 300, audio_tokens: 600, image_tokens: 100, cached_tokens: 500 },
        cached_tokens_details: { text_tokens: 100, audio_tokens: 350, image_tokens: 50 },
      },
      output_token_details: { text_tokens: 50, audio_tokens: 150 },
    };
    expect(readReplyUsage(usage)).toEqual({
      ...{ input: 1_000, output: 200, cachedInput: 100, cacheWrite: 0, reasoning: 0 },
      extra: {
        ...{ audioInput: 250, imageInput: 50, audioOutput: 150 },
        ...{ cachedAudioInput: 350, cachedImageInput: 50 },
      },
    });
  });

  it('counts reasoning once, which some report as a part of the text', () => {
    const usage = {
      ...{ input_tokens: 9, output_tokens: 85 },
      output_token_details: { text_tokens: 85, reasoning_tokens: 38, audio_tokens: 0 },
    };
    expect(readReplyUsage(usage)).toEqual({
      ...{ input: 9, output: 85, reasoning: 38, ...NOTHING_CACHED },
    });
  });

  it('is read under both names of its details, and null counts nothing', () => {
    const usage = {
      ...{ input_tokens: 8, output_tokens: 47 },
      input_tokens_details: { audio_tokens: null, cached_tokens: 0, text_tokens: 8 },
      output_tokens_details: { text_tokens: 0, audio_tokens: 47 },
    };
    expect(readReplyUsage(usage)).toEqual({
      ...{ input: 8, output: 47, reasoning: 0, ...NOTHING_CACHED },
      extra: { audioOutput: 47 },
    });
  });

  it('has cached tokens of no named kind at the price of text', () => {
    const usage = {
      ...{ input_tokens: 100, output_tokens: 1 },
      input_token_details: { audio_tokens: 90, cached_tokens: 40 },
    };
    expect(readReplyUsage(usage)).toMatchObject({ cachedInput: 40, extra: { audioInput: 60 } });
  });

  it('has sound that was cached as a whole at the price of cached sound alone', () => {
    const usage = {
      ...{ input_tokens: 1_000_000, output_tokens: 1 },
      input_token_details: {
        ...{ audio_tokens: 1_000_000, cached_tokens: 1_000_000 },
        cached_tokens_details: { audio_tokens: 1_000_000 },
      },
    };
    expect(readReplyUsage(usage)).toMatchObject({ input: 1_000_000, cachedInput: 0 });
    expect(readReplyUsage(usage)?.extra).toEqual({ cachedAudioInput: 1_000_000 });
  });

  it.each([[null], [undefined], ['x'], [{}], [{ input_tokens: -5, output_tokens: 'many' }]])(
    '%j reports nothing',
    (usage) => expect(readReplyUsage(usage)).toBeUndefined(),
  );
});

describe('the usage of a transcript', () => {
  it('is in seconds also where tokens are reported as zeros', () => {
    const usage = { seconds: 4, input_tokens: 0, output_tokens: 0, total_tokens: 0 };
    expect(readTranscriptUsage(usage, 9_999)?.extra).toEqual({ second: 4_000 });
  });

  it('is in seconds, of which a part counts', () => {
    expect(readTranscriptUsage({ type: 'duration', seconds: 2.5 }, 9_999)).toMatchObject({
      ...{ input: 0, output: 0 },
      extra: { second: 2_500 },
    });
  });

  it('is in tokens, for models that are priced by seconds with the length of the sound', () => {
    const usage = {
      ...{ type: 'tokens', input_tokens: 30, output_tokens: 6 },
      input_token_details: { audio_tokens: 25, text_tokens: 5 },
    };
    expect(readTranscriptUsage(usage, 2_500)).toMatchObject({
      ...{ input: 30, output: 6 },
      extra: { audioInput: 25, second: 2_500 },
    });
  });
});
