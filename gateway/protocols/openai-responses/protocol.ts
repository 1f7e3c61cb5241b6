import type { Protocol } from '../protocol.ts';
import { SSE_KEEP_ALIVE } from '../sse/keep-alive.ts';
import { countPrompt } from './count-prompt.ts';
import { exchange } from './exchange.ts';
import { parseRequest, SESSION_HEADER, type ResponsesRequest } from './parse-request.ts';
import { passThrough } from './pass-through.ts';
import { renderError, renderErrorEvent } from './render-error.ts';

/** OpenAI's Responses. */
export const openaiResponses: Protocol<ResponsesRequest> = {
  id: 'openai-responses',
  endpoints: [
    { path: 'responses', operation: 'generate', creates: 'Responses' },
    { path: 'responses/input_tokens', operation: 'count', creates: 'Counts of input tokens' },
  ],
  keepAlive: SSE_KEEP_ALIVE,
  outputLimitName: 'max_output_tokens',
  headers: [SESSION_HEADER],
  parse: parseRequest,
  countPrompt,
  passThrough,
  exchange,
  renderError,
  renderErrorEvent,
  renderCount: (inputTokens) => ({
    object: 'response.input_tokens',
    input_tokens: inputTokens,
  }),
  readCount: ({ input_tokens: tokens }) => (typeof tokens === 'number' ? tokens : undefined),
};
