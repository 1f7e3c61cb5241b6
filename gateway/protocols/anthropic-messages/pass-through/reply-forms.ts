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
import { ENDED_EARLY, withoutDoneEvent } from '../../sse/reply-form.ts';
import { streamError } from '../from-upstream/stream-error.ts';
import { namedEvent } from '../wire/beginning.ts';
import { MessageJoiner } from './message-joiner.ts';

/** A message as the events of a stream, and the way back. */
export const messageForms: ReplyForms = {
  toStream: (body) => {
    const reply = parseOwnObject(withoutDoneEvent(withoutByteOrderMark(body)));
    if (reply === undefined || reply['type'] === 'error') return undefined;
    return Array.isArray(reply['content']) ? Buffer.from(streamOf(reply)) : undefined;
  },
  toWhole: (stream, _choices, findFailure) => joinEvents(stream, findFailure),
};

function joinEvents(stream: Buffer, findFailure: FailureFinder): Buffer | UpstreamFailure {
  const joiner = new MessageJoiner();
  for (const { name, data } of readEvents(stream)) {
    const event = parseOwnObject(data);
    const type = stringOf(event?.['type']) || name;
    const detail = streamError(event, { type, data, findFailure });
    if (detail !== undefined) return { failed: 'bad_reply', detail, body: data };
    if (event !== undefined) joiner.add(type, event);
  }
  const message = joiner.message();
  return message === undefined ? ENDED_EARLY : Buffer.from(JSON.stringify(message));
}

function streamOf(reply: OwnJsonObject): string {
  const { content, stop_reason: reason, stop_sequence: sequence, usage, ...frame } = reply;
  const started = { ...frame, content: [], stop_reason: null, stop_sequence: null };
  const counts = isOwnJsonObject(usage) ? { usage: { ...usage, output_tokens: 0 } } : {};
  const blocks = Array.isArray(content) ? content.filter(isOwnJsonObject) : [];
  const delta = { stop_reason: reason ?? 'end_turn', stop_sequence: sequence ?? null };
  return (
    event('message_start', { message: { ...started, ...counts } }) +
    blocks.map(blockEvents).join('') +
    event('message_delta', { delta, ...(isOwnJsonObject(usage) ? { usage } : {}) }) +
    event('message_stop', {})
  );
}

/**
 * Text, thinking and input come in deltas, as clients expect; other blocks are whole from the
 * start.
 */
function blockEvents(block: OwnJsonObject, index: number): string {
  const { begun, deltas } = split(block);
  const pieces = deltas.map((delta) => event('content_block_delta', { index, delta }));
  return (
    event('content_block_start', { index, content_block: begun }) +
    pieces.join('') +
    event('content_block_stop', { index })
  );
}

interface SplitBlock {
  readonly begun: OwnJsonObject;
  readonly deltas: readonly OwnJsonObject[];
}

function split(block: OwnJsonObject): SplitBlock {
  switch (block['type']) {
    case 'text': {
      const text = stringOf(block['text']);
      const deltas = text === '' ? [] : [{ type: 'text_delta', text }];
      return { begun: { ...block, text: '' }, deltas };
    }
    case 'thinking': {
      const { thinking, signature } = block;
      const deltas: OwnJsonObject[] = [];
      if (stringOf(thinking) !== '') deltas.push({ type: 'thinking_delta', thinking });
      if (stringOf(signature) !== '') deltas.push({ type: 'signature_delta', signature });
      return { begun: { ...block, thinking: '', signature: '' }, deltas };
    }
    case 'tool_use':
    case 'server_tool_use': {
      const json = JSON.stringify(block['input'] ?? {});
      const deltas = [{ type: 'input_json_delta', partial_json: json }];
      return { begun: { ...block, input: {} }, deltas };
    }
    default:
      return { begun: block, deltas: [] };
  }
}

function event(type: string, fields: OwnJsonObject): string {
  return namedEvent(type, JSON.stringify({ type, ...fields }));
}
