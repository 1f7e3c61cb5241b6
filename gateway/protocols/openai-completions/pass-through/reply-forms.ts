import { parseOwnObject } from '../../../platform/json/json-value.ts';
import { withoutByteOrderMark } from '../../../platform/json/utf8-text.ts';
import { ChunkStream } from '../../openai-family/chunks/chunk-stream.ts';
import { gatherChunks } from '../../openai-family/reply-forms/gather-chunks.ts';
import type { ReplyForms } from '../../protocol.ts';
import { withoutDoneEvent } from '../../sse/reply-form.ts';
import { textFormat } from './text-choice.ts';

/** A whole reply as a stream of one chunk, which has the same members, and the way back. */
export const completionForms: ReplyForms = {
  toStream: (body) => {
    const reply = parseOwnObject(withoutDoneEvent(withoutByteOrderMark(body)));
    if (reply === undefined || !Array.isArray(reply['choices'])) return undefined;
    return Buffer.from(`data: ${JSON.stringify(reply)}\n\ndata: [DONE]\n\n`);
  },
  toWhole: (stream, choices, findFailure) => {
    const fieldPolicy = 'all' as const;
    const options = { publicModel: '', includeUsage: true, choices, findFailure, fieldPolicy };
    const reader = new ChunkStream(
      options,
      textFormat(() => ''),
    );
    return gatherChunks(stream, reader, 'text_completion');
  },
};
