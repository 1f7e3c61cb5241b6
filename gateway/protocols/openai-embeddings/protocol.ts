import type { Protocol } from '../protocol.ts';
import { renderError, renderErrorEvent } from '../openai-family/render-error.ts';
import { SSE_KEEP_ALIVE } from '../sse/keep-alive.ts';
import { embedding } from './embedding.ts';
import { parseRequest, type EmbeddingsRequest } from './from-client/parse-request.ts';
import { embeddingForms } from './pass-through/reply-forms.ts';
import { passThrough } from './pass-through/pass-through.ts';

/** OpenAI's embeddings: billed by input alone. */
export const openaiEmbeddings: Protocol<EmbeddingsRequest> = {
  id: 'openai-embeddings',
  name: 'embeddings',
  endpoints: [{ method: 'POST', path: 'embeddings', operation: 'embed', creates: 'Embeddings' }],
  usageMember: { name: 'usage' },
  keepAlive: SSE_KEEP_ALIVE,
  outputLimitName: 'max_tokens',
  headers: [],
  parse: parseRequest,
  forms: embeddingForms,
  passThrough,
  embedding,
  renderError,
  renderErrorEvent,
};
