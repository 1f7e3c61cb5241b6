import { expect, it } from 'vitest';
import { knownFinishReason } from '../../../../../gateway/protocols/openai-chat/from-upstream/finish-reason.ts';

it.each([
  ['stop', 'stop'],
  ['STOP', 'stop'],
  ['end_turn', 'stop'],
  ['tool_use', 'tool_calls'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content_filter'],
  ['of a later day', 'stop'],
])('the finish reason %s reaches clients as %s', (reason, known) => {
  expect(knownFinishReason(reason)).toBe(known);
});
