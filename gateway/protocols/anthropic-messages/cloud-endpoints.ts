/**
 * The paths under which clouds sell Anthropic's models, for clients that are set to one of them:
 * Amazon Bedrock, Google Vertex AI, and those that serve Messages as they are (Bedrock's Mantle,
 * Microsoft Foundry).
 */
import type { ModelEndpoint } from '../endpoint.ts';

const BEDROCK = { name: 'bedrock', basePath: '' } as const;
/** Clients have the project and the location in front. */
const VERTEX = { name: 'vertex', basePath: '/v1' } as const;

const SAME = { name: 'messages', basePath: '' } as const;

const MESSAGES = { method: 'POST', operation: 'generate', creates: 'Messages' } as const;
const COUNTS = { method: 'POST', operation: 'count', creates: 'Token counts' } as const;

const VERTEX_MODELS = 'publishers/anthropic/models';

export const CLOUD_ENDPOINTS: readonly ModelEndpoint[] = [
  { ...MESSAGES, path: 'anthropic/v1/messages', cloud: SAME },
  { ...COUNTS, path: 'anthropic/v1/messages/count_tokens', cloud: SAME },
  {
    ...MESSAGES,
    path: 'model/{model}/invoke',
    cloud: { ...BEDROCK, streams: false },
    takesAnyContentType: true,
  },
  {
    ...MESSAGES,
    path: 'model/{model}/invoke-with-response-stream',
    cloud: { ...BEDROCK, streams: true },
    takesAnyContentType: true,
  },
  { ...COUNTS, path: 'model/{model}/count-tokens', cloud: BEDROCK, takesAnyContentType: true },
  {
    ...COUNTS,
    path: `${VERTEX_MODELS}/count-tokens:rawPredict`,
    cloud: VERTEX,
  },
  {
    ...MESSAGES,
    path: `${VERTEX_MODELS}/{model}:rawPredict`,
    cloud: { ...VERTEX, streams: false },
  },
  {
    ...MESSAGES,
    path: `${VERTEX_MODELS}/{model}:streamRawPredict`,
    cloud: { ...VERTEX, streams: true },
  },
];
