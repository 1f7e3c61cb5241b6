import { describe, expect, it } from 'vitest';
import { neutralForm } from '../../../../../gateway/protocols/anthropic-messages/neutral-form.ts';
import { withoutForeignParts } from '../../../../../gateway/protocols/anthropic-messages/to-upstream/foreign-parts.ts';
import type { NeutralEvent } from '../../../../../gateway/protocols/neutral-form/reply.ts';
import type { AssistantPart } from '../../../../../gateway/protocols/neutral-form/request.ts';
import { accepted } from '../../../../support/clients/messages-request.ts';
import { readMessageStrictly } from '../../../../support/clients/messages-wire.ts';
import { neutral, streamed } from './support/neutral-form.ts';

const PROOF = { of: 'gemini' as const, value: 'c2lnbmF0dXJl', redacted: false };
const SIGNED = { type: 'thinking', thinking: '', signature: 'next:weir1.gemini.s.c2lnbmF0dXJl' };
const CALL = { id: 'call_1', name: 'f', freeForm: false };
const PARTS: AssistantPart[] = [
  { type: 'reasoning', text: 'R' },
  { type: 'text', text: 'T', proof: PROOF },
  { type: 'tool_call', ...CALL, input: '{"a":1}', proof: PROOF },
  { type: 'tool_call', ...CALL, id: 'call_2', input: '{}' },
];
const EVENTS: NeutralEvent[] = [
  { type: 'start', id: '' },
  { type: 'reasoning', text: 'R' },
  { type: 'text', text: 'T', proof: PROOF },
  { type: 'tool_call', index: 0, ...CALL, proof: PROOF },
  { type: 'tool_input', index: 0, text: '{"a":1}' },
  { type: 'tool_call', index: 1, ...CALL, id: 'call_2' },
  { type: 'end', reason: 'tool_calls' },
];

/** The assistant's parts, once a client has sent these blocks back. */
function sentBack(content: readonly object[]): readonly unknown[] {
  const question = { role: 'user', content: 'U' };
  const { messages } = neutral({ messages: [question, { role: 'assistant', content }, question] });
  return messages.find(({ role }) => role === 'assistant')?.parts ?? [];
}

function wholeReply(): object[] {
  const reply = { id: '', parts: PARTS, end: 'tool_calls' as const, usage: null };
  const { content } = JSON.parse(neutralForm.writeReply(reply, accepted(), null).toString()) as {
    content: object[];
  };
  return content;
}

/** Gemini 3 refuses a call of its own that comes back without its signature. */
describe('a vendor’s signature of a call or a text', () => {
  it('is kept by a client of Messages as that of a thought before it', () => {
    expect(wholeReply()).toMatchObject([
      { type: 'thinking', thinking: 'R' },
      SIGNED,
      { type: 'text', text: 'T' },
      SIGNED,
      { type: 'tool_use', id: 'call_1' },
      { type: 'tool_use', id: 'call_2' },
    ]);
  });

  it('comes to it in a stream too', () => {
    const { blocks } = readMessageStrictly(streamed(EVENTS));
    const { signature } = SIGNED;
    expect(blocks).toMatchObject([
      { type: 'thinking', text: 'R', signature },
      { type: 'text', text: 'T', signature: '' },
      { type: 'thinking', text: '', signature },
      { type: 'tool_use', id: 'call_1', text: '{"a":1}' },
      { type: 'tool_use', id: 'call_2' },
    ]);
  });

  it('is on the call and the text again when it comes back', () => {
    expect(sentBack(wholeReply())).toEqual(PARTS);
    const thought = { type: 'thinking', thinking: 'R', signature: SIGNED.signature };
    expect(sentBack([thought, { type: 'text', text: 'T' }])).toEqual(PARTS.slice(0, 2));
  });

  it('is not sent to Anthropic, which would refuse the request', () => {
    const messages = [{ role: 'assistant', content: wholeReply() }];
    const kept = withoutForeignParts(Buffer.from(JSON.stringify({ messages })));
    expect(kept).not.toContain('thinking');
  });
});
