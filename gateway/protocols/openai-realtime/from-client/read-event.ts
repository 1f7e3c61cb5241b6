import { isRefusal, refuse, type Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import { findMember, scanMembers, type MemberSpans } from '../../../platform/json/scan-members.ts';
import { invalidValue, missing, wrongType } from '../../fields/field-faults.ts';

/** The events that a client may send: an upstream could charge for what others ask for. */
const CLIENT_EVENTS = [
  'session.update',
  'input_audio_buffer.append',
  'input_audio_buffer.clear',
  'input_audio_buffer.commit',
  'output_audio_buffer.clear',
  'conversation.item.create',
  'conversation.item.delete',
  'conversation.item.retrieve',
  'conversation.item.truncate',
  'response.create',
  'response.cancel',
] as const;
export type ClientEventType = (typeof CLIENT_EVENTS)[number];

export interface ReadEvent {
  readonly type: ClientEventType;
  /** Without the content of a long `audio`, which is '' here. */
  readonly event: JsonObject;
  /** Characters of `audio`; null where the event has none, or it is no text. */
  readonly audioCharacters: number | null;
  /** The client's own id of the event; null where it has none. */
  readonly eventId: string | null;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Shorter sound is parsed with the event: to find its end would cost as much. */
const SKIPPED_BYTES_MIN = 256;

const NOT_JSON = refuse('invalid_json', 'The event is not a JSON object. Send one a text frame.');

/** Reads a client's event. One that an upstream could read in another way is refused. */
export function readEvent(frame: Buffer, jsonDepthMax: number): ReadEvent | Refusal {
  const parsed = parse(frame, jsonDepthMax);
  if (isRefusal(parsed)) return parsed;
  const { event } = parsed;
  const { type, event_id: eventId = null } = event;
  if (type === undefined) return missing('type', '"type" is missing. Send the type of the event.');
  if (typeof type !== 'string') return wrongType('type', 'a string', type);
  const known = CLIENT_EVENTS.find((one) => one === type);
  if (known === undefined) {
    const names = CLIENT_EVENTS.map((one) => `'${one}'`).join(', ');
    return invalidValue(
      'type',
      `Invalid value: '${type.slice(0, 64)}'. Supported values are: ${names}.`,
    );
  }
  if (eventId !== null && typeof eventId !== 'string') {
    return wrongType('event_id', 'a string', eventId);
  }
  return { type: known, ...parsed, eventId };
}

/** Returns the id of a frame that was refused, for the error that answers it. */
export function eventIdOf(frame: Buffer): string | null {
  try {
    const event: unknown = JSON.parse(frame.toString('utf8'));
    const id = isJsonObject(event) ? event['event_id'] : null;
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}

function parse(
  frame: Buffer,
  jsonDepthMax: number,
): Pick<ReadEvent, 'event' | 'audioCharacters'> | Refusal {
  const members = scanMembers(frame, jsonDepthMax);
  if (members.tooDeep) {
    return refuse('invalid_json', `The event is nested deeper than ${jsonDepthMax} levels.`);
  }
  const sound = findSound(frame, members);
  let event: unknown;
  try {
    event = JSON.parse(
      sound === undefined
        ? frame.toString('utf8')
        : frame.toString('utf8', 0, sound.start) + frame.toString('utf8', sound.end),
    );
  } catch {
    return NOT_JSON;
  }
  if (!isJsonObject(event)) return NOT_JSON;
  const { audio } = event;
  const skipped = sound === undefined ? 0 : sound.end - sound.start;
  const audioCharacters = typeof audio === 'string' ? audio.length + skipped : null;
  // Of two members with one name an upstream may read the other one.
  if (members.count === Object.keys(event).length) return { event, audioCharacters };
  return refuse('invalid_json', 'The event has two fields of the same name. Send each field once.');
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds sound that need not be parsed: the text between the quotes of `audio`, if it has nothing
 * that JSON could read in another way. Clients send tens of such events a second, and of each
 * only the length is of interest.
 */
function findSound(frame: Buffer, members: MemberSpans): Span | undefined {
  const member = findMember(frame, members, 'audio');
  if (member === -1) return undefined;
  const valueEnd = members.offsets[member * 4 + 3] ?? 0;
  const start = frame.indexOf(QUOTE, members.offsets[member * 4 + 2] ?? 0) + 1;
  if (start === 0 || valueEnd - start < SKIPPED_BYTES_MIN) return undefined;
  const end = frame.indexOf(QUOTE, start);
  const escaped = frame.indexOf(BACKSLASH, start);
  const isPlain = end !== -1 && end < valueEnd && (escaped === -1 || escaped > end);
  return isPlain ? { start, end } : undefined;
}
