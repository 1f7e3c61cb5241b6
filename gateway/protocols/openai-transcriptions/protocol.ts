import type { Protocol } from '../protocol.ts';
import { renderError, renderErrorEvent } from '../openai-family/render-error.ts';
import { SSE_KEEP_ALIVE } from '../sse/keep-alive.ts';
import { parseRequest, type TranscriptionRequest } from './from-client/parse-request.ts';
import { passThrough } from './pass-through/pass-through.ts';
import { transcriptForms } from './pass-through/reply-forms.ts';

/** OpenAI's transcriptions and translations of speech: forms with a file. */
export const openaiTranscriptions: Protocol<TranscriptionRequest> = {
  id: 'openai-transcriptions',
  name: 'transcriptions',
  endpoints: [
    {
      method: 'POST',
      path: 'audio/transcriptions',
      operation: 'transcribe',
      creates: 'Transcriptions',
      takesForm: 'alone',
    },
    {
      method: 'POST',
      path: 'audio/translations',
      operation: 'translate',
      creates: 'Translations',
      takesForm: 'alone',
    },
  ],
  usageMember: { name: 'usage' },
  keepAlive: SSE_KEEP_ALIVE,
  outputLimitName: 'max_tokens',
  headers: ['content-type'],
  parse: parseRequest,
  forms: transcriptForms,
  passThrough,
  renderError,
  renderErrorEvent,
};
