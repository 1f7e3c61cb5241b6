import { describe, expect, it } from 'vitest';
import { readChatReply } from '../../../../gateway/protocols/openai-chat/from-upstream/chat-reply.ts';
import { event, translate } from '../../../support/clients/recorded-stream.ts';
import { readStrictly } from '../../../support/clients/strict-chat-client.ts';

const COUNTS = { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 };

function streamOf(...events: readonly string[]): Buffer {
  return Buffer.from(`${event({ role: 'assistant', content: 'x' })}${events.join('')}`);
}

function finish(index: number, extra: object = {}): string {
  return event({}, { choices: [{ index, delta: {}, finish_reason: 'stop', ...extra }] });
}

describe('usage inside a choice, where Moonshot has it', () => {
  const usage = { ...COUNTS, cached_tokens: 16 };

  it('is what is billed and told', () => {
    const { stream, text } = translate([streamOf(finish(0, { usage }))], { includeUsage: true });
    expect(stream.usage).toMatchObject({ input: 20, cachedInput: 16, output: 9 });
    expect(readStrictly(text).usages).toEqual([usage]);
  });

  it('is not, of one choice among several', () => {
    const second = event({}, { choices: [{ index: 1, delta: { content: 'y' } }] });
    const bytes = streamOf(second, finish(0, { usage }), finish(1, { usage }));
    expect(translate([bytes], { choices: 2 }).stream.usage).toBeNull();
  });
});

describe.each([
  ['in strings', { prompt_tokens: '20', completion_tokens: '9', total_tokens: '29' }],
  ['in Anthropic’s words', { input_tokens: 4, cache_read_input_tokens: 16, output_tokens: 9 }],
  ['without its total', { prompt_tokens: 20, completion_tokens: 9 }],
])('usage %s', (_name, usage) => {
  it('is told as clients read it, behind a stream', () => {
    const bytes = streamOf(finish(0), event({}, { choices: [], usage }));
    const { text } = translate([bytes], { includeUsage: true });
    expect(readStrictly(text).usages).toMatchObject([COUNTS]);
  });

  it('is told as clients read it, in a whole reply', () => {
    const message = { role: 'assistant', content: 'x' };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    const reply = readChatReply(Buffer.from(JSON.stringify({ choices, usage })), 'm');
    expect(JSON.parse(String(reply?.bytes))).toMatchObject({ choices, usage: COUNTS });
  });
});
