import type { Protocol } from '../protocol.ts';
import { renderError, renderErrorEvent } from '../openai-family/render-error.ts';
import { SSE_KEEP_ALIVE } from '../sse/keep-alive.ts';
import { exchange } from './exchange.ts';
import { parseRequest, type ChatRequest } from './parse-request.ts';
import { passThrough } from './pass-through.ts';

/** OpenAI's chat completions. */
export const openaiChat: Protocol<ChatRequest> = {
  id: 'openai-chat',
  endpoints: [{ path: 'chat/completions', operation: 'generate', creates: 'Chat completions' }],
  keepAlive: SSE_KEEP_ALIVE,
  outputLimitName: 'max_tokens',
  headers: [],
  parse: parseRequest,
  passThrough,
  exchange,
  renderError,
  renderErrorEvent,
};
