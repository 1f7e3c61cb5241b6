import type { Protocol } from '../protocol.ts';
import { renderError, renderErrorEvent } from '../openai-family/render-error.ts';
import { SSE_KEEP_ALIVE } from '../sse/keep-alive.ts';
import { parseRequest, type ImagesRequest } from './from-client/parse-request.ts';
import { imageForms } from './pass-through/reply-forms.ts';
import { passThrough } from './pass-through/pass-through.ts';

/** OpenAI's images: billed by tokens, or by the image. */
export const openaiImages: Protocol<ImagesRequest> = {
  id: 'openai-images',
  name: 'images',
  endpoints: [{ method: 'POST', path: 'images/generations', operation: 'draw', creates: 'Images' }],
  usageMember: { name: 'usage' },
  keepAlive: SSE_KEEP_ALIVE,
  splitsEvents: true,
  outputLimitName: 'n',
  headers: [],
  parse: parseRequest,
  forms: imageForms,
  passThrough,
  renderError,
  renderErrorEvent,
};
