import type { StreamBytes } from './stream-bytes.ts';

const event = (type: string, fields: string): string =>
  `event: ${type}\ndata: {"type":"${type}"${fields}}\n\n`;

const START =
  event(
    'message_start',
    ',"message":{"model":"short","id":"msg_01XFDUDYJgAACzvnptvVoYEL","type":"message",' +
      '"role":"assistant","content":[],"stop_reason":null,"stop_sequence":null,"usage":' +
      '{"input_tokens":17,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,' +
      '"output_tokens":1,"service_tier":"standard"}}',
  ) + event('content_block_start', ',"index":0,"content_block":{"type":"text","text":""}');
const CONTENT = event(
  'content_block_delta',
  ',"index":0,"delta":{"type":"text_delta","text":" water"}',
);

/** A stream of Anthropic's Messages. */
export const MESSAGES_STREAM: StreamBytes = {
  beginning: Buffer.from(START + CONTENT),
  content: Buffer.from(CONTENT),
  end: Buffer.from(
    event('content_block_stop', ',"index":0') +
      event(
        'message_delta',
        ',"delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":50}',
      ) +
      event('message_stop', ''),
  ),
};
