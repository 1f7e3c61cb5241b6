import { describe, expect, it } from 'vitest';
import { event, translate } from '../../../support/recorded-stream.ts';
import { readStrictly } from '../../../support/strict-chat-client.ts';

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
