/** Requests of the neutral form as Converse gets them, and its events as they are decoded. */
import { isRefusal, type Refusal } from '../../../../../gateway/platform/errors/refusal.ts';
import { neutralForm } from '../../../../../gateway/protocols/bedrock-converse/neutral-form.ts';
import { fitRequest } from '../../../../../gateway/protocols/neutral-form/fit/fit-request.ts';
import type { NeutralEvent } from '../../../../../gateway/protocols/neutral-form/reply.ts';
import type { NeutralRequest } from '../../../../../gateway/protocols/neutral-form/request.ts';
import type { Target } from '../../../../../gateway/protocols/protocol.ts';
import { readEvents } from '../../../../../gateway/protocols/sse/read-events.ts';
import { targetOf } from '../../../../support/upstreams/target.ts';

export type Json = Readonly<Record<string, unknown>>;

export const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
export const NOVA = 'us.amazon.nova-pro-v1:0';

/** A user who says "Hi". */
export const HELLO: NeutralRequest = {
  stream: false,
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
  tools: [],
  choices: 1,
};

export function written(
  request: Partial<NeutralRequest>,
  upstreamModel = CLAUDE,
  target: Partial<Target> = {},
): Json | Refusal {
  const to = targetOf({ upstreamModel, ...target }, 'bedrock-converse');
  const fitted = fitRequest({ ...HELLO, ...request }, to.profile);
  return isRefusal(fitted) ? fitted : neutralForm.writeRequest(fitted.request, to);
}

/** The body, as JSON has it. */
export function bodyOf(...given: Parameters<typeof written>): Json {
  const body = written(...given);
  if (isRefusal(body)) throw new Error(body.message);
  return JSON.parse(JSON.stringify(body)) as Json;
}

export function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

export function eventsOf(stream: string | Buffer): NeutralEvent[] {
  const reader = neutralForm.readStream(() => undefined);
  const events = readEvents(Buffer.from(stream)).flatMap(({ name, data }) =>
    reader.read(name, data),
  );
  return [...events, ...reader.close()];
}

export const USAGE = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
