/** The refusals of Vertex AI: its platform in Google's envelope, Claude in Anthropic's. */
import { createHash } from 'node:crypto';

type Json = Readonly<Record<string, unknown>>;

export interface GoogleRefusal {
  readonly status: number;
  readonly body: unknown;
}

/** Returns an error as the tables of the interface's errors have it. */
export function platformError(code: number, status: string, message: string, details?: Json[]) {
  const error = { code, message, status, ...(details && { details }) };
  return { status: code, body: { error } };
}

export function claudeError(status: number, type: string, message: string): GoogleRefusal {
  const id = createHash('sha256').update(message).digest('hex').slice(0, 24);
  const error = { type, message };
  return { status, body: { type: 'error', error, request_id: `req_vrtx_${id}` } };
}

export const UNAUTHENTICATED = platformError(
  401,
  'UNAUTHENTICATED',
  'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.',
  [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'ACCESS_TOKEN_EXPIRED',
      domain: 'googleapis.com',
      metadata: { service: 'aiplatform.googleapis.com' },
    },
  ],
);

export function permissionDenied(resource: string): GoogleRefusal {
  return platformError(
    403,
    'PERMISSION_DENIED',
    `Permission 'aiplatform.endpoints.predict' denied on resource '//aiplatform.googleapis.com/${resource}' (or it may not exist).`,
  );
}

export function modelMissing(resource: string): GoogleRefusal {
  return platformError(
    404,
    'NOT_FOUND',
    `Publisher Model \`${resource}\` was not found or your project does not have access to it. Please ensure you are using a valid model version. For more information, see: https://cloud.google.com/vertex-ai/generative-ai/docs/learn/model-versions`,
  );
}

const BETAS_TAKEN =
  /^(?:interleaved-thinking-2025-05-14|context-management-2025-06-27|context-1m-2025-08-07|web-search-2025-03-05|tool-search-tool-2025-10-19|thinking-token-count-2026-05-13)$/;
const FIELDS_REFUSED = [
  'tags',
  'container',
  'mcp_servers',
  'inference_geo',
  'service_tier',
  'speed',
];
const CONTEXT_BETAS = /context-management-2025-06-27|compact-2026-01-12/;

/** Returns the refusal of a body for Claude; undefined: none. */
export function refuseClaude(
  body: Json,
  { beta, isCount }: { readonly beta: string; readonly isCount: boolean },
): GoogleRefusal | undefined {
  const invalid = (message: string) => claudeError(400, 'invalid_request_error', message);
  if (!isCount && 'model' in body) return invalid('model: Extra inputs are not permitted');
  if (isCount && !('model' in body)) return invalid('model: Field required');
  const version = body['anthropic_version'] as string | undefined;
  if (version === undefined) return invalid('anthropic_version: Field required');
  // The second is the vendor's SDK's, the first Claude Code's and the documentation's.
  if (version !== 'vertex-2023-10-16' && version !== '2026-10-21') {
    return invalid(`anthropic_version: "${version}" is not a valid version`);
  }
  const isOpen = CONTEXT_BETAS.test(beta);
  const refusedHere = [...FIELDS_REFUSED, ...(isOpen ? [] : ['context_management'])];
  const field = refusedHere.find((name) => name in body);
  if (field !== undefined) return invalid(`${field}: Extra inputs are not permitted`);
  const unknown = beta
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && (!BETAS_TAKEN.test(one) || (isCount && one.startsWith('web'))));
  if (unknown.length === 0) return undefined;
  const values = unknown.map((one) => `\`${one}\``).join(', ');
  return invalid(
    `Unexpected value(s) ${values} for the \`anthropic-beta\` header. Please consult our documentation at docs.anthropic.com or try again without the header.`,
  );
}

/** The same of a body for Gemini. */
export function refuseGemini(body: Json): GoogleRefusal | undefined {
  const contents = body['contents'] as readonly Json[] | undefined;
  const invalid = (message: string) => platformError(400, 'INVALID_ARGUMENT', message);
  if ('model' in body) {
    return invalid('Invalid JSON payload received. Unknown name "model": Cannot find field.');
  }
  if (contents === undefined)
    return invalid('Unable to submit request because it has no contents.');
  const isFine = contents.every(({ role }) => role === 'user' || role === 'model');
  return isFine ? undefined : invalid('Please use a valid role: user, model.');
}

/** The same of a body for embeddings. */
export function refuseEmbedding(body: Json, model: string): GoogleRefusal | undefined {
  const invalid = (message: string) => platformError(400, 'INVALID_ARGUMENT', message);
  const extra = Object.keys(body).find((name) => name !== 'instances' && name !== 'parameters');
  if (extra !== undefined) {
    return invalid(`Invalid JSON payload received. Unknown name "${extra}": Cannot find field.`);
  }
  const instances = (body['instances'] ?? []) as readonly Json[];
  const isFine = instances.every(({ content }) => typeof content === 'string' && content !== '');
  if (instances.length === 0 || !isFine) return invalid('The text content is empty.');
  const most = model.startsWith('gemini-') ? 1 : 250;
  if (instances.length <= most) return undefined;
  return invalid(
    `${String(instances.length)} instance(s) is over the model's limit of ${String(most)} per prediction.`,
  );
}
