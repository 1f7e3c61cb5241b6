import type { UpstreamFailure } from '../../../platform/errors/upstream-failure.ts';
import {
  isOwnJsonObject,
  parseOwnObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { withoutByteOrderMark } from '../../../platform/json/utf8-text.ts';
import { fieldOf, sentName } from '../fields.ts';
import type { FailureFinder, ReplyForms } from '../../protocol.ts';
import { readEvents } from '../../sse/read-events.ts';
import { ENDED_EARLY, withoutDoneEvent } from '../../sse/reply-form.ts';
import { candidatesOf, partsOf } from '../from-upstream/parts.ts';

const ERROR_LETTERS_LOGGED = 200;

/** A reply as a stream of one chunk, an array of replies as one of several, and the way back. */
export const geminiForms: ReplyForms = {
  toStream: (body) => {
    const chunks = listIn(withoutDoneEvent(withoutByteOrderMark(body)));
    if (chunks === undefined) return undefined;
    const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
    return Buffer.from(events.join(''));
  },
  toWhole: (stream, _choices, findFailure) => joinChunks(chunksIn(stream), findFailure),
};

/**
 * The replies that JSON has: one, or an array of them, which is what Google sends without
 * `alt=sse`.
 */
function listIn(body: Buffer): readonly OwnJsonObject[] | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    const chunks = list.filter(isOwnJsonObject);
    return chunks.length > 0 && chunks.length === list.length ? chunks : undefined;
  } catch {
    return undefined;
  }
}

function chunksIn(stream: Buffer): readonly OwnJsonObject[] {
  const list = listIn(withoutDoneEvent(withoutByteOrderMark(stream)));
  if (list !== undefined) return list;
  return readEvents(stream)
    .map(({ data }) => parseOwnObject(data))
    .filter((chunk) => chunk !== undefined);
}

function joinChunks(
  chunks: readonly OwnJsonObject[],
  findFailure: FailureFinder,
): Buffer | UpstreamFailure {
  const reply: OwnJsonObject = {};
  const candidates = new Map<unknown, OwnJsonObject>();
  for (const chunk of chunks) {
    const found = candidatesOf(chunk);
    const failed = chunk['error'] ?? (found.length === 0 ? findFailure(chunk) : undefined);
    if (failed !== undefined) {
      const body = Buffer.from(JSON.stringify(chunk));
      const detail = `error event: ${body.toString('utf8', 0, ERROR_LETTERS_LOGGED)}`;
      return { failed: 'bad_reply', detail, body };
    }
    Object.assign(reply, chunk);
    found.forEach((candidate, position) => {
      const index = candidate['index'] ?? position;
      candidates.set(index, joinCandidate(candidates.get(index), candidate));
    });
  }
  const whole = [...candidates.values()];
  if (whole.length === 0 || !whole.every(hasEnded)) return ENDED_EARLY;
  return Buffer.from(JSON.stringify({ ...reply, candidates: whole }));
}

function hasEnded(candidate: OwnJsonObject): boolean {
  return stringOf(fieldOf(candidate, 'finishReason')) !== '';
}

function joinCandidate(known: OwnJsonObject | undefined, later: OwnJsonObject): OwnJsonObject {
  if (known === undefined) return later;
  const parts = [...partsOf(known)];
  for (const part of partsOf(later)) addPart(parts, part);
  return { ...known, ...later, content: { role: 'model', parts } };
}

/** Pieces of one text are one part; what is signed stays apart. */
function addPart(parts: OwnJsonObject[], part: OwnJsonObject): void {
  const last = parts.at(-1);
  if (last === undefined || !isPlainText(last) || !isPlainText(part)) parts.push(part);
  else if ((last['thought'] === true) !== (part['thought'] === true)) parts.push(part);
  else parts[parts.length - 1] = { ...last, text: stringOf(last['text']) + stringOf(part['text']) };
}

function isPlainText(part: OwnJsonObject): boolean {
  return typeof part['text'] === 'string' && sentName(part, 'thoughtSignature') === undefined;
}
