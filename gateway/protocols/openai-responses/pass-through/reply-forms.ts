import type { UpstreamFailure } from '../../../platform/errors/upstream-failure.ts';
import {
  isOwnJsonObject,
  parseOwnObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { withoutByteOrderMark } from '../../../platform/json/utf8-text.ts';
import type { FailureFinder, ReplyForms } from '../../protocol.ts';
import { readEvents } from '../../sse/read-events.ts';
import { ENDED_EARLY, isDoneMark, withoutDoneEvent } from '../../sse/reply-form.ts';
import { FAILURE_EVENTS, LIFECYCLE_EVENTS, TERMINAL_EVENTS, typeOf } from '../wire/event-kinds.ts';
import { hasError } from './event-shape.ts';
import { EventNumbers, itemEvents } from './item-events.ts';
import { isResponse } from '../from-upstream/responses-reply.ts';

const ERROR_LETTERS_LOGGED = 200;
/** The state of a response whose stream has its end marker and no terminal event. */
const COMPLETED = { status: 'completed' };

/** A response as the events of a stream, and the way back. */
export const responseForms: ReplyForms = {
  toStream: (body) => {
    const response = parseOwnObject(withoutDoneEvent(withoutByteOrderMark(body)));
    if (response === undefined || !isResponse(response)) return undefined;
    return Buffer.from(streamOf(response));
  },
  toWhole: (stream, _choices, findFailure) => wholeOf(stream, findFailure),
};

function streamOf(response: OwnJsonObject): string {
  const numbers = new EventNumbers();
  const begun = { ...response, status: 'in_progress', output: [], usage: null };
  const items = Array.isArray(response['output']) ? response['output'].filter(isOwnJsonObject) : [];
  const status = response['status'] === 'incomplete' ? 'incomplete' : 'completed';
  return [
    numbers.event('response.created', { response: begun }),
    numbers.event('response.in_progress', { response: begun }),
    ...items.map((item, index) => itemEvents(item, index, numbers)),
    numbers.event(`response.${status}`, { response: { ...response, status } }),
  ].join('');
}

/**
 * The last event has the whole response; of servers that leave its output out, that of the events.
 */
function wholeOf(stream: Buffer, findFailure: FailureFinder): Buffer | UpstreamFailure {
  const items: OwnJsonObject[] = [];
  let text = '';
  let begun: OwnJsonObject = {};
  for (const { name, data } of readEvents(stream)) {
    const event = parseOwnObject(data);
    const type = typeOf(event ?? {}, name);
    const failed =
      FAILURE_EVENTS.has(type) ||
      (event !== undefined && (hasError(event) || findFailure(event) !== undefined));
    if (failed) {
      const detail = `error event: ${data.toString('utf8', 0, ERROR_LETTERS_LOGGED)}`;
      return { failed: 'bad_reply', detail, body: data };
    }
    if (isDoneMark(data) && (items.length > 0 || text !== '')) {
      const output = outputOf({}, items, text);
      return Buffer.from(JSON.stringify({ ...begun, object: 'response', ...COMPLETED, output }));
    }
    if (event === undefined) continue;
    const { item, delta, response } = event;
    if (LIFECYCLE_EVENTS.has(type) && isOwnJsonObject(response)) begun = response;
    if (type === 'response.output_item.done' && isOwnJsonObject(item)) items.push(item);
    if (type === 'response.output_text.delta') text += stringOf(delta);
    if (!TERMINAL_EVENTS.has(type) || !isOwnJsonObject(response)) continue;
    return Buffer.from(JSON.stringify({ ...response, output: outputOf(response, items, text) }));
  }
  return ENDED_EARLY;
}

function outputOf(
  { output }: OwnJsonObject,
  items: readonly OwnJsonObject[],
  text: string,
): readonly unknown[] {
  if (Array.isArray(output) && output.length > 0) return output;
  if (items.length > 0 || text === '') return items;
  const content = [{ type: 'output_text', text, annotations: [] }];
  return [{ type: 'message', role: 'assistant', status: 'completed', content }];
}
