import type { ReplyDialect } from '../dialect.ts';
import type { Protocol } from '../protocol.ts';
import { SSE_KEEP_ALIVE } from '../sse/keep-alive.ts';
import { exchange } from './exchange.ts';
import { parseRequest, SESSION_HEADER, type ResponsesRequest } from './parse-request.ts';
import { passThrough } from './pass-through.ts';
import { renderError, renderErrorEvent, renderErrorForAiSdk } from './render-error.ts';
import { encodeConversation } from './request/encode-conversation.ts';
import { stored } from './stored.ts';
import { beginReply } from './stream/begun-reply.ts';

/** In the user agent of every program that is built on Vercel's AI SDK, whatever follows it. */
const AI_SDK = 'ai-sdk';

const DIALECT: ReplyDialect = {
  keepAlive: SSE_KEEP_ALIVE,
  beginReply,
  renderError,
  renderErrorEvent,
};
const AI_SDK_DIALECT: ReplyDialect = { ...DIALECT, renderError: renderErrorForAiSdk };

/** OpenAI's Responses. */
export const openaiResponses: Protocol<ResponsesRequest> = {
  id: 'openai-responses',
  endpoints: [
    { path: 'responses', operation: 'generate', creates: 'Responses' },
    { path: 'responses/input_tokens', operation: 'count', creates: 'Counts of input tokens' },
    { path: 'responses/compact', operation: 'compact', creates: 'Compacted conversations' },
  ],
  ...DIALECT,
  outputLimitName: 'max_output_tokens',
  headers: [SESSION_HEADER],
  dialectOf: (_endpoint, asked) =>
    asked.header('user-agent').includes(AI_SDK) ? AI_SDK_DIALECT : DIALECT,
  parse: parseRequest,
  passThrough,
  exchange,
  stored: { ...stored, encodeConversation },
  renderCount: (inputTokens) => ({
    object: 'response.input_tokens',
    input_tokens: inputTokens,
  }),
  readCount: ({ input_tokens: tokens }) => (typeof tokens === 'number' ? tokens : undefined),
};
