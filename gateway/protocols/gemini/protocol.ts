import type { ReplyDialect } from '../dialect.ts';
import type { Protocol } from '../protocol.ts';
import { embedding } from './embedding.ts';
import { exchange } from './exchange.ts';
import { parseRequest, type GeminiRequest } from './parse-request.ts';
import { passThrough } from './pass-through.ts';
import { errorJson, renderError, renderErrorEvent, renderErrorInArray } from './render-error.ts';
import { renderModel, renderModels } from './render-models.ts';
import { isServerSentEvents, isStreaming } from './request/reply-form.ts';
import { ARRAY_KEEP_ALIVE, EVENT_KEEP_ALIVE } from './stream/stream-frame.ts';

/** Streams that are one JSON array: what Google sends where no server-sent events are asked for. */
const ARRAY_DIALECT: ReplyDialect = {
  keepAlive: ARRAY_KEEP_ALIVE,
  streamContentType: 'application/json; charset=utf-8',
  renderError: renderErrorInArray,
  renderErrorEvent: (refusal, requestId) => `[${errorJson(refusal, requestId)}]`,
};

/** Google's Gemini interface. */
export const gemini: Protocol<GeminiRequest> = {
  id: 'gemini',
  endpoints: [
    {
      path: 'models/{model}:generateContent',
      operation: 'generate',
      creates: 'Replies of a model',
    },
    {
      path: 'models/{model}:streamGenerateContent',
      operation: 'generate',
      creates: 'Replies of a model',
    },
    { path: 'models/{model}:embedContent', operation: 'embed', creates: 'Embeddings' },
    { path: 'models/{model}:batchEmbedContents', operation: 'embed', creates: 'Embeddings' },
    { path: 'models/{model}:countTokens', operation: 'count', creates: 'Counts of tokens' },
  ],
  keepAlive: EVENT_KEEP_ALIVE,
  outputLimitName: 'maxOutputTokens',
  headers: [],
  dialectOf: (endpoint, asked) =>
    isStreaming(endpoint) && !isServerSentEvents(asked.query()) ? ARRAY_DIALECT : GEMINI_DIALECT,
  parse: parseRequest,
  passThrough,
  exchange,
  embedding,
  renderError,
  renderErrorEvent,
  renderCount: (totalTokens) => ({ totalTokens }),
  readCount: ({ totalTokens }) => (typeof totalTokens === 'number' ? totalTokens : undefined),
  sharesPath: (head) => isGeminiPath(head.path) || head.header('x-goog-api-key') !== '',
  renderModels,
  renderModel,
};

const GEMINI_DIALECT: ReplyDialect = { keepAlive: EVENT_KEEP_ALIVE, renderError, renderErrorEvent };

/** Google's OpenAI-compatible interface is behind `/v1beta/openai`. */
function isGeminiPath(path: string): boolean {
  const words = path.toLowerCase().split('/');
  return (words.includes('v1beta') || words.includes('v1alpha')) && !words.includes('openai');
}
