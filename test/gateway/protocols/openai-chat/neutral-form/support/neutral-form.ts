import { isRefusal, type Refusal } from '../../../../../../gateway/platform/errors/refusal.ts';
import type { NeutralRequest } from '../../../../../../gateway/protocols/neutral-form/request.ts';
import { neutralForm } from '../../../../../../gateway/protocols/openai-chat/neutral-form.ts';
import {
  parseRequest,
  type ChatRequest,
} from '../../../../../../gateway/protocols/openai-chat/from-client/parse-request.ts';
import { REQUEST_LIMITS, type Target } from '../../../../../../gateway/protocols/protocol.ts';
import { CHAT_HEAD } from '../../../../../support/clients/chat-head.ts';
import { targetOf } from '../../../../../support/upstreams/target.ts';
import { fittedBody } from '../../../../../support/upstreams/fitted-body.ts';

export const USER = { role: 'user', content: 'U' };

/** A checked request with these fields. */
export function chatRequest(fields: object = {}): ChatRequest {
  const body = { model: 'public-model', messages: [USER], ...fields };
  return found(parseRequest(Buffer.from(JSON.stringify(body)), CHAT_HEAD, REQUEST_LIMITS));
}

/** The neutral form of a request with these fields. */
export function neutral(fields: object = {}): NeutralRequest {
  return found(neutralForm.readRequest(chatRequest(fields)));
}

/** The body for an upstream, as it is sent. */
export function written(request: NeutralRequest, target: Partial<Target> = {}): unknown {
  const whole = targetOf(target);
  const body = found(fittedBody(neutralForm, request, whole));
  return JSON.parse(JSON.stringify(body)) as unknown;
}

export function found<Value extends object>(value: Value | Refusal): Value {
  if (isRefusal(value)) throw new Error(value.message);
  return value;
}

export function refusalOf(value: object): Refusal {
  if (!isRefusal(value)) throw new Error('it was not refused');
  return value;
}
