import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../../gateway/platform/errors/refusal.ts';
import { readObject } from '../../../../../gateway/platform/json/read-object.ts';
import { findMember } from '../../../../../gateway/platform/json/scan-members.ts';
import { checkChat } from '../../../../../gateway/protocols/openai-chat/from-client/check-chat.ts';
import { REQUEST_LIMITS } from '../../../../../gateway/protocols/protocol.ts';
import { scanChat } from '../../../../../gateway/protocols/openai-chat/from-client/scan-chat.ts';

const { jsonDepthMax } = REQUEST_LIMITS;
const LONG = 'Wer ein Wehr baut, fragt zuerst, wie hoch das Wasser im Frühjahr steht. ';

/**
 * Returns the facts of a request that Weir acts on, read by the scanner; undefined if it leaves the
 * request to the parser.
 */
function skimmed(body: Buffer) {
  const read = scanChat(body, jsonDepthMax);
  return read === undefined ? undefined : checkChat(read.value, read.keys, REQUEST_LIMITS);
}

function parsed(body: Buffer) {
  const read = readObject(body, jsonDepthMax);
  return isRefusal(read) ? read : checkChat(read.value, read.keys, REQUEST_LIMITS);
}

const text = fc.constantFrom('', 'short', LONG, `${LONG}"quoted"\\ \n`, '世界');
const odd = fc.constantFrom<unknown>(null, 7, true, {}, [], 'x', undefined);
const type = fc.constantFrom<unknown>('text', 'refusal', 'image_url', 'input_audio', 'new', 7);
const part = fc.oneof(
  { weight: 8, arbitrary: fc.record({ type, text }, { requiredKeys: [] }) },
  { weight: 4, arbitrary: fc.record({ type, image_url: fc.record({ url: text }) }) },
  { weight: 1, arbitrary: odd },
);
const role = fc.constantFrom<unknown>(
  ...['user', 'assistant', 'system', 'developer', 'tool', 'function', 'users', 'User'],
  null,
);
const content = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 3, arbitrary: fc.array(part, { maxLength: 3 }) },
  { weight: 1, arbitrary: odd },
);
const calls = fc.oneof(
  fc.array(
    fc.record(
      {
        id: fc.oneof(text, odd),
        type: fc.constantFrom<unknown>('function', 'function', 'custom', 7),
        function: fc.oneof(
          fc.record({ name: fc.oneof(text, odd), arguments: text }),
          fc.record({ arguments: text, name: text }),
          odd,
        ),
        index: odd,
      },
      { requiredKeys: ['id', 'function'] },
    ),
  ),
  odd,
);
const images = fc.oneof(
  { weight: 6, arbitrary: fc.array(part, { maxLength: 2 }) },
  { weight: 1, arbitrary: fc.constant(['QUJD']) },
  { weight: 1, arbitrary: odd },
);
const message = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record(
      { role, content, tool_calls: calls, name: text, images },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: odd },
);
const tool = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      {
        type: fc.constantFrom<unknown>('function', 'function', 'custom', 'web_search', null, 7),
        function: fc.oneof(
          fc.record({ name: fc.oneof(text, odd), Type: text }),
          fc.record({ strict: fc.boolean(), name: text }),
          odd,
        ),
        custom: fc.oneof(fc.constant(undefined), fc.record({ name: text }), odd),
        Type: fc.constantFrom(1, undefined, undefined),
        name: text,
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);
const body = fc.record(
  {
    model: fc.constantFrom<unknown>('m', '', 7),
    messages: fc.oneof({ weight: 8, arbitrary: fc.array(message, { maxLength: 4 }) }, odd),
    tools: fc.oneof({ weight: 4, arbitrary: fc.array(tool, { maxLength: 2 }) }, odd),
    functions: fc.constantFrom<unknown>(
      ...[[], [{ name: 'f' }], [{ x: 1, name: 'f' }], [{ name: '' }], [{}], [7]],
      null,
    ),
    stream: fc.boolean(),
    stream_options: fc.constantFrom<unknown>({ include_usage: true, note: LONG }, {}, null, 7),
    n: fc.constantFrom<unknown>(1, 2, 0, null),
    max_tokens: fc.constantFrom<unknown>(5, null, -1),
    größe: fc.constant(1),
    metadata: fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: ['model', 'messages'] },
);
const spelling = fc.constantFrom(0, 1);
const OFTEN = { numRuns: 2_000 };

describe('a skimmed request', () => {
  it('says what it says when it is parsed', () => {
    let taken = 0;
    fc.assert(
      fc.property(body, spelling, (request, indent) => {
        const bytes = Buffer.from(JSON.stringify(request, null, indent));
        const fields = skimmed(bytes);
        if (fields === undefined) return;
        taken += 1;
        expect(fields).toEqual(parsed(bytes));
      }),
      OFTEN,
    );
    expect(taken).toBeGreaterThan(20);
  });

  it('has its members where they are', () => {
    const value = { model: 'm', messages: [{ role: 'user', content: LONG }], user: 'ü', n: 1 };
    const bytes = Buffer.from(JSON.stringify(value, null, 2));
    const { members, keys } = scanChat(bytes, jsonDepthMax) ?? {};
    expect(keys).toEqual(Object.keys(value));
    for (const [name, one] of Object.entries(value)) {
      const member = members === undefined ? -1 : findMember(bytes, members, name);
      const [start, end] = members?.offsets.slice(member * 4 + 2, member * 4 + 4) ?? [];
      expect(JSON.parse(bytes.toString('utf8', start, end))).toEqual(one);
    }
  });

  it('is never one that is refused when it is parsed, whatever byte is wrong', () => {
    const valid = {
      model: 'm',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'image_url' }] },
        { role: 'assistant', content: null, tool_calls: [{ id: 'c', function: { name: '' } }] },
        { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: '' } }] },
        { content: 'x', role: 'tool' },
      ],
      tools: [
        { type: 'function', function: { strict: true, name: 'f' } },
        { function: { name: 'f' } },
        { name: 'f', type: 'custom' },
      ],
      functions: [{ name: 'f' }],
      stream: true,
    };
    const original = Buffer.from(JSON.stringify(valid));
    const puts = Buffer.from('"\\{}[]:,0nt \u0001\n\xff', 'latin1');
    for (let at = 0; at < original.length; at += 1) {
      for (const put of puts) {
        const bytes = Buffer.from(original);
        bytes[at] = put;
        const fields = skimmed(bytes);
        if (fields !== undefined) expect(fields).toEqual(parsed(bytes));
      }
    }
  });

  it.each([7, null, {}, undefined])('is not taken with a call whose name is %j', (name) => {
    const call = { id: 'c', type: 'function', function: { name, arguments: '{}' } };
    const messages = [{ role: 'assistant', content: null, tool_calls: [call] }];
    expect(scanChat(Buffer.from(JSON.stringify({ messages })), jsonDepthMax)).toBeUndefined();
  });

  it.each([
    ['a field twice', '{"model":"m","messages":[{"role":"user","content":"a"}],"model":"n"}'],
    ['a disguised name', '{"model":"m","messages":[{"r\\u006fle":"user","content":"a"}]}'],
    ['its images twice', '{"messages":[{"role":"user","content":"a","images":[],"images":[]}]}'],
    ['a role twice', '{"model":"m","messages":[{"role":"user","role":"x","content":"a"}]}'],
    [
      'a tool’s type twice',
      '{"messages":[{"role":"user","content":"a"}],"tools":[{"type":"custom","type":"function"}]}',
    ],
    ['a name of every object’s', '{"constructor":1,"messages":[{"role":"user","content":"a"}]}'],
    ['a byte order mark', '\ufeff{"messages":[{"role":"user","content":"a"}]}'],
    ['something behind it', '{"messages":[{"role":"user","content":"a"}]} {}'],
  ])('is left to be parsed when it has %s', (_name, request) => {
    expect(scanChat(Buffer.from(request), jsonDepthMax)).toBeUndefined();
  });

  it('is an agent’s request, with everything that such a one has', () => {
    const request = {
      model: 'm',
      messages: [
        { role: 'system', content: LONG.repeat(20) },
        {
          role: 'user',
          content: [
            { type: 'text', text: LONG },
            { type: 'image_url', image_url: { url: LONG } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c', content: LONG },
        {
          role: 'assistant',
          content: LONG,
          images: [{ type: 'image_url', image_url: { url: LONG } }],
        },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'f', parameters: { type: 'object', properties: {} } },
        },
        { type: 'custom', custom: { name: 'f' } },
        { function: { name: 'f' }, cache_control: { type: 'ephemeral' } },
      ],
      stream: true,
      max_tokens: 100,
    };
    expect(skimmed(Buffer.from(JSON.stringify(request)))).toMatchObject({
      model: 'm',
      stream: true,
      hasTools: true,
      mediaParts: 2,
      maxOutputTokens: 100,
    });
  });
});
