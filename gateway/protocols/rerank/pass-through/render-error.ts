import { isJsonObject } from '../../../platform/json/json-value.ts';
import type { Refusal } from '../../../platform/errors/refusal.ts';
import type { RenderedError } from '../../dialect.ts';
import { renderError as renderOpenAi } from '../../openai-family/render-error.ts';

/**
 * Renders a refusal for the clients of all three vendors: Cohere's errors have a `message`, those
 * of Jina and Voyage a `detail`. Without it, Voyage's client takes an error for a broken reply.
 */
export function renderError(refusal: Refusal, requestId?: string): RenderedError {
  const rendered = renderOpenAi(refusal, requestId);
  const { error } = JSON.parse(rendered.bytes.toString()) as { readonly error: unknown };
  const message = isJsonObject(error) ? error['message'] : refusal.message;
  return { ...rendered, bytes: Buffer.from(JSON.stringify({ message, detail: message, error })) };
}
