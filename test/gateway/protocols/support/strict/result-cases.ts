/** Results of tools as agents send them, and repeat them in every later turn. */
import { PIXEL, type Json } from './ask.ts';
import type { RequestCase } from './cases.ts';

const ID = 'call_1';
const TOOL = { name: 'shot', description: 'A tool.' };
const SCHEMA = { type: 'object', properties: { a: { type: 'integer' } } };

const CALLED = {
  role: 'assistant',
  content: [{ type: 'tool_use', id: ID, name: 'shot', input: {} }],
};
const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } };

function inMessages(...content: readonly Json[]): Json {
  return {
    tools: [{ ...TOOL, input_schema: SCHEMA }],
    messages: [{ role: 'user', content: 'Look.' }, CALLED, { role: 'user', content }],
  };
}

const SHOWN_IN_RESPONSES = {
  tools: [{ ...TOOL, type: 'function', strict: false, parameters: SCHEMA }],
  input: [
    { role: 'user', content: 'Look.' },
    { type: 'function_call', call_id: ID, name: 'shot', arguments: '{}' },
    {
      type: 'function_call_output',
      call_id: ID,
      output: [{ type: 'input_image', image_url: `data:image/png;base64,${PIXEL}` }],
    },
  ],
};

export const RESULT_CASES: readonly RequestCase[] = [
  {
    name: 'an image in the result of a tool',
    ask: {
      extra: {
        messages: inMessages({ type: 'tool_result', tool_use_id: ID, content: [IMAGE] }),
        responses: SHOWN_IN_RESPONSES,
      },
    },
    clients: ['messages', 'responses'],
  },
  {
    name: 'a result behind what the user says',
    ask: {
      extra: {
        messages: inMessages(
          { type: 'text', text: 'I have seen it.' },
          { type: 'tool_result', tool_use_id: ID, content: 'done' },
        ),
      },
    },
    clients: ['messages'],
  },
];
