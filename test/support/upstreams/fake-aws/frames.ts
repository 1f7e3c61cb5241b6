/** Frames as Amazon Bedrock sends them, by the codec of the AWS SDK. */
import { EventStreamCodec } from '@smithy/eventstream-codec';

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString('utf8'),
  (text) => Buffer.from(text),
);

type Payload = object | Buffer;

function frame(headers: Readonly<Record<string, string>>, payload: Payload): Buffer {
  const all = { ...headers, ':content-type': 'application/json' };
  const body = Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload));
  return Buffer.from(
    codec.encode({
      headers: Object.fromEntries(
        Object.entries(all).map(([name, value]) => [name, { type: 'string' as const, value }]),
      ),
      body,
    }),
  );
}

export function eventFrame(type: string, payload: Payload): Buffer {
  return frame({ ':message-type': 'event', ':event-type': type }, payload);
}

/** @param type in camel case, such as `throttlingException` */
export function exceptionFrame(type: string, message: string): Buffer {
  return frame({ ':message-type': 'exception', ':exception-type': type }, { message });
}

const PADDING = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** An event of Messages as InvokeModelWithResponseStream sends it, padded as AWS pads it. */
export function wrappedEvent(event: object): Buffer {
  const json = JSON.stringify(event);
  const bytes = Buffer.from(json).toString('base64');
  return eventFrame('chunk', { bytes, p: PADDING.slice(0, json.length % PADDING.length) });
}
