import { encodeHeaders, FrameWriter } from '../../gateway/platform/event-stream/frame-writer.ts';
import { EVENT_STREAM_TYPE } from '../../gateway/platform/event-stream/frame.ts';
import { MESSAGES_STREAM } from './messages-bytes.ts';
import type { StreamBytes } from './stream-bytes.ts';

const HEADERS = encodeHeaders({
  ':event-type': 'chunk',
  ':content-type': 'application/json',
  ':message-type': 'event',
});
/** AWS pads events, so that their lengths say nothing. */
const PADDING = 'abcdefghijklmnopqrstuvwxyz';
const FRAME_BYTES = 1_024;

/** One frame for each event, with the event in it as base64. */
function framed(events: Buffer): Buffer {
  const found = [...events.toString('utf8').matchAll(/^data: (.*)$/gm)];
  const writer = new FrameWriter(found.length * FRAME_BYTES);
  for (const [, data = ''] of found) {
    writer.begin(HEADERS);
    writer.ascii(JSON.stringify({ bytes: Buffer.from(data).toString('base64'), p: PADDING }));
    writer.end();
  }
  return writer.bytes;
}

/** The stream of Messages as Bedrock's InvokeModel sends it. */
export const BEDROCK_STREAM: StreamBytes = {
  contentType: EVENT_STREAM_TYPE,
  beginning: framed(MESSAGES_STREAM.beginning),
  content: framed(MESSAGES_STREAM.content),
  end: framed(MESSAGES_STREAM.end),
};
