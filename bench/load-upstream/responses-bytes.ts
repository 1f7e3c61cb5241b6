import type { StreamBytes } from './stream-bytes.ts';

const event = (type: string, fields: string): string =>
  `event: ${type}\ndata: {"type":"${type}",${fields}}\n\n`;

const RESPONSE =
  '"id":"resp_67c9fdcecf488190bdd9a0409de3a1ec","object":"response","created_at":1760000000,' +
  '"model":"short","error":null,"incomplete_details":null,"instructions":null,"metadata":{},' +
  '"parallel_tool_calls":true,"temperature":1.0,"tool_choice":"auto","tools":[],"top_p":1.0';
const ITEM_ID = 'msg_67c9fdcf37fc8190ba82116e33fb28c5';
const PLACE = `"item_id":"${ITEM_ID}","output_index":0,"content_index":0`;
const PART = (text: string): string =>
  `{"type":"output_text","text":"${text}","annotations":[],"logprobs":[]}`;
const ITEM = (status: string, content: string): string =>
  `{"id":"${ITEM_ID}","type":"message","status":"${status}","role":"assistant","content":[${content}]}`;
const USAGE =
  '{"input_tokens":17,"input_tokens_details":{"cached_tokens":0},"output_tokens":50,' +
  '"output_tokens_details":{"reasoning_tokens":0},"total_tokens":67}';

const CONTENT = event(
  'response.output_text.delta',
  `${PLACE},"delta":" water","logprobs":[],"sequence_number":4`,
);
/** The text that the closing events repeat; its length says nothing about a chunk. */
const TEXT = ' water';

const created = (type: string, number: number): string =>
  event(
    type,
    `"response":{${RESPONSE},"status":"in_progress","output":[],"usage":null},"sequence_number":${number}`,
  );

/** A stream of OpenAI's Responses. */
export const RESPONSES_STREAM: StreamBytes = {
  beginning: Buffer.from(
    created('response.created', 0) +
      created('response.in_progress', 1) +
      event(
        'response.output_item.added',
        `"output_index":0,"item":${ITEM('in_progress', '')},"sequence_number":2`,
      ) +
      event('response.content_part.added', `${PLACE},"part":${PART('')},"sequence_number":3`) +
      CONTENT,
  ),
  content: Buffer.from(CONTENT),
  end: Buffer.from(
    event(
      'response.output_text.done',
      `${PLACE},"text":"${TEXT}","logprobs":[],"sequence_number":5`,
    ) +
      event('response.content_part.done', `${PLACE},"part":${PART(TEXT)},"sequence_number":6`) +
      event(
        'response.output_item.done',
        `"output_index":0,"item":${ITEM('completed', PART(TEXT))},"sequence_number":7`,
      ) +
      event(
        'response.completed',
        `"response":{${RESPONSE},"status":"completed","output":[${ITEM('completed', PART(TEXT))}],` +
          `"usage":${USAGE}},"sequence_number":8`,
      ),
  ),
};
