import { MODEL_LISTS } from '../endpoint.ts';
import type { Protocol } from '../protocol.ts';
import { renderError, renderErrorEvent } from '../openai-family/render-error.ts';
import { SSE_KEEP_ALIVE } from '../sse/keep-alive.ts';
import { neutralForm } from './neutral-form.ts';
import { parseRequest, type ChatRequest } from './from-client/parse-request.ts';
import { chatForms } from './pass-through/reply-forms.ts';
import { passThrough } from './pass-through/pass-through.ts';
import { renderModel, renderModels } from './to-client/render-models.ts';

/** OpenAI's chat completions. */
export const openaiChat: Protocol<ChatRequest> = {
  id: 'openai-chat',
  name: 'chat completions',
  endpoints: [
    {
      method: 'POST',
      path: 'chat/completions',
      operation: 'generate',
      creates: 'Chat completions',
      unlisted: 'They are not stored here, so there is no list of them.',
    },
    ...MODEL_LISTS,
  ],
  explainPath: ([first, second]) => {
    if (first !== 'chat') return undefined;
    return second === 'completions'
      ? 'Chat completions are not stored here and cannot be read back.'
      : 'No such path. Chat completions are created at /v1/chat/completions.';
  },
  keyHeaders: ['api-key'],
  browserHeaders: ['openai-organization', 'openai-project', 'openai-beta'],
  usageMember: { name: 'usage' },
  keepAlive: SSE_KEEP_ALIVE,
  outputLimitName: 'max_tokens',
  headers: [],
  parse: parseRequest,
  forms: chatForms,
  passThrough,
  neutralForm,
  renderError,
  renderErrorEvent,
  renderModels,
  renderModel,
};
