import { describe, expect, it } from 'vitest';
import { converseForms } from '../../../../gateway/protocols/bedrock-converse/from-upstream/reply-forms.ts';
import { neutralForm } from '../../../../gateway/protocols/bedrock-converse/neutral-form.ts';
import { readUsage } from '../../../../gateway/protocols/bedrock-converse/usage.ts';
import { readUsage as readMessagesUsage } from '../../../../gateway/protocols/anthropic-messages/usage.ts';
import { event, eventsOf, USAGE } from './support/converse.ts';

function bytes(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function reply(content: readonly object[], fields: object = {}): Buffer {
  return bytes({
    output: { message: { role: 'assistant', content } },
    stopReason: 'end_turn',
    usage: USAGE,
    metrics: { latencyMs: 1 },
    ...fields,
  });
}

const read = (body: Buffer) => neutralForm.readReply(body, () => undefined);

const CONTENT = [
  { reasoningContent: { reasoningText: { text: 'Hm', signature: 'SIG=' } } },
  { reasoningContent: { redactedContent: 'YWI=' } },
  { text: 'I will look.' },
  { toolUse: { toolUseId: 'tooluse_1', name: 'look_up', input: { city: 'Rome' } } },
];
const PARTS = [
  { type: 'reasoning', text: 'Hm', proof: { of: 'anthropic-messages', value: 'SIG=' } },
  { type: 'reasoning', text: '', proof: { of: 'bedrock-converse', value: 'YWI=', redacted: true } },
  { type: 'text', text: 'I will look.' },
  {
    type: 'tool_call',
    id: 'tooluse_1',
    name: 'look_up',
    input: '{"city":"Rome"}',
    freeForm: false,
  },
];

describe('a whole reply of Converse', () => {
  it('has its parts in their order', () => {
    expect(read(reply(CONTENT, { stopReason: 'tool_use' }))).toEqual({
      id: '',
      parts: PARTS,
      end: 'tool_calls',
      usage: { input: 10, cachedInput: 0, cacheWrite: 0, output: 5, reasoning: 0 },
    });
  });

  it('keeps the text of citations, and leaves out what Bedrock has run', () => {
    const cited = {
      citationsContent: { content: [{ text: 'The grass' }, { text: ' is green.' }] },
    };
    const run = { toolUse: { toolUseId: 't', name: 'n', input: {}, type: 'server_tool_use' } };
    expect(read(reply([cited, run, { text: '' }]))?.parts).toEqual([
      { type: 'text', text: 'The grass is green.' },
    ]);
  });

  it.each([
    bytes({ message: 'Too many tokens' }),
    bytes({ output: {} }),
    Buffer.from('<html>'),
    reply([], { stopReason: 'malformed_tool_use' }),
  ])('is none of these: %s', (body) => {
    expect(read(body)).toBeUndefined();
  });

  it('is the same as a stream, and back', () => {
    const body = reply(CONTENT, {
      stopReason: 'stop_sequence',
      additionalModelResponseFields: { stop_sequence: 'END' },
      serviceTier: { type: 'priority' },
    });
    const stream = converseForms.toStream(body);
    expect(stream).toBeDefined();
    const whole = converseForms.toWhole(stream ?? Buffer.of(), 1, () => undefined);
    expect(Buffer.isBuffer(whole) && JSON.parse(whole.toString())).toEqual(
      JSON.parse(body.toString()),
    );
    expect(eventsOf(stream ?? '').filter(({ type }) => type === 'end' || type === 'usage')).toEqual(
      [
        { type: 'end', reason: 'stop_sequence', stopSequence: 'END' },
        { type: 'usage', usage: { ...read(body)?.usage } },
      ],
    );
  });

  it('cannot be made of a stream that breaks off, or that has an exception', () => {
    const text = event('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'a' } });
    const failed = event('exception', { __type: 'modelStreamErrorException', message: 'no' });
    expect(converseForms.toWhole(Buffer.from(text), 1, () => undefined)).toMatchObject({
      failed: 'connection_broke',
    });
    expect(converseForms.toWhole(Buffer.from(text + failed), 1, () => undefined)).toMatchObject({
      failed: 'bad_reply',
      body: Buffer.from('{"__type":"modelStreamErrorException","message":"no"}'),
    });
    expect(converseForms.toStream(bytes({ message: 'no' }))).toBeUndefined();
  });
});

describe('the usage of Converse', () => {
  it.each([
    ['plain', {}, {}],
    ['reads', { cacheReadInputTokens: 1_490 }, { cache_read_input_tokens: 1_490 }],
    [
      'writes of both times',
      {
        cacheWriteInputTokens: 70,
        cacheDetails: [
          { ttl: '1h', inputTokens: 40 },
          { ttl: '5m', inputTokens: 30 },
        ],
      },
      {
        cache_creation_input_tokens: 70,
        cache_creation: { ephemeral_5m_input_tokens: 30, ephemeral_1h_input_tokens: 40 },
      },
    ],
    ['writes without details', { cacheWriteInputTokens: 70 }, { cache_creation_input_tokens: 70 }],
    ['nulls', { cacheReadInputTokens: null, cacheDetails: null }, {}],
  ])('means the same money as Anthropic’s own: %s', (_name, converse, messages) => {
    const own = readMessagesUsage({ input_tokens: 10, output_tokens: 5, ...messages });
    expect(readUsage({ ...USAGE, ...converse })).toEqual(own);
  });

  it('has the tier that the request was served in', () => {
    expect(readUsage(USAGE, { serviceTier: { type: 'flex' } })?.tier).toBe('flex');
    expect(readUsage(USAGE, { serviceTier: { type: 'default' } })).not.toHaveProperty('tier');
  });

  it('is none where nothing was counted', () => {
    expect(readUsage({ inputTokens: 0, outputTokens: 0 })).toBeUndefined();
    expect(readUsage('10')).toBeUndefined();
  });
});
