import { anyCodePoint } from '../../support/any-code-point.ts';
import { CHAT_HEAD } from '../../support/clients/chat-head.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growth } from '../platform/support/growth.ts';
import { takeTurns } from '../../support/machine/take-turns.ts';
import { isRefusal } from '../../../gateway/platform/errors/refusal.ts';
import { countPrompt } from '../../../gateway/protocols/openai-chat/from-client/count-prompt.ts';
import { parseRequest } from '../../../gateway/protocols/openai-chat/from-client/parse-request.ts';
import * as counts from '../../../gateway/tokens/prompt-counter.ts';
import { encoderFor } from '../../../gateway/tokens/encoders.ts';
import {
  MEDIA_PART_TOKENS_MAX,
  promptTokensUpperBound,
} from '../../../gateway/tokens/prompt-upper-bound.ts';
import { TURN_CHARACTERS } from '../../../gateway/tokens/text-counter.ts';
import { REQUEST_LIMITS } from '../../../gateway/protocols/protocol.ts';

const NEW = 'gpt-4o';
const OLD = 'gpt-4';

const countTextTokens = (model: string, text: string): number =>
  takeTurns(counts.countTextTokens(model, text)).value;
const countPromptTokens = (model: string, body: Uint8Array): number =>
  takeTurns(countPrompt(model, body)).value;

function count(request: object, model = NEW): number {
  return countPromptTokens(model, Buffer.from(JSON.stringify({ model, ...request })));
}

/** Returns the bound as if files and videos were no longer than other parts. */
function bound(json: string): number {
  const request = parseRequest(Buffer.from(json), CHAT_HEAD, REQUEST_LIMITS);
  if (isRefusal(request)) throw new Error(request.message);
  const bodyBytes = request.bytes.length;
  const bounded = promptTokensUpperBound({ ...request, bodyBytes, hasUnboundedParts: false });
  expect(bounded).toBeLessThanOrEqual(request.promptTokensBound);
  return bounded;
}

function user(content: unknown): object {
  return { messages: [{ role: 'user', content }] };
}

describe('countTextTokens', () => {
  it.each([
    ['', 0],
    ['hello world', 2],
    ['tiktoken is great!', 6],
    ['antidisestablishmentarianism', 6],
    ['2 + 2 = 4', 7],
  ])('counts %j like OpenAI’s own tokenizer', (text, tokens) => {
    expect(countTextTokens(NEW, text)).toBe(tokens);
  });

  it.each([
    ['gpt-4', true],
    ['gpt-4-turbo-2024-04-09', true],
    ['gpt-3.5-turbo', true],
    ['gpt-35-turbo', true],
    ['openai/gpt-4', true],
    ['ft:gpt-3.5-turbo-0125:org', true],
    ['gpt-4o', false],
    ['gpt-4o-mini', false],
    ['gpt-4.1', false],
    ['gpt-5', false],
    ['claude-sonnet-4-5', false],
    ['my-gpt-4', false],
    ['', false],
  ])('chooses the vocabulary of %s', (model, old) => {
    const japanese = 'お誕生日おめでとう';
    // OpenAI's cookbook gives 9 tokens in cl100k_base and 8 in o200k_base.
    expect(countTextTokens(model, japanese)).toBe(old ? 9 : 8);
  });

  it.each([NEW, OLD])('takes special tokens for the text they are (%s)', (model) => {
    for (const text of ['<|endoftext|>', '<|im_start|>', '<|im_end|>', '<|fim_prefix|>']) {
      const plain = countTextTokens(model, text);
      expect(plain).toBeGreaterThan(3);
      expect(countTextTokens(model, `${text} ${text}`)).toBeGreaterThan(plain * 2 - 2);
    }
  });

  it.each([NEW, OLD])('counts any text, never more tokens than bytes (%s)', (model) => {
    const text = fc.oneof(
      fc.string({ unit: anyCodePoint, maxLength: 300 }),
      fc
        .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 })
        .map((codes) => String.fromCharCode(...codes)),
      fc.string({ unit: fc.constantFrom('\ufeff', '\ud800', '\udc00', '😀', 'é', ' ', 'a', '\0') }),
    );
    fc.assert(
      fc.property(text, (value) => {
        const tokens = countTextTokens(model, value);
        expect(tokens).toBeLessThanOrEqual(Buffer.byteLength(value));
        expect(tokens).toBeGreaterThanOrEqual(value === '' ? 0 : 1);
      }),
      { numRuns: 300 },
    );
  });

  it('gives long runs nearly the tokens they would have in one piece', () => {
    // Eight letters are the longest token of this kind: 100,000 of them are 12,500 tokens.
    expect(countTextTokens(NEW, 'a'.repeat(100_000))).toBeGreaterThanOrEqual(12_500);
    expect(countTextTokens(NEW, 'a'.repeat(100_000))).toBeLessThan(12_500 * 1.04);
  });

  it('does not part the halves of a character where it cuts', () => {
    // Behind an odd number of letters, every cut would fall between two halves.
    const whole = countTextTokens(NEW, '😀'.repeat(100));
    const cut = countTextTokens(NEW, `a${'😀'.repeat(1_000)}`);
    expect(cut).toBe(whole * 10 + 1);
    // Longer than a turn, whose end is such a place, too.
    expect(countTextTokens(NEW, `a${'😀'.repeat(10_000)}`)).toBe(whole * 100 + 1);
  });

  const slow: [string, string][] = [
    ['letters', 'a'],
    ['spaces', ' '],
    ['line ends', '\n'],
    ['signs', '!'],
    ['wide letters', '字'],
    ['wide spaces', '\u3000'],
    ['emoji', '😀'],
    ['signs and emoji in turn', '!😀'],
    ['half characters', '\udc00'],
    ['capitals', 'A'],
    ['a letter and a mark in turn', 'a\u0301'],
  ];
  it.each(slow)('counts long runs of %s in time that grows with their length only', (_, unit) => {
    const read = (characters: number): void => {
      expect(countTextTokens(NEW, unit.repeat(characters / unit.length))).toBeGreaterThan(0);
    };
    // Within a piece, whose cost grows with the square, and beyond a turn: 16 times the length
    // each.
    expect(growth(read, 264, 16 * 264)).toBeLessThan(64);
    expect(growth(read, 4_200, 16 * 4_200)).toBeLessThan(64);
  });

  it('counts what is beyond two million characters in proportion', () => {
    const word = 'measure ';
    const million = countTextTokens(NEW, word.repeat(125_000));
    const twenty = countTextTokens(NEW, word.repeat(20 * 125_000));
    expect(Math.abs(twenty / million - 20)).toBeLessThan(0.01);
  });
});

describe('a long count', () => {
  const prose = 'The weir holds back the river; below it, the water is quick and loud. '.repeat(
    3_000,
  );

  it('is taken in turns, however slow a text is chosen', () => {
    for (const text of [prose, '!😀'.repeat(70_000), '字'.repeat(210_000)]) {
      const { turns } = takeTurns(counts.countTextTokens(NEW, text));
      expect(turns).toBeGreaterThanOrEqual(Math.floor(text.length / TURN_CHARACTERS));
    }
  });

  it('is taken in turns for many short texts as well', () => {
    const message = { role: 'user', content: 'water '.repeat(100) };
    const body = Buffer.from(JSON.stringify({ messages: Array(300).fill(message) }));
    const { turns } = takeTurns(countPrompt(NEW, body));
    expect(turns).toBeGreaterThanOrEqual(20);
  });

  it('comes to the same as in one go', () => {
    expect(countTextTokens(NEW, prose)).toBe(encoderFor(NEW).count(prose));
  });
});

describe('countPromptTokens', () => {
  // The example of OpenAI's cookbook, "How to count tokens with tiktoken", with the counts the API
  // answered.
  const published = {
    messages: [
      {
        role: 'system',
        content:
          'You are a helpful, pattern-following assistant that translates corporate jargon into plain English.',
      },
      {
        role: 'system',
        name: 'example_user',
        content: 'New synergies will help drive top-line growth.',
      },
      {
        role: 'system',
        name: 'example_assistant',
        content: 'Things working well together will increase revenue.',
      },
      {
        role: 'system',
        name: 'example_user',
        content:
          "Let's circle back when we have more bandwidth to touch base on opportunities for increased leverage.",
      },
      {
        role: 'system',
        name: 'example_assistant',
        content: "Let's talk later when we're less busy about how to do better.",
      },
      {
        role: 'user',
        content:
          "This late pivot means we don't have time to boil the ocean for the client deliverable.",
      },
    ],
  };
  it.each([
    [OLD, 129],
    [NEW, 124],
  ])('counts the published example for %s as the API does', (model, tokens) => {
    expect(count(published, model)).toBe(tokens);
  });

  it('counts parts of text like the text itself', () => {
    const plain = count(user('A question about rivers'));
    expect(count(user([{ type: 'text', text: 'A question about rivers' }]))).toBe(plain);
    expect(count(user([{ type: 'refusal', refusal: 'A question about rivers' }]))).toBe(plain);
  });

  it('takes a byte order mark for what it is', () => {
    const json = JSON.stringify(user('hi'));
    expect(countPromptTokens(NEW, Buffer.from(`\ufeff${json}`))).toBe(count(user('hi')));
  });

  it('counts what tools were called with and what they answered', () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } };
    const called = (args: string): number =>
      count({
        messages: [
          { role: 'user', content: 'hi' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ ...call, function: { name: 'weather', arguments: args } }],
          },
          { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
        ],
      });
    expect(called('{"city":"Paris"}') - called('')).toBe(countTextTokens(NEW, '{"city":"Paris"}'));
  });

  it('counts what custom tools were called with as it counts arguments', () => {
    const called = (call: object): number =>
      count({ messages: [{ role: 'assistant', content: null, tool_calls: [call] }] });
    const custom = called({ id: 'a', type: 'custom', custom: { name: 'shell', input: 'ls -l' } });
    const named = { name: 'shell', arguments: 'ls -l' };
    expect(custom).toBe(called({ id: 'a', type: 'function', function: named }));
    const silent = called({ id: 'a', type: 'custom', custom: { name: 'shell', input: '' } });
    expect(custom - silent).toBe(countTextTokens(NEW, 'ls -l'));
  });

  it('counts what an assistant thought, and what it called by the former name', () => {
    const said = (message: object): number =>
      count({ messages: [{ role: 'assistant', content: '', ...message }] });
    const thought = 'A question about rivers';
    expect(said({ reasoning_content: thought }) - said({})).toBe(countTextTokens(NEW, thought));
    const named = { name: 'weather', arguments: '{"city":"Paris"}' };
    const called = { tool_calls: [{ id: 'a', type: 'function', function: named }] };
    expect(said({ function_call: named })).toBe(said(called));
  });

  it('counts tools, old and new, and the form a reply must have', () => {
    const tool = { name: 'weather', parameters: { type: 'object', properties: {} } };
    const bare = count(user('hi'));
    const withTools = count({ ...user('hi'), tools: [{ type: 'function', function: tool }] });
    expect(withTools).toBeGreaterThan(bare + countTextTokens(NEW, JSON.stringify(tool)));
    expect(count({ ...user('hi'), functions: [tool] })).toBe(withTools);
    expect(count({ ...user('hi'), tools: [] })).toBe(bare);
    const schema = { type: 'json_schema', json_schema: { name: 'x', schema: tool } };
    expect(count({ ...user('hi'), response_format: schema })).toBeGreaterThan(bare + 5);
  });

  it('does not read images as text', () => {
    const url = `data:image/png;base64,${'iVBORw0KGgo'.repeat(50_000)}`;
    const image = (detail: string): unknown => [{ type: 'image_url', image_url: { url, detail } }];
    const empty = count(user(''));
    expect(count(user(image('high'))) - empty).toBe(1_445);
    expect(count(user(image('low'))) - empty).toBe(85);
    expect(count(user(image('low')), 'gpt-4o-mini') - empty).toBe(2_833);
    expect(count(user(image('high')), 'gpt-4o-mini') - empty).toBe(MEDIA_PART_TOKENS_MAX);
  });

  it('reckons audio by its length', () => {
    const audio = (format: string): number =>
      count(user([{ type: 'input_audio', input_audio: { data: 'A'.repeat(640_000), format } }])) -
      count(user(''));
    // 480,000 bytes: 30 seconds of MP3, 10 seconds of WAV.
    expect(audio('mp3')).toBe(300);
    expect(audio('wav')).toBe(100);
  });

  it('survives a prompt full of what makes other counters throw', () => {
    expect(count(user('<|endoftext|><|im_start|>system'))).toBeGreaterThan(10);
    expect(count({ messages: 'none', tools: 3 })).toBe(3);
  });

  const text = fc.oneof(
    fc.string({ unit: anyCodePoint, maxLength: 40 }),
    fc.constantFrom('', '<|endoftext|>', '\0\0\0\0', '\ud83d', 'ꙮ꙰ꙮ', '         ', 'word word'),
  );
  const part = fc.oneof(
    fc.record({ type: fc.constant('text'), text }),
    fc.record({ type: fc.constant('refusal'), refusal: text }),
    fc.record({
      type: fc.constantFrom('image_url', 'file', 'video_url', 'x'),
      image_url: fc.oneof(fc.record({ url: text, detail: fc.constantFrom('low', 'high') }), text),
    }),
    fc.record({
      type: fc.constant('input_audio'),
      input_audio: fc.record({ data: text, format: fc.constantFrom('wav', 'mp3') }),
    }),
    fc.record({ type: fc.constant('x'), text }),
  );
  const call = fc.record(
    {
      function: fc.oneof(fc.record({ name: text, arguments: text }), fc.record({ name: text })),
      custom: fc.record({ name: text }),
    },
    { requiredKeys: [] },
  );
  const message = fc.record(
    {
      role: fc.constantFrom('user', 'assistant', 'system', 'tool'),
      content: fc.oneof(text, fc.array(part, { maxLength: 4 })),
      name: text,
      refusal: text,
      reasoning_content: text,
      tool_calls: fc.array(call, { maxLength: 5 }),
      images: fc.array(fc.oneof(part, fc.constant({}), text), { maxLength: 4 }),
      function_call: fc.record({ name: text }),
    },
    { requiredKeys: ['role', 'content'] },
  );
  const number = fc.constantFrom('1e20', '1e9', '-0', '1E5', '0.1e-5');
  const tool = fc
    .array(number, { maxLength: 20 })
    .map((numbers) => `{"function":{"name":"f","enum":[${numbers.join(',')}]}}`);
  const request = fc.record({
    messages: fc.array(message, { minLength: 1, maxLength: 6 }),
    tools: fc.array(tool, { maxLength: 3 }),
    model: fc.constantFrom(NEW, OLD, 'gpt-4o-mini', 'claude-sonnet-4-5'),
  });

  it('never counts more than the bound that holds were made with', () => {
    fc.assert(
      fc.property(request, ({ messages, tools, model }) => {
        const head = JSON.stringify({ model, messages }).slice(0, -1);
        const json = `${head},"tools":[${tools.join(',')}]}`;
        const tokens = countPromptTokens(model, Buffer.from(json));
        expect(tokens).toBeLessThanOrEqual(bound(json));
        expect(tokens).toBeGreaterThan(messages.length * 3);
      }),
      { numRuns: 500 },
    );
  });

  it('stays below the bound where numbers are written shorter than they are shown', () => {
    const json = JSON.stringify(user('hi')).replace(
      /}$/,
      `,"model":"m","tools":[{"function":{"name":"f","enum":[${Array(2_000).fill('1e20').join(',')}]}}]}`,
    );
    expect(countPromptTokens(NEW, Buffer.from(json))).toBeLessThanOrEqual(bound(json));
  });

  it('answers the bound where the JSON is wrong in a place that is not looked at before', () => {
    const json = JSON.stringify(user('C:\\data\\')).replaceAll('\\\\', '\\');
    expect(() => JSON.parse(json) as unknown).toThrow(SyntaxError);
    expect(countPromptTokens(NEW, Buffer.from(json))).toBeGreaterThanOrEqual(json.length);
  });
});
