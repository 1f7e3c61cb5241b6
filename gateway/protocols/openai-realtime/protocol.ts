import { renderError, renderErrorEvent } from '../openai-family/render-error.ts';
import { parseOwnObject, stringOf } from '../../platform/json/json-value.ts';
import type { Protocol } from '../protocol.ts';
import type { RealtimeEndpoint } from '../realtime.ts';
import { parseRequest } from './from-client/parse-request.ts';
import { passThrough } from './pass-through/pass-through.ts';
import { OpenaiConversation } from './web-socket/conversation.ts';

const VERSION_HEADER = 'openai-beta';
/** Browsers choose the version by a subprotocol, since they cannot set headers. */
const BETA_SUBPROTOCOL = 'openai-beta.realtime-v1';
const BETA_VERSION = 'realtime=v1';
/** All other models refuse a session of the beta, and many clients still ask for one. */
const BETA_MODELS = '-realtime-preview';

const sessions: RealtimeEndpoint = {
  subprotocol: 'realtime',
  upstreamHeaders: (header, upstreamModel) => {
    const isAsked =
      header(VERSION_HEADER) === BETA_VERSION ||
      header('sec-websocket-protocol').includes(BETA_SUBPROTOCOL);
    return isAsked && upstreamModel.includes(BETA_MODELS) ? [VERSION_HEADER, BETA_VERSION] : [];
  },
  begin: (terms) => new OpenaiConversation(terms),
  isFailure: (frame) => stringOf(parseOwnObject(frame)?.['type']) === 'error',
};

const CLIENT_SECRETS =
  'Short-lived keys of the vendor (/v1/realtime/client_secrets, /v1/realtime/sessions) are not issued: their sessions would pass Weir and its bills by. Open a WebSocket at /v1/realtime with the key of this service; a browser sends it as the subprotocol "openai-insecure-api-key.<key>".';
const CALLS =
  'Calls over WebRTC and SIP (/v1/realtime/calls) are not served: their sound would pass Weir and its bills by. Open a WebSocket at /v1/realtime.';
const TRANSLATIONS =
  'Sessions that translate (/v1/realtime/translations) are not served. Open a WebSocket at /v1/realtime.';

/** Explanations of other paths, by their second segment. */
const UNSERVED: ReadonlyMap<string, string> = new Map([
  ['client_secrets', CLIENT_SECRETS],
  ['sessions', CLIENT_SECRETS],
  ['transcription_sessions', CLIENT_SECRETS],
  ['calls', CALLS],
  ['translations', TRANSLATIONS],
]);

const NO_SUCH_PATH = 'Sessions have no such path. Open a WebSocket at /v1/realtime.';

/** OpenAI's realtime interface over WebSocket. */
export const openaiRealtime: Protocol = {
  id: 'openai-realtime',
  name: 'realtime sessions',
  endpoints: [
    {
      method: 'GET',
      path: 'realtime',
      operation: 'realtime',
      creates: 'Realtime sessions',
      sessions,
    },
  ],
  explainPath: ([first, second = '']) =>
    first === 'realtime' ? (UNSERVED.get(second) ?? NO_SUCH_PATH) : undefined,
  usageMember: { name: 'usage' },
  keepAlive: '',
  outputLimitName: 'max_output_tokens',
  headers: [],
  keySubprotocol: 'openai-insecure-api-key.',
  parse: parseRequest,
  forms: passThrough.forms,
  passThrough,
  renderError,
  renderErrorEvent,
};
