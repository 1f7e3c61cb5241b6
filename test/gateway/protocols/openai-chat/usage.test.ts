import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TokenCounts } from '@weir/shared/usage-record';
import { capUsage, readUsage } from '../../../../gateway/protocols/openai-chat/usage.ts';

const LIMITS = { contextTokensMax: 1_000, outputTokensMax: 100, choices: 2 };
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
      'names of the Responses and Messages interfaces',
      {
        input_tokens: 20,
        output_tokens: 10,
        cache_read_input_tokens: 4,
        cache_creation_input_tokens: 2,
      },
      { ...NONE, input: 20, cachedInput: 4, cacheWrite: 2, output: 10 },
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
      'a total that counts what was read from a cache beside the prompt',
      { prompt_tokens: 20, completion_tokens: 10, total_tokens: 46, cache_read_input_tokens: 16 },
      { ...NONE, input: 20, cachedInput: 16, output: 10 },
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
      { ...NONE, input: 20, cachedInput: 4, cacheWrite: 8, output: 10 },
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
