import { isRefusal, type Refusal } from '../../../../../../gateway/platform/errors/refusal.ts';
import type { JsonObject } from '../../../../../../gateway/platform/json/json-value.ts';
import { neutralForm } from '../../../../../../gateway/protocols/anthropic-messages/neutral-form.ts';
import type { NeutralEvent } from '../../../../../../gateway/protocols/neutral-form/reply.ts';
import type { NeutralRequest } from '../../../../../../gateway/protocols/neutral-form/request.ts';
import type { Target } from '../../../../../../gateway/protocols/protocol.ts';
import { accepted, messagesTarget } from '../../../../../support/clients/messages-request.ts';
import { eventsOf } from '../../../../../support/clients/messages-wire.ts';
import { fittedBody } from '../../../../../support/upstreams/fitted-body.ts';

export function found<Value extends object>(value: Value | Refusal): Value {
  if (isRefusal(value)) throw new Error(value.message);
  return value;
}

/** The neutral form of a request with these fields. */
export function neutral(fields: object = {}): NeutralRequest {
  return found(neutralForm.readRequest(accepted(fields)));
}

/** A neutral request of one message. */
export function asked(fields: Partial<NeutralRequest> = {}): NeutralRequest {
  return {
    stream: false,
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'U' }] }],
    tools: [],
    choices: 1,
    ...fields,
  };
}

/** The body for an upstream, as it is sent. */
export function written(request: NeutralRequest, target: Partial<Target> = {}): JsonObject {
  const whole = messagesTarget(target);
  const body = found(fittedBody(neutralForm, request, whole));
  return JSON.parse(JSON.stringify(body)) as JsonObject;
}

/** Returns the stream that a client gets for these events. */
export function streamed(events: readonly NeutralEvent[]): string {
  const writer = neutralForm.writeStream(accepted({ stream: true }));
  const sent = events.map((event) => writer.write(event));
  return sent.join('') + writer.endMarker(null);
}

/** The neutral events of a stream. */
export function readEvents(stream: string): NeutralEvent[] {
  const reader = neutralForm.readStream(() => undefined);
  return eventsOf(stream).flatMap(({ name, data }) => [
    ...reader.read(name, Buffer.from(JSON.stringify(data))),
  ]);
}
