import { isJsonObject } from '../../platform/json/json-value.ts';
import { errorBody } from '../error-body.ts';
import * as openai from '../openai-compatible/classify-error.ts';
import { MODEL_FAULT, type Verdict } from '../verdict.ts';

/**
 * Judges a status other than 2xx: as of any upstream with OpenAI's interface, but for a deployment
 * that is none for this, which is our mapping and not the request.
 */
export function classifyError(status: number, retryAfterMs: number | null, body: Buffer): Verdict {
  const { error } = errorBody(body);
  if (isJsonObject(error) && error['code'] === 'OperationNotSupported') return MODEL_FAULT;
  return openai.classifyError(status, retryAfterMs, body);
}
