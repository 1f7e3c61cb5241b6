import type { Protocol } from '../protocol.ts';
import { renderError, renderErrorEvent } from '../openai-family/render-error.ts';
import { SSE_KEEP_ALIVE } from '../sse/keep-alive.ts';
import { parseRequest, type ModerationsRequest } from './from-client/parse-request.ts';
import { moderationForms } from './pass-through/reply-forms.ts';
import { passThrough } from './pass-through/pass-through.ts';

/** OpenAI's moderations: free of tokens, limited and logged as all requests are. */
export const openaiModerations: Protocol<ModerationsRequest> = {
  id: 'openai-moderations',
  name: 'moderations',
  endpoints: [
    { method: 'POST', path: 'moderations', operation: 'moderate', creates: 'Moderations' },
  ],
  usageMember: { name: 'usage' },
  keepAlive: SSE_KEEP_ALIVE,
  outputLimitName: 'input',
  headers: [],
  parse: parseRequest,
  forms: moderationForms,
  passThrough,
  renderError,
  renderErrorEvent,
};
