import { parseOwnObject, stringOf } from '../json/json-value.ts';
import type { Frame } from './frame.ts';

/** The name of the events that frames of exceptions become, and the member with their type. */
export const EXCEPTION_EVENT = 'exception';
export const EXCEPTION_TYPE_MEMBER = '__type';

/** Events that are inside others: `{"bytes": <base64 of the event>, "p": <padding>}`. */
const WRAPPED_EVENT = 'chunk';
const WRAPPED_START = Buffer.from('{"bytes":"');
const TYPE_START = Buffer.from('{"type":"');

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;
const LINE_END = /[\r\n]/g;
/** No event has a longer name. */
const NAME_BYTES_MAX = 64;
const NAME = /^[\w.-]{1,64}$/;

/**
 * Returns a frame as a server-sent event, named by its type. An exception, and an error that the
 * service has no model of, become `event: exception` with the type in `__type`. Of an event inside
 * another the inner one is returned.
 */
export function frameToSse({ messageType, name, errorMessage, payload }: Frame): Buffer {
  if (messageType === 'exception' || messageType === 'error') {
    const details = parseOwnObject(payload) ?? { message: errorMessage };
    const exception = { ...details, [EXCEPTION_TYPE_MEMBER]: name };
    return eventOf(EXCEPTION_EVENT, Buffer.from(JSON.stringify(exception)));
  }
  const inner = name === WRAPPED_EVENT ? unwrapped(payload) : undefined;
  return inner === undefined ? eventOf(name, payload) : eventOf(typeOf(inner), inner);
}

function unwrapped(payload: Buffer): Buffer | undefined {
  const text = valueAt(payload, WRAPPED_START, payload.length);
  const encoded = text ?? parseOwnObject(payload)?.['bytes'];
  return typeof encoded === 'string' ? Buffer.from(encoded, 'base64') : undefined;
}

/** The type of an event, which nearly always is its first member. */
function typeOf(event: Buffer): string {
  return valueAt(event, TYPE_START, NAME_BYTES_MAX) ?? stringOf(parseOwnObject(event)?.['type']);
}

/**
 * Returns the string without escape sequences with which a document goes on behind `start`;
 * undefined when it begins otherwise. Most events need no other reading.
 */
function valueAt(bytes: Buffer, start: Buffer, bytesMax: number): string | undefined {
  for (let at = 0; at < start.length; at += 1) if (bytes[at] !== start[at]) return undefined;
  const end = bytes.indexOf(QUOTE, start.length);
  if (end === -1 || end - start.length > bytesMax) return undefined;
  return bytes.toString('latin1', start.length, end);
}

/** The first lines of events, by their names: a stream has a handful. */
const heads = new Map<string, Buffer>();
const HEADS_MAX = 256;

function headOf(name: string): Buffer {
  let head = heads.get(name);
  if (head === undefined) {
    if (heads.size >= HEADS_MAX) heads.clear();
    head = Buffer.from(NAME.test(name) ? `event: ${name}\ndata: ` : 'data: ');
    heads.set(name, head);
  }
  return head;
}

function eventOf(name: string, data: Buffer): Buffer {
  const head = headOf(name);
  const line = data.includes(LF) || data.includes(CR) ? oneLine(data) : data;
  const end = head.length + line.length;
  const event = Buffer.allocUnsafe(end + 2);
  head.copy(event);
  line.copy(event, head.length);
  event[end] = LF;
  event[end + 1] = LF;
  return event;
}

/** Strings of JSON have no line ends in them, so that spaces mean the same. */
function oneLine(data: Buffer): Buffer {
  return Buffer.from(data.toString('utf8').replace(LINE_END, ' '));
}
