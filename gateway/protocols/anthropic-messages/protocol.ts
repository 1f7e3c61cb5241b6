import type { ReplyDialect } from '../dialect.ts';
import { MODEL_LISTS, type ToolEndpoint } from '../endpoint.ts';
import type { Protocol } from '../protocol.ts';
import { cloudDialects } from './to-client/cloud-dialect.ts';
import { CLOUD_ENDPOINTS } from './cloud-endpoints.ts';
import { neutralForm } from './neutral-form.ts';
import {
  HEADERS,
  LIST_HEADERS,
  parseRequest,
  VERSION_HEADER,
  type MessagesRequest,
} from './from-client/parse-request.ts';
import { messageForms } from './pass-through/reply-forms.ts';
import { passThrough } from './pass-through/pass-through.ts';
import { renderError, renderErrorEvent } from './to-client/render-error.ts';
import { renderModel, renderModels } from './to-client/render-models.ts';
import { toolReplies } from './to-client/tool-replies.ts';
import { namedEvent } from './wire/beginning.ts';

/** Other interfaces of the vendor, by the first word of their paths. */
const UNSERVED: ReadonlyMap<string, string> = new Map([
  ['messages', 'Anthropic’s interface for batches (/v1/messages/batches) is not served here.'],
  [
    'model',
    'Of Amazon Bedrock’s interface, /model/{id}/invoke, /invoke-with-response-stream and /count-tokens are served here, each with a body of Messages.',
  ],
  ['complete', 'Anthropic’s Text Completions interface (/v1/complete) is not served here.'],
]);

const MESSAGES_DIALECT: ReplyDialect = {
  // Its clients count the time between events, and comments are none.
  keepAlive: namedEvent('ping', '{"type":"ping"}'),
  requestIdHeader: 'request-id',
  renderError,
  renderErrorEvent,
  renderCount: (inputTokens) => ({ input_tokens: inputTokens }),
};
const CLOUD_DIALECTS = cloudDialects(MESSAGES_DIALECT);

const TELEMETRY = { method: 'POST', operation: 'tool', serves: 'telemetry' } as const;

/** The paths that Claude Code asks of a gateway that it is logged in to. */
const TOOL_ENDPOINTS: readonly ToolEndpoint[] = [
  {
    method: 'GET',
    path: 'managed/settings',
    operation: 'tool',
    serves: 'settings',
    basePath: '',
  },
  { method: 'GET', path: 'api/oauth/usage', operation: 'tool', serves: 'spend', basePath: '' },
  // OpenTelemetry's paths.
  { ...TELEMETRY, path: 'metrics' },
  { ...TELEMETRY, path: 'logs' },
  { ...TELEMETRY, path: 'traces' },
];

/** Anthropic's Messages. */
export const anthropicMessages: Protocol<MessagesRequest> = {
  id: 'anthropic-messages',
  name: 'Anthropic Messages',
  endpoints: [
    { method: 'POST', path: 'messages', operation: 'generate', creates: 'Messages' },
    {
      method: 'POST',
      path: 'messages/count_tokens',
      operation: 'count',
      creates: 'Token counts',
    },
    ...CLOUD_ENDPOINTS,
    ...MODEL_LISTS,
    ...TOOL_ENDPOINTS,
  ],
  explainPath: ([first = '']) => UNSERVED.get(first),
  keyHeaders: ['x-api-key'],
  browserHeaders: [VERSION_HEADER, 'anthropic-beta', 'anthropic-dangerous-direct-browser-access'],
  usageMember: { name: 'usage' },
  ...MESSAGES_DIALECT,
  dialectOf: (endpoint) => {
    const cloud = 'cloud' in endpoint ? endpoint.cloud : undefined;
    return cloud === undefined ? MESSAGES_DIALECT : CLOUD_DIALECTS[cloud.name];
  },
  outputLimitName: 'max_tokens',
  headers: HEADERS,
  listHeaders: LIST_HEADERS,
  parse: parseRequest,
  forms: messageForms,
  passThrough,
  neutralForm,
  readCount: ({ input_tokens: tokens }) => (typeof tokens === 'number' ? tokens : undefined),
  sharesPath: (head) =>
    head.header(VERSION_HEADER) !== '' ||
    (head.header('x-api-key') !== '' && head.header('authorization') === ''),
  toolReplies,
  renderModels,
  renderModel,
};
