import fc from 'fast-check';
import { expect, it } from 'vitest';
import { neutralForm as messages } from '../../../../../gateway/protocols/anthropic-messages/neutral-form.ts';
import { describeConversations, input, name, text } from './support/conversations.ts';

describeConversations(1_000);

it('a whole reply of Messages is the same for a client of Messages, but for its frame', () => {
  const block = fc.oneof(
    text.map((value) => ({ type: 'text', text: value })),
    fc.record({ type: fc.constant('tool_use'), id: name, name, input }),
    fc.record({ type: fc.constant('thinking'), thinking: text, signature: fc.constant('c2ln') }),
  );
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 6 }), (blocks) => {
      const reply = messages.readReply(
        Buffer.from(JSON.stringify({ id: 'msg_1', content: blocks, stop_reason: 'end_turn' })),
        () => undefined,
      );
      if (reply === undefined) throw new Error('no reply');
      const request = { model: 'm' } as Parameters<typeof messages.writeReply>[1];
      const back = messages.writeReply(reply, request, null);
      expect(JSON.parse(back.toString())).toMatchObject({ id: 'msg_1', content: blocks });
    }),
  );
});
