import { isRefusal } from '../../../../gateway/platform/errors/refusal.ts';
import { targetOf } from '../../../support/upstreams/target.ts';
import {
  isGenerating,
  translate,
  type GeneratingProtocol,
} from '../../../../gateway/protocols/neutral-form/translations/translate.ts';
import { anthropicMessages } from '../../../../gateway/protocols/anthropic-messages/protocol.ts';
import { openaiChat } from '../../../../gateway/protocols/openai-chat/protocol.ts';
import { openaiResponses } from '../../../../gateway/protocols/openai-responses/protocol.ts';
import {
  REQUEST_LIMITS,
  type ParsedRequest,
  type Protocol,
  type Target,
} from '../../../../gateway/protocols/protocol.ts';

export const TARGET: Target = responsesTarget();

function responsesTarget(): Target {
  return targetOf({ upstreamModel: 'upstream-model', outputTokensMax: 16_000 }, 'openai-responses');
}

function generating(protocol: Protocol): GeneratingProtocol {
  if (!isGenerating(protocol)) throw new Error(`${protocol.id} is not translated`);
  return protocol;
}

export const RESPONSES = generating(openaiResponses);
export const CHAT = generating(openaiChat);
export const MESSAGES = generating(anthropicMessages);

export function parsedBy(protocol: Protocol, body: unknown): ParsedRequest {
  const [endpoint] = protocol.endpoints;
  if (endpoint === undefined) throw new Error('no endpoint');
  const head = { endpoint, pathModel: null, query: '', headers: {} };
  const request = protocol.parse(Buffer.from(JSON.stringify(body)), head, REQUEST_LIMITS);
  if (isRefusal(request)) throw new Error(request.message);
  return request;
}

/** A request of one protocol as an upstream of another gets it. */
export function sentTo(
  upstream: GeneratingProtocol,
  client: GeneratingProtocol,
  body: unknown,
  upstreamModel = 'upstream-model',
): Record<string, unknown> {
  const encoded = translate(client, upstream).encode(
    parsedBy(client, body),
    targetOf({ upstreamModel, outputTokensMax: 16_000 }, upstream.id),
  );
  if (isRefusal(encoded)) throw new Error(encoded.message);
  return JSON.parse(encoded.body.toString()) as Record<string, unknown>;
}

/** Returns a client's view of an upstream's stream. */
export function streamed(
  { client, upstream }: { client: GeneratingProtocol; upstream: GeneratingProtocol },
  body: unknown,
  packets: readonly string[],
) {
  const codec = translate(client, upstream);
  const request = parsedBy(client, body);
  codec.encode(request, TARGET);
  const stream = codec.openStream(request, () => undefined);
  let text = '';
  for (const packet of packets) text += Buffer.from(stream.push(Buffer.from(packet))).toString();
  text += Buffer.from(stream.flush()).toString();
  const before = text;
  if (stream.finished && stream.failure === null) text += stream.endMarker(null);
  return { stream, text, before };
}
