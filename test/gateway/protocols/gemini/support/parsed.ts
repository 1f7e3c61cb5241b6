import { isRefusal, type Refusal } from '../../../../../gateway/platform/errors/refusal.ts';
import {
  parseRequest,
  type GeminiRequest,
} from '../../../../../gateway/protocols/gemini/from-client/parse-request.ts';
import { gemini } from '../../../../../gateway/protocols/gemini/protocol.ts';
import { targetOf } from '../../../../support/upstreams/target.ts';
import { REQUEST_LIMITS, type Target } from '../../../../../gateway/protocols/protocol.ts';

/** The target of a channel with default settings. */
export const TARGET: Target = targetOf(
  { upstreamModel: 'upstream-model', outputTokensMax: 16_000 },
  'gemini',
);

export interface SentTo {
  readonly path?: string;
  readonly query?: string;
}

/** Parses a body, an object or text, that is sent to a path. */
export function parse(body: object | string, sent: SentTo = {}): GeminiRequest | Refusal {
  const { path = '/v1beta/models/public-model:generateContent', query = '' } = sent;
  const [, model = '', verb = ''] = /\/models\/(.*):(.*)$/.exec(path) ?? [];
  const endpoint = gemini.endpoints.find((one) => one.path.endsWith(`:${verb}`));
  if (endpoint === undefined) throw new Error(`no endpoint serves ${path}`);
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return parseRequest(bytes, { endpoint, pathModel: model, query, headers: {} }, REQUEST_LIMITS);
}

/** The same of a body that must pass every check. */
export function parsed(body: object | string, sent: SentTo = {}): GeminiRequest {
  const request = parse(body, sent);
  if (isRefusal(request)) throw new Error(request.message);
  return request;
}
