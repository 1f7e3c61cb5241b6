import type { Protocol } from '../protocol.ts';
import { exchange } from './exchange.ts';
import {
  HEADERS,
  LIST_HEADERS,
  parseRequest,
  VERSION_HEADER,
  type MessagesRequest,
} from './parse-request.ts';
import { passThrough } from './pass-through.ts';
import { renderError, renderErrorEvent } from './render-error.ts';
import { renderModel, renderModels } from './render-models.ts';
import { namedEvent } from './stream/named-event.ts';

/** Anthropic's Messages. */
export const anthropicMessages: Protocol<MessagesRequest> = {
  id: 'anthropic-messages',
  endpoints: [
    { path: 'messages', operation: 'generate', creates: 'Messages' },
    { path: 'messages/count_tokens', operation: 'count', creates: 'Token counts' },
  ],
  // Its clients count the time between events, and comments are none.
  keepAlive: namedEvent('ping', '{"type":"ping"}'),
  requestIdHeader: 'request-id',
  outputLimitName: 'max_tokens',
  headers: HEADERS,
  listHeaders: LIST_HEADERS,
  parse: parseRequest,
  passThrough,
  exchange,
  renderError,
  renderErrorEvent,
  renderCount: (inputTokens) => ({ input_tokens: inputTokens }),
  readCount: ({ input_tokens: tokens }) => (typeof tokens === 'number' ? tokens : undefined),
  sharesPath: (head) =>
    head.header(VERSION_HEADER) !== '' ||
    (head.header('x-api-key') !== '' && head.header('authorization') === ''),
  renderModels,
  renderModel,
};
