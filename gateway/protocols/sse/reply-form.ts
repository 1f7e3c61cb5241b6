import type { UpstreamFailure } from '../../platform/errors/upstream-failure.ts';

/** The form of a reply by its first bytes: content types are often wrong. */
export type ReplyForm = 'object' | 'array' | 'page' | 'other';

const FORMS: ReadonlyMap<number, ReplyForm> = new Map<number, ReplyForm>([
  ['{'.charCodeAt(0), 'object'],
  ['['.charCodeAt(0), 'array'],
  ['<'.charCodeAt(0), 'page'],
]);
const SPACE = 0x20;
/** The bytes of a byte order mark begin no text in ASCII. */
const BYTE_ORDER_MARK: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf]);

/** Returns the form of a reply; undefined while nothing but white space has come. */
export function formOf(bytes: Buffer): ReplyForm | undefined {
  for (const byte of bytes) {
    if (byte > SPACE && !BYTE_ORDER_MARK.has(byte)) return FORMS.get(byte) ?? 'other';
  }
  return undefined;
}

const TAIL_BYTES = 128;
const DONE_EVENT = /\s*(?:data:\s*\[DONE\]\s*)+$/;

/** A reply without the end marker of a stream, which some servers put behind JSON. */
export function withoutDoneEvent(body: Buffer): Buffer {
  const tail = body.subarray(-TAIL_BYTES).toString('latin1');
  const found = DONE_EVENT.exec(tail);
  if (found === null) return body;
  return body.subarray(0, body.length - (tail.length - found.index));
}

/** The failure of a stream that ended before its reply did. */
export const ENDED_EARLY: UpstreamFailure = {
  failed: 'connection_broke',
  detail: 'the stream ended before the reply did',
};

/** OpenAI's end marker of a stream, which servers of other protocols send as well. */
export const DONE_MARK = '[DONE]';

/** Reports whether an event's data is the end marker of a stream. */
export function isDoneMark(data: Buffer): boolean {
  return data.length < TAIL_BYTES && data.toString('latin1').trim() === DONE_MARK;
}
