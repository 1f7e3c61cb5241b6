import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { readUsage } from '../../../../gateway/protocols/openai-family/usage.ts';
import { capUsage } from '../../../../gateway/data-plane/billing/cap-usage.ts';

const LIMITS = { promptTokensMax: 1_000, outputTokensMax: 100, choices: 2 };
const NONE: TokenCounts = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 };

describe('readUsage', () => {
  it.each([
    [
      'OpenAI',
      {
        prompt_tokens: 20,
        completion_tokens: 10,
        total_tokens: 30,
        prompt_tokens_details: { cached_tokens: 5, cache_write_tokens: 3, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 4 },
      },
      { input: 20, cachedInput: 5, cacheWrite: 3, output: 10, reasoning: 4 },
    ],
    [
      'null and absent details',
      { prompt_tokens: 20, completion_tokens: 10, prompt_tokens_details: null },
      { ...NONE, input: 20, output: 10 },
    ],
    [
      'DeepSeek',
      {
        prompt_tokens: 20,
        completion_tokens: 10,
        prompt_cache_hit_tokens: 16,
        prompt_cache_miss_tokens: 4,
      },
      { ...NONE, input: 20, cachedInput: 16, output: 10 },
    ],
    [
      'Moonshot',
      { prompt_tokens: 20, completion_tokens: 10, cached_tokens: 16 },
      { ...NONE, input: 20, cachedInput: 16, output: 10 },
    ],
    [
      'names of the Responses interface, whose input has what was cached in it',
      {
        input_tokens: 20,
        input_tokens_details: { cached_tokens: 4 },
        output_tokens: 10,
        output_tokens_details: { reasoning_tokens: 6 },
      },
      { ...NONE, input: 20, cachedInput: 4, output: 10, reasoning: 6 },
    ],
    [
      'names of the Messages interface, whose input leaves the cache out',
      {
        input_tokens: 20,
        output_tokens: 10,
        cache_read_input_tokens: 4,
        cache_creation_input_tokens: 2,
      },
      { ...NONE, input: 26, cachedInput: 4, cacheWrite: 2, output: 10 },
    ],
    [
      'the same names with a total that has the cache in the input',
      {
        input_tokens: 20,
        output_tokens: 10,
        total_tokens: 30,
        cache_read_input_tokens: 4,
        cache_creation_input_tokens: 2,
      },
      { ...NONE, input: 20, cachedInput: 4, cacheWrite: 2, output: 10 },
    ],
    [
      'a prompt that was read from a cache altogether',
      { input_tokens: 0, output_tokens: 10, cache_read_input_tokens: 400 },
      { ...NONE, input: 400, cachedInput: 400, output: 10 },
    ],
    [
      'strings',
      { prompt_tokens: '20', completion_tokens: '10' },
      { ...NONE, input: 20, output: 10 },
    ],
    [
      'xAI, whose completion tokens leave reasoning out',
      {
        prompt_tokens: 20,
        completion_tokens: 10,
        total_tokens: 37,
        completion_tokens_details: { reasoning_tokens: 7 },
      },
      { ...NONE, input: 20, output: 17, reasoning: 7 },
    ],
    [
      'Google, which tells of thinking in the total alone',
      { prompt_tokens: 9, completion_tokens: 3, total_tokens: 105 },
      { ...NONE, input: 9, output: 96, reasoning: 93 },
    ],
    [
      'the same with a part of the prompt from a cache',
      {
        prompt_tokens: 900,
        completion_tokens: 3,
        total_tokens: 1_000,
        prompt_tokens_details: { cached_tokens: 512 },
      },
      { ...NONE, input: 900, cachedInput: 512, output: 100, reasoning: 97 },
    ],
    [
      'a total that counts what was read from a cache outside the prompt',
      { prompt_tokens: 20, completion_tokens: 10, total_tokens: 46, cache_read_input_tokens: 16 },
      { ...NONE, input: 36, cachedInput: 16, output: 10 },
    ],
    [
      'a total that counts what was written to a cache, too',
      {
        input_tokens: 20,
        output_tokens: 10,
        total_tokens: 42,
        cache_read_input_tokens: 4,
        cache_creation_input_tokens: 8,
      },
      { ...NONE, input: 32, cachedInput: 4, cacheWrite: 8, output: 10 },
    ],
    [
      'a total that counts what was read and written outside a small prompt',
      {
        prompt_tokens: 3,
        completion_tokens: 500,
        total_tokens: 120_503,
        cached_tokens: 100_000,
        cache_creation_input_tokens: 20_000,
      },
      { ...NONE, input: 120_003, cachedInput: 100_000, cacheWrite: 20_000, output: 500 },
    ],
    [
      'a total that counts what was written outside a prompt that has what was read in it',
      {
        prompt_tokens: 900,
        completion_tokens: 10,
        total_tokens: 1_010,
        prompt_tokens_details: { cached_tokens: 800 },
        cache_creation_input_tokens: 100,
      },
      { ...NONE, input: 1_000, cachedInput: 800, cacheWrite: 100, output: 10 },
    ],
    [
      'more read and written than the prompt has, without a total',
      {
        prompt_tokens: 3,
        completion_tokens: 500,
        prompt_tokens_details: { cached_tokens: 120_000 },
        cache_creation_input_tokens: 30_000,
      },
      { ...NONE, input: 150_003, cachedInput: 120_000, cacheWrite: 30_000, output: 500 },
    ],
    [
      'the same with a total that leaves the cache out',
      {
        prompt_tokens: 200,
        completion_tokens: 500,
        total_tokens: 700,
        cache_read_input_tokens: 100_000,
      },
      { ...NONE, input: 100_200, cachedInput: 100_000, output: 500 },
    ],
    [
      'reasoning apart from the completion and a cache apart from the prompt',
      {
        prompt_tokens: 20,
        completion_tokens: 10,
        total_tokens: 37,
        prompt_tokens_details: { cached_tokens: 400 },
        completion_tokens_details: { reasoning_tokens: 7 },
      },
      { ...NONE, input: 420, cachedInput: 400, output: 17, reasoning: 7 },
    ],
    [
      'DashScope, which tells among the details what was written',
      {
        prompt_tokens: 2_000,
        completion_tokens: 10,
        total_tokens: 2_010,
        prompt_tokens_details: { cached_tokens: 0, cache_creation_input_tokens: 1_900 },
      },
      { ...NONE, input: 2_000, cacheWrite: 1_900, output: 10 },
    ],
    [
      'Mistral, whose total counts audio that is charged by the second',
      {
        prompt_tokens: 4,
        completion_tokens: 635,
        total_tokens: 3_264,
        prompt_audio_seconds: 203,
      },
      { ...NONE, input: 4, output: 635 },
    ],
    [
      'a total that counts an image outside the prompt',
      {
        prompt_tokens: 9,
        completion_tokens: 3,
        total_tokens: 270,
        prompt_tokens_details: { image_tokens: 258 },
      },
      { ...NONE, input: 267, output: 3, extra: { imageInput: 258 } },
    ],
    [
      'audio and images as parts of prompt and completion, cached ones as cached',
      {
        prompt_tokens: 100,
        completion_tokens: 60,
        prompt_tokens_details: { cached_tokens: 50, audio_tokens: 30, image_tokens: 40 },
        completion_tokens_details: { audio_tokens: 45, image_tokens: 0 },
      },
      {
        ...{ ...NONE, input: 100, cachedInput: 50, output: 60 },
        extra: { audioInput: 30, imageInput: 20, audioOutput: 45 },
      },
    ],
    [
      'a total beyond what a report of no reasoning explains',
      {
        prompt_tokens: 20,
        completion_tokens: 10,
        total_tokens: 99,
        completion_tokens_details: { reasoning_tokens: 0 },
      },
      { ...NONE, input: 20, output: 10 },
    ],
    [
      'a total that is too small',
      { prompt_tokens: 20, completion_tokens: 10, total_tokens: 5 },
      { ...NONE, input: 20, output: 10 },
    ],
    [
      'a total that is no whole number',
      { prompt_tokens: 20, completion_tokens: 10, total_tokens: 1e300 },
      { ...NONE, input: 20, output: 10 },
    ],
    [
      'a total in place of the completion',
      { prompt_tokens: 20, total_tokens: 30 },
      { ...NONE, input: 20, output: 10 },
    ],
    [
      'a total that knows of a prompt which is reported as zero',
      { prompt_tokens: 0, completion_tokens: 10, total_tokens: 30 },
      { ...NONE, input: 20, output: 10 },
    ],
    [
      'the same where all of the prompt was read from a cache',
      { input_tokens: 0, output_tokens: 10, total_tokens: 410, cache_read_input_tokens: 400 },
      { ...NONE, input: 400, cachedInput: 400, output: 10 },
    ],
    ['a prompt without a completion', { prompt_tokens: 20 }, { ...NONE, input: 20 }],
  ] as [string, object, TokenCounts][])('reads %s', (_name, usage, expected) => {
    expect(readUsage(usage)).toEqual(expected);
  });

  it.each([
    null,
    undefined,
    'x',
    [],
    {},
    { total_tokens: 5 },
    { prompt_tokens: null, completion_tokens: null },
    { prompt_tokens: '', completion_tokens: 'many' },
  ])('takes %j for no report', (usage) => {
    expect(readUsage(usage)).toBeUndefined();
  });
});

describe('capUsage', () => {
  it('caps and flags what only an absurd total tells', () => {
    const reported = readUsage({ prompt_tokens: 9, completion_tokens: 3, total_tokens: 1e15 });
    const counts = { ...NONE, input: 9, output: 200, reasoning: 200 };
    expect(reported && capUsage(reported, LIMITS)).toEqual({ counts, capped: true });
  });

  it('keeps what was read from a cache outside the prompt within the context', () => {
    const reported = readUsage({ prompt_tokens: 3, completion_tokens: 5, cached_tokens: 5_000 });
    const counts = { ...NONE, input: 1_000, cachedInput: 1_000, output: 5 };
    expect(reported && capUsage(reported, LIMITS)).toEqual({ counts, capped: true });
  });

  it('leaves what is possible as it is', () => {
    const counts = { input: 1_000, cachedInput: 400, cacheWrite: 600, output: 200, reasoning: 200 };
    expect(capUsage(counts, LIMITS)).toEqual({ counts, capped: false });
  });

  it.each([
    ['a negative count', { ...NONE, output: -5 }, NONE],
    ['a fraction', { ...NONE, output: 5.5 }, { ...NONE, output: 5 }],
    ['not a number', { ...NONE, output: Number.NaN }, NONE],
    ['infinity', { ...NONE, output: Infinity }, { ...NONE, output: 200 }],
    ['more input than the context', { ...NONE, input: 1_001 }, { ...NONE, input: 1_000 }],
    ['more output than all choices have', { ...NONE, output: 201 }, { ...NONE, output: 200 }],
    [
      'more cached than input',
      { ...NONE, input: 10, cachedInput: 11 },
      { ...NONE, input: 10, cachedInput: 10 },
    ],
    [
      'cached and written beyond input',
      { ...NONE, input: 10, cachedInput: 6, cacheWrite: 6 },
      { ...NONE, input: 10, cachedInput: 6, cacheWrite: 4 },
    ],
    [
      'more reasoning than output',
      { ...NONE, output: 3, reasoning: 9 },
      { ...NONE, output: 3, reasoning: 3 },
    ],
  ])('caps and flags %s', (_name, reported, counts) => {
    expect(capUsage(reported, LIMITS)).toEqual({ counts, capped: true });
  });

  it('always answers counts that can be billed', () => {
    const any = fc.oneof(fc.double(), fc.integer(), fc.nat(1_200));
    const reports = fc.record({
      input: any,
      cachedInput: any,
      cacheWrite: any,
      output: any,
      reasoning: any,
    });
    fc.assert(
      fc.property(reports, (reported) => {
        const { counts } = capUsage(reported, LIMITS);
        for (const count of Object.values(counts)) {
          expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
        }
        expect(counts.cachedInput + counts.cacheWrite).toBeLessThanOrEqual(counts.input);
        expect(counts.reasoning).toBeLessThanOrEqual(counts.output);
        expect(capUsage(counts, LIMITS)).toEqual({ counts, capped: false });
      }),
    );
  });
});
