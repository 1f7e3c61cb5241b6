import {
  isOwnJsonObject,
  parseOwnObject,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { withoutByteOrderMark } from '../../../platform/json/utf8-text.ts';
import { gatherChunks } from '../../openai-family/reply-forms/gather-chunks.ts';
import type { ReplyForms } from '../../protocol.ts';
import { withoutDoneEvent } from '../../sse/reply-form.ts';
import { ChatStream } from './chat-stream.ts';

/** A chat completion as a stream of one chunk, and a stream as a chat completion. */
export const chatForms: ReplyForms = {
  toStream: (body) => {
    const reply = parseOwnObject(withoutDoneEvent(withoutByteOrderMark(body)));
    if (reply === undefined || !Array.isArray(reply['choices'])) return undefined;
    const choices = (reply['choices'] as unknown[]).map(asChunkChoice);
    const chunk = { ...reply, object: 'chat.completion.chunk', choices };
    return Buffer.from(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  },
  toWhole: (stream, choices, findFailure) => {
    const fieldPolicy = 'all' as const;
    const options = { publicModel: '', includeUsage: true, choices, findFailure, fieldPolicy };
    return gatherChunks(stream, new ChatStream(options), 'chat.completion');
  },
};

function asChunkChoice(choice: unknown, position: number): unknown {
  if (!isOwnJsonObject(choice) || !isOwnJsonObject(choice['message'])) return choice;
  const { message, ...rest } = choice;
  const { tool_calls: calls } = message;
  const delta: OwnJsonObject = Array.isArray(calls)
    ? { ...message, tool_calls: calls.map(numbered) }
    : message;
  return { index: position, ...rest, delta };
}

function numbered(call: unknown, index: number): unknown {
  return isOwnJsonObject(call) ? { ...call, index } : call;
}
