import { isJsonObject, parseOwnObject, stringOf } from '../json/json-value.ts';
import type { Frame } from './frame.ts';

/** The name of the events that frames of exceptions become, and the member with their type. */
const EXCEPTION_EVENT = 'exception';
const TYPE_MEMBER = '__type';

/** Events that are inside others: `{"bytes": <base64 of the event>, "p": <padding>}`. */
const WRAPPED_EVENT = 'chunk';
const WRAPPED_START = '{"bytes":"';
const QUOTE = 0x22;

const TYPE_START = '{"type":"';
/** No event has a longer name. */
const NAME_BYTES_MAX = 64;
const NAME = /^[\w.-]+$/;
const LINE_END = /[\r\n]/g;

/**
 * Returns a frame as a server-sent event, named by its type. An exception, and an error that the
 * service has no model of, become `event: exception` with the type in `__type`. Of an event inside
 * another the inner one is returned.
 */
export function frameToSse(frame: Frame): Buffer {
  const { messageType, name, payload } = frame;
  if (messageType === 'exception' || messageType === 'error') {
    const details = parseOwnObject(payload) ?? { message: frame.errorMessage };
    return eventOf(
      EXCEPTION_EVENT,
      Buffer.from(JSON.stringify({ ...details, [TYPE_MEMBER]: name })),
    );
  }
  const inner = name === WRAPPED_EVENT ? unwrapped(payload) : undefined;
  return inner === undefined ? eventOf(name, payload) : eventOf(typeOf(inner), inner);
}

function unwrapped(payload: Buffer): Buffer | undefined {
  const start = WRAPPED_START.length;
  if (payload.latin1Slice(0, start) === WRAPPED_START) {
    const end = payload.indexOf(QUOTE, start);
    if (end !== -1) return Buffer.from(payload.latin1Slice(start, end), 'base64');
  }
  const text = parseOwnObject(payload)?.['bytes'];
  return typeof text === 'string' ? Buffer.from(text, 'base64') : undefined;
}

/** The type of an event, which nearly always is its first member. */
function typeOf(event: Buffer): string {
  const start = TYPE_START.length;
  if (event.latin1Slice(0, start) === TYPE_START) {
    const end = event.indexOf(QUOTE, start);
    if (end !== -1 && end - start <= NAME_BYTES_MAX) return event.latin1Slice(start, end);
  }
  const parsed = parseOwnObject(event);
  return isJsonObject(parsed) ? stringOf(parsed['type']) : '';
}

function eventOf(name: string, data: Buffer): Buffer {
  const head = NAME.test(name) ? `event: ${name}\ndata: ` : 'data: ';
  const line = hasLineEnd(data) ? oneLine(data) : data;
  const event = Buffer.allocUnsafe(head.length + line.length + 2);
  event.latin1Write(head, 0);
  line.copy(event, head.length);
  event.latin1Write('\n\n', head.length + line.length);
  return event;
}

function hasLineEnd(data: Buffer): boolean {
  return data.includes(0x0a) || data.includes(0x0d);
}

/** Strings of JSON have no line ends in them, so that spaces mean the same. */
function oneLine(data: Buffer): Buffer {
  return Buffer.from(data.toString('utf8').replace(LINE_END, ' '));
}
