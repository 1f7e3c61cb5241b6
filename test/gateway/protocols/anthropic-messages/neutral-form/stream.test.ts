import { describe, expect, it } from 'vitest';
import type { NeutralEvent } from '../../../../../gateway/protocols/neutral-form/reply.ts';
import { neutralForm } from '../../../../../gateway/protocols/anthropic-messages/neutral-form.ts';
import { accepted } from '../../../../support/clients/messages-request.ts';
import {
  endEvents,
  readMessageStrictly,
  startEvent,
  textBlock,
  wire,
} from '../../../../support/clients/messages-wire.ts';
import { readEvents, streamed } from './support/neutral-form.ts';

const START: NeutralEvent = { type: 'start', id: 'x' };
const call = (index: number, freeForm = false): NeutralEvent => ({
  type: 'tool_call',
  index,
  id: `c${String(index)}`,
  name: `f${String(index)}`,
  freeForm,
});
const input = (index: number, text: string): NeutralEvent => ({ type: 'tool_input', index, text });
const end = (reason: 'stop' | 'tool_calls' | 'length'): NeutralEvent => ({ type: 'end', reason });
const text = (value: string): NeutralEvent => ({ type: 'text', text: value });
const reasoning = (value: string): NeutralEvent => ({ type: 'reasoning', text: value });

describe('a stream that is written for a client of Messages', () => {
  it('has three calls whose pieces came interleaved one after the other', () => {
    const { blocks, stopReason } = readMessageStrictly(
      streamed([
        START,
        call(0),
        call(1),
        call(2),
        input(1, '{"b":'),
        input(0, '{"a":'),
        input(2, '{"c":3}'),
        input(0, '1}'),
        input(1, '2}'),
        end('tool_calls'),
      ]),
    );
    expect(blocks.map((block) => [block.name, block.text])).toEqual([
      ['f0', '{"a":1}'],
      ['f1', '{"b":2}'],
      ['f2', '{"c":3}'],
    ]);
    expect(stopReason).toBe('tool_use');
  });

  it('does not wait with calls that come one after the other', () => {
    const writer = neutralForm.writeStream(accepted());
    const sent = [START, call(0), input(0, '{}'), call(1)].map((event) => writer.write(event));
    expect(sent.at(-1)).toContain('"name":"f1"');
  });

  it('has every call stopped, also one without arguments', () => {
    const { blocks } = readMessageStrictly(streamed([START, call(0), call(1), end('tool_calls')]));
    expect(blocks.map(({ text: value }) => value)).toEqual(['{}', '{}']);
  });

  it('has thinking in its block alone, with its proof before the end of the block', () => {
    const proof = { of: 'openai-responses' as const, value: 'ZW5j' };
    const { blocks } = readMessageStrictly(
      streamed([
        START,
        reasoning('a'),
        reasoning('b'),
        { type: 'reasoning_proof', proof },
        text('T'),
        end('stop'),
      ]),
    );
    expect(blocks).toMatchObject([
      { type: 'thinking', text: 'ab', signature: 'weir1.openai-responses.s.ZW5j' },
      { type: 'text', text: 'T' },
    ]);
  });

  it('has a proof without words in a block of its own', () => {
    const redacted = { of: 'anthropic-messages' as const, value: 'eHl6', redacted: true };
    const foreign = { of: 'openai-responses' as const, value: 'ZW5j', redacted: true };
    const { blocks } = readMessageStrictly(
      streamed([
        START,
        { type: 'reasoning_proof', proof: redacted },
        { type: 'reasoning_proof', proof: foreign },
        text('T'),
        end('stop'),
      ]),
    );
    expect(blocks).toMatchObject([
      { type: 'redacted_thinking', data: 'eHl6' },
      { type: 'thinking', text: '', signature: 'weir1.openai-responses.r.ZW5j' },
      { type: 'text' },
    ]);
  });

  it('has one beginning, and no empty text', () => {
    const { blocks } = readMessageStrictly(
      streamed([START, START, text(''), text('T'), end('stop')]),
    );
    expect(blocks).toHaveLength(1);
  });

  it('says tool_use with a call and never without one', () => {
    expect(readMessageStrictly(streamed([START, text('T'), end('tool_calls')])).stopReason).toBe(
      'end_turn',
    );
    expect(readMessageStrictly(streamed([START, call(0), end('stop')])).stopReason).toBe(
      'tool_use',
    );
    expect(readMessageStrictly(streamed([START, call(0), end('length')])).stopReason).toBe(
      'max_tokens',
    );
  });

  it.each([
    [['END'], 'stop_sequence', 'END'],
    // One of the server's own, such as "<|im_end|>".
    [['OTHER'], 'end_turn', null],
  ])('names the stop sequence if it is one of %j', (asked, reason, named) => {
    const request = accepted({ stop_sequences: asked });
    const ended = { type: 'end', reason: 'stop', stopSequence: 'END' } as const;
    const writer = neutralForm.writeStream(request);
    const sent = [START, text('T'), ended].map((event) => writer.write(event)).join('');
    const delta = { stop_reason: reason, stop_sequence: named };
    expect(sent + writer.endMarker(null)).toContain(`"delta":${JSON.stringify(delta)}`);
    const { type: _type, reason: end, ...sequence } = ended;
    const reply = { id: 'x', parts: [{ type: 'text', text: 'T' }], end, ...sequence } as const;
    const whole = neutralForm.writeReply({ ...reply, usage: null }, request, null).toString();
    expect(JSON.parse(whole)).toMatchObject(delta);
  });

  it('tells of a refusal', () => {
    const refusal: NeutralEvent = { type: 'refusal', text: 'No.' };
    const { blocks, stopReason } = readMessageStrictly(streamed([START, refusal, end('stop')]));
    expect([blocks, stopReason]).toMatchObject([[{ type: 'text', text: 'No.' }], 'refusal']);
  });

  it('has the text of a free-form call as its one argument', () => {
    const { blocks } = readMessageStrictly(
      streamed([START, call(0, true), input(0, 'say "'), input(0, 'hi"\n'), end('tool_calls')]),
    );
    expect(JSON.parse(blocks[0]?.text ?? '')).toEqual({ input: 'say "hi"\n' });
  });

  it('keeps text that comes behind a call that is not complete', () => {
    const { blocks } = readMessageStrictly(
      streamed([START, call(0), input(0, '{"a"'), text('T'), input(0, ':1}'), end('tool_calls')]),
    );
    expect(blocks).toMatchObject([{ text: '{"a":1}' }, { type: 'text', text: 'T' }]);
  });

  it('ends its block when it is cut short', () => {
    const writer = neutralForm.writeStream(accepted());
    const sent = writer.write(text('T')) + writer.cutShort() + writer.endMarker(null);
    expect(readMessageStrictly(sent)).toMatchObject({ stopReason: 'max_tokens', finished: true });
  });
});

describe('a stream of Anthropic is read', () => {
  const block = (index: number, content_block: object, ...deltas: readonly object[]): string =>
    wire('content_block_start', { index, content_block }) +
    deltas.map((delta) => wire('content_block_delta', { index, delta })).join('') +
    wire('content_block_stop', { index });
  const TOOL = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} };

  it('with calls numbered from 0, whatever blocks come before, and server tools left out', () => {
    const events = readEvents(
      startEvent() +
        textBlock(0, 'T') +
        block(
          1,
          { ...TOOL, type: 'server_tool_use' },
          { type: 'input_json_delta', partial_json: '{"q":1}' },
        ) +
        block(2, { type: 'web_search_tool_result', content: [] }) +
        block(
          3,
          TOOL,
          { type: 'input_json_delta', partial_json: '' },
          { type: 'input_json_delta', partial_json: '{"a":1}' },
        ) +
        endEvents('tool_use'),
    );
    expect(events.filter(({ type }) => type.startsWith('tool'))).toEqual([
      { type: 'tool_call', index: 0, id: 'toolu_1', name: 'f', freeForm: false },
      { type: 'tool_input', index: 0, text: '{"a":1}' },
    ]);
    expect(events.slice(-2)).toEqual([{ type: 'end', reason: 'tool_calls' }, { type: 'done' }]);
  });

  it('with its signature as the proof of its thinking', () => {
    const events = readEvents(
      startEvent() +
        block(
          0,
          { type: 'thinking', thinking: '', signature: '' },
          { type: 'thinking_delta', thinking: 'R' },
          { type: 'signature_delta', signature: 'c2ln' },
        ) +
        block(1, { type: 'redacted_thinking', data: 'eHl6' }),
    );
    const of = 'anthropic-messages';
    expect(events.slice(-3)).toEqual([
      { type: 'reasoning', text: 'R' },
      { type: 'reasoning_proof', proof: { of, value: 'c2ln' } },
      { type: 'reasoning_proof', proof: { of, value: 'eHl6', redacted: true } },
    ]);
  });

  it('with usage that counts output at its end alone', () => {
    const usages = readEvents(startEvent() + endEvents('end_turn', { output_tokens: 5 })).filter(
      ({ type }) => type === 'usage',
    );
    expect(usages).toMatchObject([
      { usage: { input: 9, output: 0 } },
      { usage: { input: 9, output: 5 } },
    ]);
  });

  it('with its errors', () => {
    const error = wire('error', { error: { type: 'overloaded_error', message: 'Overloaded' } });
    expect(readEvents(error)).toMatchObject([{ type: 'failure' }]);
  });
});
