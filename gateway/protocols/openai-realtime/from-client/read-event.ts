import { isRefusal, refuse, type Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import { scanMembers } from '../../../platform/json/scan-members.ts';
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
  readonly event: JsonObject;
  /** The client's own id of the event; null where it has none. */
  readonly eventId: string | null;
}

const NOT_JSON = refuse('invalid_json', 'The event is not a JSON object. Send one a text frame.');

/** Reads a client's event. One that an upstream could read in another way is refused. */
export function readEvent(frame: Buffer, jsonDepthMax: number): ReadEvent | Refusal {
  const event = parse(frame, jsonDepthMax);
  if (isRefusal(event)) return event;
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
  return { type: known, event, eventId };
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

function parse(frame: Buffer, jsonDepthMax: number): JsonObject | Refusal {
  const members = scanMembers(frame, jsonDepthMax);
  if (members.tooDeep) {
    return refuse('invalid_json', `The event is nested deeper than ${jsonDepthMax} levels.`);
  }
  let event: unknown;
  try {
    event = JSON.parse(frame.toString('utf8'));
  } catch {
    return NOT_JSON;
  }
  if (!isJsonObject(event)) return NOT_JSON;
  // Of two members with one name an upstream may read the other one.
  if (members.count === Object.keys(event).length) return event;
  return refuse('invalid_json', 'The event has two fields of the same name. Send each field once.');
}
