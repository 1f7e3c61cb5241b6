import { describe, expect, it } from 'vitest';
import {
  mergeUsage,
  readUsage,
  usageObject,
} from '../../../../gateway/protocols/anthropic-messages/usage.ts';
import { messageForms } from '../../../../gateway/protocols/anthropic-messages/pass-through/reply-forms.ts';
import { usageObject as chatUsage } from '../../../../gateway/protocols/openai-family/usage.ts';

const NONE = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 };

/** Each of these is billed wrongly by some gateway. */
describe('the usage of Messages is read', () => {
  it('with what was read from and written to a cache, which input_tokens leaves out', () => {
    const usage = {
      input_tokens: 1_000,
      cache_read_input_tokens: 200,
      cache_creation_input_tokens: 70,
      cache_creation: { ephemeral_5m_input_tokens: 30, ephemeral_1h_input_tokens: 40 },
      output_tokens: 50,
      output_tokens_details: { thinking_tokens: 20 },
    };
    const counts = {
      input: 1_270,
      cachedInput: 200,
      cacheWrite: 30,
      output: 50,
      reasoning: 20,
      extra: { cacheWrite1h: 40 },
    };
    expect(readUsage(usage)).toEqual(counts);
    expect(usageObject(counts)).toEqual(usage);
  });

  it.each([
    ['as null', null],
    ['not at all', undefined],
  ])('with all writes as five-minute ones where the split comes %s', (_how, split) => {
    const usage = { input_tokens: 1, cache_creation_input_tokens: 5_000, cache_creation: split };
    expect(readUsage(usage)).toEqual({ ...NONE, input: 5_001, cacheWrite: 5_000 });
  });

  it('with what the split leaves open as five-minute writes', () => {
    const split = { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 };
    const usage = { input_tokens: 0, cache_creation_input_tokens: 50, cache_creation: split };
    expect(readUsage(usage)).toMatchObject({ cacheWrite: 30, extra: { cacheWrite1h: 20 } });
  });

  it('with the split where it is more than the total', () => {
    const split = { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 };
    const usage = { input_tokens: 0, cache_creation_input_tokens: 5, cache_creation: split };
    expect(readUsage(usage)).toMatchObject({ cacheWrite: 10, extra: { cacheWrite1h: 20 } });
  });

  it('with the tokens that shortened the conversation, which the sums leave out', () => {
    const usage = {
      input_tokens: 100,
      output_tokens: 10,
      iterations: [
        { type: 'compaction', input_tokens: 5_000, output_tokens: 300 },
        { type: 'message', input_tokens: 100, output_tokens: 10 },
      ],
    };
    expect(readUsage(usage)).toMatchObject({ input: 5_100, output: 310 });
  });

  it('with its searches', () => {
    const usage = {
      input_tokens: 1,
      output_tokens: 1,
      server_tool_use: { web_search_requests: 3 },
    };
    expect(readUsage(usage)).toMatchObject({ extra: { webSearch: 3 } });
  });

  it('as none where there is none', () => {
    expect(readUsage(null)).toBeUndefined();
    expect(readUsage({ input_tokens: 0, output_tokens: 0 })).toBeUndefined();
  });
});

describe('later usage of a stream', () => {
  const start = {
    input_tokens: 9,
    cache_creation_input_tokens: 70,
    cache_creation: { ephemeral_5m_input_tokens: 30, ephemeral_1h_input_tokens: 40 },
    cache_read_input_tokens: 0,
    output_tokens: 1,
  };

  it('keeps the split of writes that message_start alone has', () => {
    const merged = mergeUsage(start, { cache_creation_input_tokens: 70, output_tokens: 50 });
    expect(readUsage(merged)).toMatchObject({ cacheWrite: 30, extra: { cacheWrite1h: 40 } });
  });

  it('takes back writes that did not happen', () => {
    const merged = mergeUsage(start, {
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 70,
      output_tokens: 50,
    });
    expect(readUsage(merged)).toEqual({ ...NONE, input: 79, cachedInput: 70, output: 50 });
  });

  it('replaces what came before, and is never added to it', () => {
    const merged = mergeUsage(mergeUsage(start, { output_tokens: 20 }), { output_tokens: 30 });
    expect(readUsage(merged)).toMatchObject({ input: 79, output: 30 });
  });

  it('keeps what it reports as null', () => {
    const merged = mergeUsage(start, { input_tokens: null, output_tokens: 5 });
    expect(readUsage(merged)).toMatchObject({ input: 79, output: 5 });
  });
});

it('tells clients of chat completions of all that was written', () => {
  const counts = { ...NONE, input: 100, cacheWrite: 30, extra: { cacheWrite1h: 40 } };
  expect(chatUsage(counts)).toMatchObject({
    prompt_tokens: 100,
    prompt_tokens_details: { cache_write_tokens: 70 },
  });
});

describe('a stream of Messages that was asked for whole', () => {
  const joined = (...events: object[]): unknown => {
    const lines = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    const whole = messageForms.toWhole(Buffer.from(lines), 1, () => undefined);
    return Buffer.isBuffer(whole) ? (JSON.parse(whole.toString()) as unknown) : whole;
  };
  const text = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } };
  const end = {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn' },
    usage: { input_tokens: '11', output_tokens: '7' },
  };

  it('needs no beginnings, and has its counts as numbers', () => {
    expect(joined(text, end)).toMatchObject({
      type: 'message',
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 11, output_tokens: 7 },
    });
    expect(joined(end)).toMatchObject({ failed: 'connection_broke' });
    expect(joined(text)).toMatchObject({ failed: 'connection_broke' });
  });
});
