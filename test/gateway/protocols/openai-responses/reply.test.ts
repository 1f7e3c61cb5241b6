import { describe, expect, it } from 'vitest';
import { countPrompt } from '../../../../gateway/protocols/openai-responses/from-client/count-prompt.ts';
import { readResponse } from '../../../../gateway/protocols/openai-responses/from-upstream/responses-reply.ts';
import { clientRecordings } from '../../../support/clients/client-recordings.ts';

const REPLIES = clientRecordings('/v1/responses').filter(({ reply }) => reply !== undefined);

describe.each(REPLIES)('the reply for $name', ({ reply, body }) => {
  const bytes = Buffer.from(JSON.stringify(reply));

  it('passes in the very bytes under its own model', () => {
    const read = readResponse(bytes, String(body['model']));
    expect(read?.bytes).toBe(bytes);
    expect(read?.usage).toMatchObject({ input: 1_270, cachedInput: 200, cacheWrite: 70 });
    expect(read?.deliveredText()).toContain('**Short thought**');
  });

  it('differs in nothing but the model under another name', () => {
    const read = readResponse(bytes, 'public');
    expect(JSON.parse(String(read?.bytes))).toEqual({ ...(reply as object), model: 'public' });
  });
});

describe('what is no response', () => {
  it.each([
    '<html>',
    '{"error":{"message":"no"}}',
    '{"object":"response","status":"failed","output":[],"error":{"code":"server_error"}}',
    '{"choices":[]}',
  ])('is none: %s', (text) => {
    expect(readResponse(Buffer.from(text), 'm')).toBeUndefined();
  });
});

describe('a reply without usage', () => {
  it('gets what was counted', () => {
    const bytes = Buffer.from('{"model":"m","output":[],"usage":null}');
    const counts = { input: 4, cachedInput: 1, cacheWrite: 0, output: 2, reasoning: 0 };
    const read = readResponse(bytes, 'm');
    expect(read?.usage).toBeNull();
    expect(JSON.parse(String(read?.withUsage(counts)))).toMatchObject({
      usage: { input_tokens: 4, input_tokens_details: { cached_tokens: 1 }, total_tokens: 6 },
    });
  });
});

function count(body: object): number {
  const counting = countPrompt('gpt-5', Buffer.from(JSON.stringify(body)));
  for (;;) {
    const step = counting.next();
    if (step.done === true) return step.value;
  }
}

describe('tokens of a prompt', () => {
  it('are those of its instructions, items and tools', () => {
    const short = count({ input: 'hello' });
    const item = count({
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'hello' }] }],
    });
    expect(item - short).toBeLessThanOrEqual(2);
    expect(count({ input: 'hello', instructions: 'be brief and kind' })).toBeGreaterThan(short + 4);
    const tools = [{ type: 'function', name: 'f', description: 'does something of use' }];
    expect(count({ input: 'hello', tools })).toBeGreaterThan(short + 12);
  });

  // An image has more tokens than bytes.
  const texts = clientRecordings('/v1/responses').filter(({ name }) => name !== 'sdk-openai/03');
  it.each(texts)('of $name are fewer than its bytes', ({ body }) => {
    const tokens = count(body);
    expect(tokens).toBeGreaterThan(0);
    expect(tokens).toBeLessThan(JSON.stringify(body).length);
  });
});
