import { parseOwnObject } from '../../../platform/json/json-value.ts';
import type { ReplyForms } from '../../protocol.ts';
import { readEvents } from '../../sse/read-events.ts';
import { ENDED_EARLY } from '../../sse/reply-form.ts';

/** Embeddings are not streamed; some servers send the reply as an event anyway. */
export const embeddingForms: ReplyForms = {
  toStream: () => undefined,
  toWhole: (stream) => {
    const replies = readEvents(stream).filter(({ data }) => parseOwnObject(data) !== undefined);
    return replies.at(-1)?.data ?? ENDED_EARLY;
  },
};
