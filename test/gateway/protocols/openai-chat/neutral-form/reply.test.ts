import { describe, expect, it } from 'vitest';
import { carryProof } from '../../../../../gateway/protocols/neutral-form/proofs/proof.ts';
import type { NeutralReply } from '../../../../../gateway/protocols/neutral-form/reply.ts';
import { neutralForm } from '../../../../../gateway/protocols/openai-chat/neutral-form.ts';
import { recording } from '../../../../support/clients/recorded-stream.ts';
import { chatRequest } from './support/neutral-form.ts';

const NO_FAILURE = (): undefined => undefined;
const USAGE = { input: 10, cachedInput: 4, cacheWrite: 0, output: 5, reasoning: 2 };

function read(message: object, extra: object = {}): NeutralReply | undefined {
  const choices = [{ index: 0, message, finish_reason: 'stop', ...extra }];
  return neutralForm.readReply(Buffer.from(JSON.stringify({ id: 'r1', choices })), NO_FAILURE);
}

function write(reply: Partial<NeutralReply>, usage = null as typeof USAGE | null): unknown {
  const whole: NeutralReply = { id: 'msg_1', parts: [], end: 'stop', usage: null, ...reply };
  return JSON.parse(neutralForm.writeReply(whole, chatRequest(), usage).toString()) as unknown;
}

describe('an upstream’s chat completion', () => {
  it('has its text and usage', () => {
    expect(neutralForm.readReply(recording('openai-text.json'), NO_FAILURE)).toMatchObject({
      parts: [{ type: 'text' }],
      end: 'stop',
      usage: { reasoning: 0 },
    });
  });

  it.each([{ stop_reason: 'END' }, { matched_stop: 'END' }])(
    'has the stop sequence that ended it: %j',
    (named) => {
      const reply = read({ content: 'T' }, named);
      expect(reply).toMatchObject({ end: 'stop', stopSequence: 'END' });
      expect(read({ content: 'T' }, { ...named, finish_reason: 'length' })).toMatchObject({
        end: 'length',
      });
    },
  );

  it('has no stop sequence of a token', () => {
    const reply = read({ content: 'T' }, { stop_reason: 151_645, matched_stop: 2 });
    expect(reply).not.toHaveProperty('stopSequence');
  });

  it('has its calls, whatever its finish_reason', () => {
    const reply = neutralForm.readReply(recording('ollama-tools.json'), NO_FAILURE);
    expect(reply?.end).toBe('tool_calls');
    const calls = reply?.parts.filter((part) => part.type === 'tool_call') ?? [];
    expect(calls.length).toBe(2);
    for (const { input } of calls) expect(JSON.parse(input)).toBeTypeOf('object');
  });

  it('has reasoning, with the proof that its upstream wants back', () => {
    const details = [{ type: 'reasoning.text', text: 'R', signature: 'S' }];
    expect(read({ content: 'T', reasoning: 'R', reasoning_details: details })?.parts).toEqual([
      {
        type: 'reasoning',
        text: 'R',
        proof: { of: 'openai-chat', value: JSON.stringify(details) },
      },
      { type: 'text', text: 'T' },
    ]);
    expect(read({ content: null, reasoning_content: 'R' })?.parts).toEqual([
      { type: 'reasoning', text: 'R' },
    ]);
  });

  it('has a call’s thought signature', () => {
    const call = {
      id: 'c1',
      type: 'function',
      function: { name: 'f', arguments: '' },
      extra_content: { google: { thought_signature: 'sig' } },
    };
    expect(read({ content: null, tool_calls: [call] })).toMatchObject({
      end: 'tool_calls',
      parts: [
        {
          type: 'tool_call',
          id: 'c1',
          name: 'f',
          input: '{}',
          freeForm: false,
          proof: { of: 'openai-chat', value: 'sig' },
        },
      ],
    });
  });

  it.each([
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['eos', 'stop'],
    ['tool_calls', 'stop'],
  ])('without calls that ends with %s ended because of %s', (reason, end) => {
    expect(read({ content: 'T' }, { finish_reason: reason })?.end).toBe(end);
  });

  it('has a refusal', () => {
    expect(read({ content: null, refusal: 'no' })).toMatchObject({ parts: [], refusal: 'no' });
  });

  it.each(['<html>', '{"error":{"message":"x"}}', '{"choices":[]}'])('is none: %s', (body) => {
    expect(neutralForm.readReply(Buffer.from(body), NO_FAILURE)).toBeUndefined();
  });
});

describe('a client’s chat completion', () => {
  it('has text, reasoning and usage', () => {
    const reply = write(
      {
        parts: [
          { type: 'reasoning', text: 'R' },
          { type: 'text', text: 'T' },
        ],
      },
      USAGE,
    );
    expect(reply).toMatchObject({
      id: 'msg_1',
      object: 'chat.completion',
      model: 'public-model',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'T', refusal: null, reasoning_content: 'R' },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    });
  });

  it('has calls and the proofs of other vendors, marked as theirs', () => {
    const proof = { of: 'gemini', value: 'c2ln' } as const;
    const secret = { of: 'anthropic-messages', value: 'eA==', redacted: true } as const;
    const reply = write({
      parts: [
        { type: 'reasoning', text: '', proof: secret },
        { type: 'tool_call', id: 'c1', name: 'f', input: '', freeForm: false, proof },
        { type: 'tool_call', id: 'c2', name: 'g', input: 'free', freeForm: true },
      ],
      end: 'tool_calls',
    });
    expect(reply).toMatchObject({
      choices: [
        {
          message: {
            content: null,
            reasoning_details: [{ type: 'reasoning.encrypted', data: carryProof(secret) }],
            tool_calls: [
              {
                id: 'c1',
                function: { name: 'f', arguments: '{}' },
                extra_content: { google: { thought_signature: carryProof(proof) } },
              },
              { id: 'c2', type: 'custom', custom: { name: 'g', input: 'free' } },
            ],
          },
          finish_reason: 'tool_calls',
        },
      ],
    });
  });

  it('has the text of a free-form call that its upstream took for a function', () => {
    const tools = [{ type: 'custom', custom: { name: 'g' } }];
    const call = { type: 'tool_call', id: 'c1', name: 'g', freeForm: false } as const;
    const reply: NeutralReply = {
      id: '',
      parts: [{ ...call, input: '{"input":"free"}' }],
      end: 'tool_calls',
      usage: null,
    };
    const bytes = neutralForm.writeReply(reply, chatRequest({ tools }), null);
    expect(JSON.parse(bytes.toString())).toMatchObject({
      choices: [
        { message: { tool_calls: [{ type: 'custom', custom: { name: 'g', input: 'free' } }] } },
      ],
    });
  });

  it.each([
    ['stop_sequence', 'stop'],
    ['context_full', 'length'],
    ['content_filter', 'content_filter'],
    ['tool_calls', 'stop'],
  ] as const)('without calls that ended because of %s says %s', (end, reason) => {
    expect(write({ end, parts: [{ type: 'text', text: 'T' }] })).toMatchObject({
      choices: [{ finish_reason: reason }],
    });
  });
});
