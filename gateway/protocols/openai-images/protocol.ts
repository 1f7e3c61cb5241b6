import type { Protocol } from '../protocol.ts';
import { renderError, renderErrorEvent } from '../openai-family/render-error.ts';
import { SSE_KEEP_ALIVE } from '../sse/keep-alive.ts';
import type { ImagesRequest } from './from-client/images-request.ts';
import { parseRequest } from './from-client/parse-request.ts';
import { imageForms } from './pass-through/reply-forms.ts';
import { passThrough } from './pass-through/pass-through.ts';
import { toGemini } from './to-upstream/gemini.ts';
import { toPredict } from './to-upstream/predict.ts';

/** OpenAI's images: billed by tokens, or by the image. */
export const openaiImages: Protocol<ImagesRequest> = {
  id: 'openai-images',
  name: 'images',
  endpoints: [
    { method: 'POST', path: 'images/generations', operation: 'draw', creates: 'Images' },
    {
      method: 'POST',
      path: 'images/edits',
      operation: 'edit',
      creates: 'Edited images',
      takesForm: 'or JSON',
    },
  ],
  usageMember: { name: 'usage' },
  keepAlive: SSE_KEEP_ALIVE,
  splitsEvents: true,
  outputLimitName: 'n',
  headers: ['content-type'],
  parse: parseRequest,
  forms: imageForms,
  passThrough,
  drawing: { gemini: toGemini, 'vertex-predict': toPredict },
  renderError,
  renderErrorEvent,
};
