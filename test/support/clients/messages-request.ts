import { isRefusal, type Refusal } from '../../../gateway/platform/errors/refusal.ts';
import {
  parseRequest,
  type MessagesRequest,
} from '../../../gateway/protocols/anthropic-messages/from-client/parse-request.ts';
import {
  REQUEST_LIMITS,
  type RequestHead,
  type Target,
} from '../../../gateway/protocols/protocol.ts';
import { ENDPOINTS } from '../../../gateway/protocols/registry.ts';
import { targetOf } from '../upstreams/target.ts';

const endpoint = ENDPOINTS.find(({ path }) => path === 'messages');
if (endpoint === undefined) throw new Error('Messages are not served');

/** The head of an ordinary Messages request. */
export const MESSAGES_HEAD: RequestHead = { endpoint, pathModel: null, query: '', headers: {} };

const USER = { role: 'user', content: 'Hello' };

/** Parses a request with these fields. */
export function parsed(
  fields: object = {},
  headers: Readonly<Record<string, string>> = {},
): MessagesRequest | Refusal {
  const body = { model: 'public-model', max_tokens: 100, messages: [USER], ...fields };
  const bytes = Buffer.from(JSON.stringify(body));
  return parseRequest(bytes, { ...MESSAGES_HEAD, headers }, REQUEST_LIMITS);
}

/** A request that passed every check. */
export function accepted(...args: Parameters<typeof parsed>): MessagesRequest {
  const request = parsed(...args);
  if (isRefusal(request)) throw new Error(request.message);
  return request;
}

export function messagesTarget(target: Partial<Target> = {}): Target {
  return targetOf({ upstreamModel: 'claude-opus-5-0', ...target }, 'anthropic-messages');
}
