import { isRefusal, type Refusal } from '../../../../../../gateway/platform/errors/refusal.ts';
import type { JsonObject } from '../../../../../../gateway/platform/json/json-value.ts';
import { exchange } from '../../../../../../gateway/protocols/anthropic-messages/exchange.ts';
import type { ExchangeEvent } from '../../../../../../gateway/protocols/exchange-form/reply.ts';
import type { ExchangeRequest } from '../../../../../../gateway/protocols/exchange-form/request.ts';
import type { Target } from '../../../../../../gateway/protocols/protocol.ts';
import { accepted, messagesTarget } from '../../../../../support/messages-request.ts';
import { eventsOf } from '../../../../../support/messages-wire.ts';
import { adviceFitted } from '../../../../../support/advice-fitted.ts';

export function found<Value extends object>(value: Value | Refusal): Value {
  if (isRefusal(value)) throw new Error(value.message);
  return value;
}

/** The neutral form of a request with these fields. */
export function neutral(fields: object = {}): ExchangeRequest {
  return found(exchange.readRequest(accepted(fields)));
}

/** A neutral request of one message. */
export function asked(fields: Partial<ExchangeRequest> = {}): ExchangeRequest {
  return {
    stream: false,
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'U' }] }],
    tools: [],
    choices: 1,
    ...fields,
  };
}

/** The body for an upstream, as it is sent. */
export function written(request: ExchangeRequest, target: Partial<Target> = {}): JsonObject {
  const whole = messagesTarget(target);
  const fitted = adviceFitted(request, whole.profile);
  const body = found(exchange.writeRequest(fitted, whole));
  return JSON.parse(JSON.stringify(body)) as JsonObject;
}

/** What a client gets of these events. */
export function streamed(events: readonly ExchangeEvent[]): string {
  const writer = exchange.writeStream(accepted({ stream: true }));
  const sent = events.map((event) => writer.write(event));
  return sent.join('') + writer.endMarker(null);
}

/** The neutral events of a stream. */
export function readEvents(stream: string): ExchangeEvent[] {
  const reader = exchange.readStream(() => undefined);
  return eventsOf(stream).flatMap(({ name, data }) => [
    ...reader.read(name, Buffer.from(JSON.stringify(data))),
  ]);
}
