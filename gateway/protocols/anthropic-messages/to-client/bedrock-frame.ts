/**
 * Streams of Amazon Bedrock: each event of Messages is a binary frame of the type `chunk`, with
 * the event's JSON in base64; an error is an exception.
 */
import { encodeHeaders, FrameWriter } from '../../../platform/event-stream/frame-writer.ts';
import { isOwnJsonObject, parseOwnObject, stringOf } from '../../../platform/json/json-value.ts';
import { asBuffer } from '../../sse/as-buffer.ts';
import { readEvents } from '../../sse/read-events.ts';
import { exceptionOf } from './bedrock-errors.ts';

const CHUNK_HEADERS = encodeHeaders({
  ':event-type': 'chunk',
  ':content-type': 'application/json',
  ':message-type': 'event',
});
const PAYLOAD_START = '{"bytes":"';
const PAYLOAD_END = '"}';

const LF = 0x0a;
const EVENT_PREFIX = Buffer.from('event: ');
const DATA_PREFIX = Buffer.from('data: ');
const ERROR_EVENT = Buffer.from('event: error\n');

/** Returns whole server-sent events of Messages as Bedrock sends them. */
export function frameForBedrock(events: string | Uint8Array): Uint8Array {
  const bytes = asBuffer(events);
  // Base64 grows by a third, and a frame has about a hundred bytes more.
  const writer = new FrameWriter(2 * bytes.length + CHUNK_HEADERS.length);
  let position = 0;
  while (position < bytes.length) {
    const end = addPlainEvent(writer, bytes, position);
    if (end === -1) break;
    position = end;
  }
  if (position < bytes.length) addEvents(writer, bytes.subarray(position));
  return writer.bytes;
}

/**
 * Adds the event at a position if it is "event: " + name + "\ndata: " + JSON + "\n\n", as almost
 * all are.
 * @returns the offset behind it; -1 if it has another form, or is an error
 */
function addPlainEvent(writer: FrameWriter, bytes: Buffer, start: number): number {
  if (!hasAt(bytes, start, EVENT_PREFIX) || hasAt(bytes, start, ERROR_EVENT)) return -1;
  const dataLine = bytes.indexOf(LF, start) + 1;
  if (dataLine === 0 || !hasAt(bytes, dataLine, DATA_PREFIX)) return -1;
  const dataStart = dataLine + DATA_PREFIX.length;
  const dataEnd = bytes.indexOf(LF, dataStart);
  if (dataEnd === -1 || bytes[dataEnd + 1] !== LF) return -1;
  addChunk(writer, bytes.toString('base64', dataStart, dataEnd));
  return dataEnd + 2;
}

function hasAt(bytes: Buffer, start: number, expected: Buffer): boolean {
  for (let index = 0; index < expected.length; index += 1) {
    if (bytes[start + index] !== expected[index]) return false;
  }
  return true;
}

function addEvents(writer: FrameWriter, events: Buffer): void {
  for (const { name, data } of readEvents(events)) {
    if (name === 'error') addException(writer, data);
    else addChunk(writer, data.toString('base64'));
  }
}

function addChunk(writer: FrameWriter, base64: string): void {
  writer.begin(CHUNK_HEADERS);
  writer.ascii(PAYLOAD_START);
  writer.ascii(base64);
  writer.ascii(PAYLOAD_END);
  writer.end();
}

function addException(writer: FrameWriter, data: Buffer): void {
  const error = parseOwnObject(data)?.['error'];
  const { type, message } = isOwnJsonObject(error) ? error : {};
  const headers = encodeHeaders({
    ':exception-type': exceptionOf(stringOf(type)),
    ':content-type': 'application/json',
    ':message-type': 'exception',
  });
  writer.begin(headers);
  writer.text(JSON.stringify({ message: stringOf(message) }));
  writer.end();
}
