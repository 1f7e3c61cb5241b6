import { EventStreamCodec } from '@smithy/eventstream-codec';
import { expect } from 'vitest';
import type { MessagesEvent } from '../clients/messages-wire.ts';

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString('utf8'),
  (text) => Buffer.from(text),
);

/** A message of AWS' binary event stream. */
export interface StreamMessage {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly payload: Buffer;
}

/** Reads messages with AWS' own library, which checks lengths and both checksums. */
export function readStreamMessages(bytes: Buffer): StreamMessage[] {
  const read: StreamMessage[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = start + bytes.readUInt32BE(start);
    const { headers, body } = codec.decode(bytes.subarray(start, end));
    const values = Object.entries(headers).map(([name, { value }]) => [name, value] as const);
    read.push({ headers: Object.fromEntries(values), payload: Buffer.from(body) });
    start = end;
  }
  return read;
}

export interface BedrockStream {
  /** The same as events of Messages. */
  readonly events: readonly MessagesEvent[];
  /** Behind the last event. */
  readonly exception: { readonly type: unknown; readonly message: string } | null;
}

/** Reads a stream of Amazon Bedrock; fails on anything that its clients do not know. */
export function readBedrockStream(bytes: Buffer): BedrockStream {
  const events: MessagesEvent[] = [];
  let exception: BedrockStream['exception'] = null;
  for (const { headers, payload } of readStreamMessages(bytes)) {
    expect(exception, 'nothing behind an exception').toBeNull();
    const body = JSON.parse(payload.toString('utf8')) as Record<string, string>;
    if (headers[':message-type'] === 'exception') {
      exception = { type: headers[':exception-type'], message: body['message'] ?? '' };
      continue;
    }
    expect(headers).toEqual({
      ':event-type': 'chunk',
      ':content-type': 'application/json',
      ':message-type': 'event',
    });
    const json = Buffer.from(body['bytes'] ?? '', 'base64').toString('utf8');
    const data = JSON.parse(json) as Record<string, unknown>;
    events.push({ name: String(data['type']), data });
  }
  return { events, exception };
}
