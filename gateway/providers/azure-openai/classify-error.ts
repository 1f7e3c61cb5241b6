import { isJsonObject } from '../../platform/json/json-value.ts';
import * as openai from '../openai-compatible/classify-error.ts';
import { CHANNEL_FAULT, type Verdict } from '../verdict.ts';

/** Codes of a 400 that say that the deployment is none for this: our mapping, not the request. */
const DEPLOYMENT_CODES: ReadonlySet<unknown> = new Set([
  'OperationNotSupported',
  'DeploymentNotFound',
  'unavailable_model',
]);

/**
 * Judges a status other than 2xx: as of any upstream with OpenAI's interface, but for our
 * deployments.
 */
export function classifyError(status: number, retryAfterMs: number | null, body: Buffer): Verdict {
  if (DEPLOYMENT_CODES.has(codeIn(body))) return CHANNEL_FAULT;
  return openai.classifyError(status, retryAfterMs, body);
}

function codeIn(body: Buffer): unknown {
  try {
    const reply: unknown = JSON.parse(body.toString('utf8'));
    const error = isJsonObject(reply) ? reply['error'] : undefined;
    return isJsonObject(error) ? error['code'] : undefined;
  } catch {
    return undefined;
  }
}
