/**
 * The bytes that the load upstream sends, made once. Sizes are those of a real provider's replies.
 */
import type { StreamBytes } from './stream-bytes.ts';

const HEAD = '"id":"chatcmpl-Bn7m0Yx3kQ2vR9wT4sLpZ8aE","created":1760000000,"model":"short"';
const TEXT =
  'The weir holds back the river just enough to measure it, and then it lets the water pass.';

export const WHOLE_REPLY = Buffer.from(
  `{${HEAD},"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant",` +
    `"content":"${TEXT}","refusal":null,"annotations":[]},"logprobs":null,"finish_reason":"stop"}],` +
    `"usage":{"prompt_tokens":17,"completion_tokens":21,"total_tokens":38,` +
    `"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},` +
    `"completion_tokens_details":{"reasoning_tokens":0,"audio_tokens":0}},` +
    `"service_tier":"default","system_fingerprint":"fp_5f3a1c9e77"}`,
);

const chunk = (choices: string, usage: string): string =>
  `data: {${HEAD},"object":"chat.completion.chunk","system_fingerprint":"fp_5f3a1c9e77",` +
  `"choices":[${choices}]${usage}}\n\n`;

const delta = (content: string, finish: string): string =>
  `{"index":0,"delta":${content},"logprobs":null,"finish_reason":${finish}}`;

const ROLE_CHUNK = chunk(delta('{"role":"assistant","content":""}', 'null'), '');
const CONTENT_CHUNK = chunk(delta('{"content":" water"}', 'null'), '');
const FINISH_CHUNK = chunk(delta('{}', '"stop"'), '');
const USAGE_CHUNK = chunk(
  '',
  ',"usage":{"prompt_tokens":17,"completion_tokens":50,"total_tokens":67}',
);
const DONE = 'data: [DONE]\n\n';

/** The role comes with the first piece of content: a proxy may keep back what says nothing yet. */
const BEGINNING = Buffer.from(ROLE_CHUNK + CONTENT_CHUNK);
const CONTENT = Buffer.from(CONTENT_CHUNK);

export const CHAT_STREAM: StreamBytes = {
  beginning: BEGINNING,
  content: CONTENT,
  end: Buffer.from(FINISH_CHUNK + DONE),
};
/** Usage is sent when it was asked for, as providers do. */
export const CHAT_STREAM_WITH_USAGE: StreamBytes = {
  beginning: BEGINNING,
  content: CONTENT,
  end: Buffer.from(FINISH_CHUNK + USAGE_CHUNK + DONE),
};
