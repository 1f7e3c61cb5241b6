import type { Refusal } from '../../platform/errors/refusal.ts';
import { isJsonObject } from '../../platform/json/json-value.ts';
import type { RenderedError } from '../dialect.ts';
import { renderError as renderOpenAi, renderErrorEvent } from '../openai-family/render-error.ts';
import type { Protocol } from '../protocol.ts';
import { SSE_KEEP_ALIVE } from '../sse/keep-alive.ts';
import { parseRequest, type RerankRequest } from './from-client/parse-request.ts';
import { passThrough } from './pass-through/pass-through.ts';
import { rerankForms } from './pass-through/reply-forms.ts';

/** Cohere's newer base address next to that of all others. */
const BASE_PATHS = [{}, { basePath: '/v2' }];

/** Texts sorted by a query, as Cohere, Jina and Voyage do it: by search units or by tokens. */
export const rerank: Protocol<RerankRequest> = {
  id: 'rerank',
  name: 'rerank',
  endpoints: BASE_PATHS.map((base) => ({
    ...base,
    method: 'POST',
    path: 'rerank',
    operation: 'rerank',
    creates: 'Rankings',
  })),
  usageMember: { name: 'usage' },
  keepAlive: SSE_KEEP_ALIVE,
  outputLimitName: 'top_n',
  headers: [],
  parse: parseRequest,
  forms: rerankForms,
  passThrough,
  renderError,
  renderErrorEvent,
};

/**
 * Renders a refusal for the clients of all three vendors: Cohere's errors have a `message`, those
 * of Jina and Voyage a `detail`. Without it, Voyage's client takes an error for a broken reply.
 */
function renderError(refusal: Refusal, requestId?: string): RenderedError {
  const rendered = renderOpenAi(refusal, requestId);
  const { error } = JSON.parse(rendered.bytes.toString()) as { readonly error: unknown };
  const message = isJsonObject(error) ? error['message'] : refusal.message;
  return { ...rendered, bytes: Buffer.from(JSON.stringify({ message, detail: message, error })) };
}
