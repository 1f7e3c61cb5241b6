import { MODEL_LISTS } from '../endpoint.ts';
import type { Protocol } from '../protocol.ts';
import { neutralForm } from './neutral-form.ts';
import {
  HEADERS,
  LIST_HEADERS,
  parseRequest,
  VERSION_HEADER,
  type MessagesRequest,
} from './from-client/parse-request.ts';
import { messageForms } from './pass-through/reply-forms.ts';
import { passThrough } from './pass-through/pass-through.ts';
import { renderError, renderErrorEvent } from './to-client/render-error.ts';
import { renderModel, renderModels } from './to-client/render-models.ts';
import { namedEvent } from './wire/named-event.ts';

/** Other interfaces of the vendor, by the first word of their paths. */
const UNSERVED: ReadonlyMap<string, string> = new Map([
  ['messages', 'Anthropic’s interface for batches (/v1/messages/batches) is not served here.'],
  ['complete', 'Anthropic’s Text Completions interface (/v1/complete) is not served here.'],
]);

/** Anthropic's Messages. */
export const anthropicMessages: Protocol<MessagesRequest> = {
  id: 'anthropic-messages',
  name: 'Anthropic Messages',
  endpoints: [
    { method: 'POST', path: 'messages', operation: 'generate', creates: 'Messages' },
    {
      method: 'POST',
      path: 'messages/count_tokens',
      operation: 'count',
      creates: 'Token counts',
    },
    ...MODEL_LISTS,
  ],
  explainPath: ([first = '']) => UNSERVED.get(first),
  keyHeaders: ['x-api-key'],
  browserHeaders: [VERSION_HEADER, 'anthropic-beta', 'anthropic-dangerous-direct-browser-access'],
  usageMember: { name: 'usage' },
  // Its clients count the time between events, and comments are none.
  keepAlive: namedEvent('ping', '{"type":"ping"}'),
  requestIdHeader: 'request-id',
  outputLimitName: 'max_tokens',
  headers: HEADERS,
  listHeaders: LIST_HEADERS,
  parse: parseRequest,
  forms: messageForms,
  passThrough,
  neutralForm,
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
