import type { Protocol } from '../protocol.ts';
import { renderError, renderErrorEvent } from '../openai-family/render-error.ts';
import { SSE_KEEP_ALIVE } from '../sse/keep-alive.ts';
import { parseRequest, type CompletionRequest } from './from-client/parse-request.ts';
import { completionForms } from './pass-through/reply-forms.ts';
import { passThrough } from './pass-through/pass-through.ts';

/** OpenAI's older completions: a text is continued. */
export const openaiCompletions: Protocol<CompletionRequest> = {
  id: 'openai-completions',
  name: 'completions',
  endpoints: [
    { method: 'POST', path: 'completions', operation: 'generate', creates: 'Completions' },
  ],
  usageMember: { name: 'usage' },
  keepAlive: SSE_KEEP_ALIVE,
  outputLimitName: 'max_tokens',
  headers: [],
  parse: parseRequest,
  forms: completionForms,
  passThrough,
  renderError,
  renderErrorEvent,
};
