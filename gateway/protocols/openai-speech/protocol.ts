import type { Protocol } from '../protocol.ts';
import { renderError, renderErrorEvent } from '../openai-family/render-error.ts';
import { SSE_KEEP_ALIVE } from '../sse/keep-alive.ts';
import { parseRequest, type SpeechRequest } from './from-client/parse-request.ts';
import { passThrough } from './pass-through/pass-through.ts';
import { speechForms } from './pass-through/reply-forms.ts';

/** OpenAI's speech: sound as bytes or as events, billed by characters or by tokens. */
export const openaiSpeech: Protocol<SpeechRequest> = {
  id: 'openai-speech',
  name: 'speech',
  endpoints: [{ method: 'POST', path: 'audio/speech', operation: 'speak', creates: 'Speech' }],
  usageMember: { name: 'usage' },
  keepAlive: SSE_KEEP_ALIVE,
  outputLimitName: 'input',
  headers: [],
  parse: parseRequest,
  forms: speechForms,
  passThrough,
  renderError,
  renderErrorEvent,
};
