import { expect, it } from 'vitest';
import { ResponsesStream } from '../../../../gateway/protocols/openai-responses/pass-through/responses-stream.ts';
import { parseEvents, responsesEvent } from '../../../support/clients/responses-events.ts';

const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', content: [] };
const CALL = { id: 'fc_1', type: 'function_call', call_id: 'c', name: 'f', arguments: '' };
const DONE = { ...MESSAGE, content: [{ type: 'output_text', text: 'Hi' }] };
const TEXT = { item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'Hi' };
const OF_CALL = { item_id: 'fc_1', output_index: 1 };
const USAGE = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };

/** Numbers events that are given by their types, and returns what a client gets for them. */
function passed(...events: readonly (readonly [type: string, fields: object])[]) {
  const stream = new ResponsesStream({ publicModel: 'public' });
  const bytes = events.map(([type, fields], index) =>
    responsesEvent(`response.${type}`, index, fields),
  );
  const text = Buffer.from(stream.push(Buffer.from(bytes.join('')))).toString();
  return parseEvents(text + stream.endMarker(null)).slice(events.length - 1);
}

function completed(output: readonly object[]) {
  const response = { id: 'resp_1', model: 'm', status: 'completed', output, usage: USAGE };
  return ['completed', { response }] as const;
}

const BEGUN = [
  ['output_item.added', { output_index: 0, item: MESSAGE }],
  ['output_text.delta', TEXT],
] as const;
const CALLED = [
  ['output_item.added', { output_index: 1, item: CALL }],
  ['function_call_arguments.delta', { ...OF_CALL, delta: '{}' }],
  ['function_call_arguments.done', { ...OF_CALL, arguments: '{}' }],
] as const;

it('items that the upstream has not ended are ended before its last event', () => {
  const ended = [
    { id: 'msg_1', status: 'completed', content: [{ text: 'Hi' }] },
    { id: 'fc_1', status: 'completed', arguments: '{}' },
  ];
  expect(passed(...BEGUN, ...CALLED, completed([]))).toMatchObject([
    { type: 'response.output_text.done', sequence_number: 5, text: 'Hi' },
    { type: 'response.content_part.done', sequence_number: 6 },
    { type: 'response.output_item.done', sequence_number: 7, item: ended[0] },
    { type: 'response.function_call_arguments.done', sequence_number: 8 },
    { type: 'response.output_item.done', sequence_number: 9, item: ended[1] },
    { type: 'response.completed', sequence_number: 10, response: { output: ended, usage: USAGE } },
  ]);
});

it('an item is ended as the last event has it', () => {
  const item = { ...CALL, arguments: '{"a":1}', status: 'completed' };
  expect(passed(...CALLED, completed([item]))).toMatchObject([
    { type: 'response.output_item.done', sequence_number: 3, output_index: 1, item },
    { type: 'response.completed', sequence_number: 4, response: { output: [item] } },
  ]);
});

it('the last event has the items that came before it', () => {
  const done = ['output_item.done', { output_index: 0, item: DONE }] as const;
  expect(passed(...BEGUN, done, completed([]))).toMatchObject([
    { type: 'response.completed', sequence_number: 3, response: { output: [DONE] } },
  ]);
});
