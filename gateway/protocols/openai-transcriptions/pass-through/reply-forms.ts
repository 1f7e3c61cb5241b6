import { parseOwnObject } from '../../../platform/json/json-value.ts';
import type { ReplyForms } from '../../protocol.ts';
import { readEvents } from '../../sse/read-events.ts';
import { ENDED_EARLY } from '../../sse/reply-form.ts';
import { DELTA, DONE } from './transcript-stream.ts';

/** Whisper answers with a whole transcript where a stream is asked for. */
export const transcriptForms: ReplyForms = {
  toStream: (body) => {
    const { text, usage, duration } = parseOwnObject(body) ?? {};
    if (typeof text !== 'string') return undefined;
    const events = [
      { type: DELTA, delta: text },
      { type: DONE, text, usage, duration },
    ];
    return Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  },
  toWhole: (stream) => {
    const last = readEvents(stream)
      .map(({ data }) => parseOwnObject(data))
      .findLast((event) => event?.['type'] === DONE);
    return last === undefined ? ENDED_EARLY : Buffer.from(JSON.stringify(last));
  },
};
