import { refuse } from '../../platform/errors/refusal.ts';
import type { ReplyDialect } from '../dialect.ts';
import type { StoredEndpoint } from '../endpoint.ts';
import type { Protocol } from '../protocol.ts';
import { SSE_KEEP_ALIVE } from '../sse/keep-alive.ts';
import { neutralForm } from './neutral-form.ts';
import {
  parseRequest,
  SESSION_HEADER,
  type ResponsesRequest,
} from './from-client/parse-request.ts';
import { responseForms } from './pass-through/reply-forms.ts';
import { passThrough } from './pass-through/pass-through.ts';
import { renderError, renderErrorEvent, renderErrorForAiSdk } from './to-client/render-error.ts';
import { stored } from './stored.ts';
import { ResponsesConversation } from './web-socket/conversation.ts';
import { beginReply } from './wire/begun-reply.ts';

/** In the user agent of every program that is built on Vercel's AI SDK, whatever follows it. */
const AI_SDK = 'ai-sdk';

const DIALECT: ReplyDialect = {
  keepAlive: SSE_KEEP_ALIVE,
  beginReply,
  renderError,
  renderErrorEvent,
  renderCount: (inputTokens) => ({ object: 'response.input_tokens', input_tokens: inputTokens }),
};
const AI_SDK_DIALECT: ReplyDialect = { ...DIALECT, renderError: renderErrorForAiSdk };

const NO_COMPACTION = refuse(
  'unknown_url',
  'No upstream of this model compacts conversations. Ask for a summary at /v1/responses instead, or use another model.',
  { param: 'model' },
);

/** Explanations of other paths, by their first segment. */
const UNSERVED: ReadonlyMap<string, string> = new Map([
  [
    'responses',
    'Responses have no such path. A stored response is at /v1/responses/{id}, with /cancel or /input_items behind it.',
  ],
  [
    'conversations',
    'Conversations have no such path. One is at /v1/conversations/{id}, with /items or /items/{id} behind it.',
  ],
]);

/** Responses, and conversations of them, that the upstream of a channel stores. */
const STORED_ENDPOINTS: readonly StoredEndpoint[] = [
  reply('GET', 'responses/{id}'),
  reply('DELETE', 'responses/{id}'),
  reply('POST', 'responses/{id}/cancel'),
  reply('GET', 'responses/{id}/input_items'),
  conversation('POST', 'conversations'),
  conversation('GET', 'conversations/{id}'),
  conversation('POST', 'conversations/{id}'),
  conversation('DELETE', 'conversations/{id}'),
  conversation('GET', 'conversations/{id}/items'),
  conversation('POST', 'conversations/{id}/items'),
  conversation('GET', 'conversations/{id}/items/{item}'),
  conversation('DELETE', 'conversations/{id}/items/{item}'),
];

function reply(method: StoredEndpoint['method'], path: string): StoredEndpoint {
  return { method, path, operation: 'stored', kind: 'reply' };
}

function conversation(method: StoredEndpoint['method'], path: string): StoredEndpoint {
  const endpoint = { method, path, operation: 'stored', kind: 'conversation' } as const;
  return method === 'POST' ? { ...endpoint, takesBody: true } : endpoint;
}

/** OpenAI's Responses. */
export const openaiResponses: Protocol<ResponsesRequest> = {
  id: 'openai-responses',
  name: 'Responses',
  endpoints: [
    {
      method: 'POST',
      path: 'responses',
      operation: 'generate',
      creates: 'Responses',
      converse: () => new ResponsesConversation(),
    },
    {
      method: 'POST',
      path: 'responses/input_tokens',
      operation: 'count',
      creates: 'Counts of input tokens',
    },
    {
      method: 'POST',
      path: 'responses/compact',
      operation: 'compact',
      creates: 'Compacted conversations',
      unserved: NO_COMPACTION,
    },
    ...STORED_ENDPOINTS,
  ],
  explainPath: ([first = '']) => UNSERVED.get(first),
  usageMember: { name: 'usage', inEvent: 'response' },
  ...DIALECT,
  outputLimitName: 'max_output_tokens',
  headers: [SESSION_HEADER],
  dialectOf: (_endpoint, asked) =>
    asked.header('user-agent').includes(AI_SDK) ? AI_SDK_DIALECT : DIALECT,
  parse: parseRequest,
  forms: responseForms,
  passThrough,
  neutralForm,
  stored,
  readCount: ({ input_tokens: tokens }) => (typeof tokens === 'number' ? tokens : undefined),
};
