import { isOwnJsonObject, type OwnJsonObject } from '../../../platform/json/json-value.ts';
import { scanMembers } from '../../../platform/json/scan-members.ts';
import type { Shapes } from '../../fields/shape.ts';
import type { SseParser } from '../../sse/sse-parser.ts';
import type { FailureFinder } from '../../protocol.ts';
import {
  DONE_EVENT,
  FAILURE_EVENTS,
  LIFECYCLE_EVENTS,
  TERMINAL_EVENTS,
  TEXT_DELTAS,
} from '../wire/event-kinds.ts';

const LF = 0x0a;
const NAME_AND_DATA_BYTES = 'event: \ndata: \n\n'.length;

/** Reports whether an event has nothing that Weir must know. */
export function isRepetition(name: string): boolean {
  if (name.endsWith('.done')) return name !== 'response.output_item.done' && name !== DONE_EVENT;
  return name.endsWith('_part.added');
}

/** Levels of an event that is not parsed. */
const DEPTH_MAX = 64;

/** Reports whether an event, which is JSON, has no other members than these. */
export function hasOnly(data: Buffer, known: Shapes): boolean {
  const { offsets, count, tooDeep } = scanMembers(data, DEPTH_MAX);
  if (tooDeep) return false;
  for (let member = 0; member < count; member += 1) {
    if (!known.has(data.toString('latin1', offsets[member * 4], offsets[member * 4 + 1]))) {
      return false;
    }
  }
  return true;
}

export function isFailure(type: string, event: OwnJsonObject, findFailure: FailureFinder): boolean {
  if (FAILURE_EVENTS.has(type)) return true;
  if (TERMINAL_EVENTS.has(type) || LIFECYCLE_EVENTS.has(type)) return false;
  if (TEXT_DELTAS.has(type) && typeof event['delta'] === 'string') return false;
  return findFailure(event) !== undefined || hasError(event);
}

export function hasError({ type, error }: OwnJsonObject): boolean {
  return type === undefined && error !== undefined && error !== null;
}

/** Reports whether a block is its event's name and one line of data, and nothing else. */
export function isCanonical(
  { bytes, blockStart, blockEnd, data, eventName }: SseParser,
  type: string,
) {
  return (
    eventName === type &&
    blockEnd - blockStart === NAME_AND_DATA_BYTES + type.length + data.length &&
    bytes[blockEnd - 1] === LF &&
    bytes[blockEnd - 2] === LF &&
    !data.includes(LF)
  );
}

/** A copy of an event's data, under the type that clients know. */
export function namedData(type: string, event: OwnJsonObject, data: Buffer): Buffer {
  return event['type'] === DONE_EVENT
    ? Buffer.from(JSON.stringify({ ...event, type }))
    : Buffer.from(data);
}

/** The number of an event is within its first bytes. */
const HEAD_BYTES = 160;

/** Returns the number of an event; undefined when it has none. */
export function numberOf(data: Buffer): number | undefined {
  const number = /"sequence_number": ?(\d+)/.exec(data.toString('latin1', 0, HEAD_BYTES));
  return number === null ? undefined : Number(number[1]);
}

const ERROR_LETTERS_LOGGED = 200;

/** Returns the message of an error event, for the log. */
export function errorText(event: OwnJsonObject): string {
  const { response } = event;
  const error = (isOwnJsonObject(response) ? response['error'] : event['error']) ?? event;
  const message = JSON.stringify(isOwnJsonObject(error) ? (error['message'] ?? error) : error);
  return `error event: ${message.slice(0, ERROR_LETTERS_LOGGED)}`;
}
