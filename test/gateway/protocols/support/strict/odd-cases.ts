/** Messages that agents send now and then: calls cut off, empty texts, instructions alone. */
import type { RequestCase } from './cases.ts';

const ID = 'call_1';
const CUT_OFF = '{"path":"a.ts","te';

function calling(content: string | null, text: string) {
  const call = { id: ID, type: 'function', function: { name: 'edit', arguments: text } };
  return [
    { role: 'user', content: 'Edit it.' },
    { role: 'assistant', content, tool_calls: [call] },
    { role: 'tool', tool_call_id: ID, content: 'done' },
  ];
}

export const ODD_CASES: readonly RequestCase[] = [
  {
    name: 'arguments that were cut off',
    ask: {
      extra: {
        chat: { messages: calling(null, CUT_OFF) },
        responses: {
          input: [
            { role: 'user', content: 'Edit it.' },
            { type: 'function_call', call_id: ID, name: 'edit', arguments: CUT_OFF },
            { type: 'function_call_output', call_id: ID, output: 'done' },
          ],
        },
      },
    },
    clients: ['chat', 'responses'],
  },
  {
    name: 'an empty text with a call',
    ask: { extra: { chat: { messages: calling('', '{}') } } },
    clients: ['chat'],
  },
  {
    name: 'instructions alone',
    ask: {
      extra: {
        chat: { messages: [{ role: 'system', content: 'Say hello.' }] },
        responses: { input: [{ role: 'developer', content: 'Say hello.' }] },
      },
    },
    clients: ['chat', 'responses'],
  },
];
