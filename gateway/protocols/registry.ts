import { anthropicMessages } from './anthropic-messages/protocol.ts';
import { isGenerating, translate } from './exchange-form/translate.ts';
import { gemini } from './gemini/protocol.ts';
import { openaiChat } from './openai-chat/protocol.ts';
import { openaiCompletions } from './openai-completions/protocol.ts';
import { openaiEmbeddings } from './openai-embeddings/protocol.ts';
import { openaiResponses } from './openai-responses/protocol.ts';
import type { Codec, Endpoint, Protocol, ProtocolId } from './protocol.ts';

/** Every protocol that clients may speak. */
export const PROTOCOLS: readonly Protocol[] = [
  openaiChat,
  openaiResponses,
  openaiCompletions,
  openaiEmbeddings,
  anthropicMessages,
  gemini,
];

const BY_ID: ReadonlyMap<ProtocolId, Protocol> = new Map(
  PROTOCOLS.map((protocol) => [protocol.id, protocol]),
);

export function protocolOf(id: ProtocolId): Protocol {
  const protocol = BY_ID.get(id);
  if (protocol === undefined) throw new Error(`the registry lacks the protocol ${id}`);
  return protocol;
}

/** An endpoint with the protocol that serves it. */
export interface ServedEndpoint extends Endpoint {
  readonly protocol: Protocol;
}

/** An endpoint that a path has led to. */
export interface EndpointMatch {
  readonly endpoint: ServedEndpoint;
  /** The model that the path names; null where the body does. */
  readonly pathModel: string | null;
}

export const ENDPOINTS: readonly ServedEndpoint[] = PROTOCOLS.flatMap((protocol) =>
  protocol.endpoints.map((endpoint) => ({ ...endpoint, protocol })),
);

/** The dialect of paths that belong to no protocol. */
export const DEFAULT_DIALECT: Protocol = openaiChat;

/**
 * Returns the codecs between what a client speaks and an upstream that speaks these protocols, the
 * best first: the pass-through where both speak the same, then translations.
 * @param spoken by the upstream, the best first
 */
export function codecsFor(protocol: Protocol, spoken: readonly ProtocolId[]): readonly Codec[] {
  const passThrough = spoken.includes(protocol.id) ? [protocol.passThrough] : [];
  if (!isGenerating(protocol)) return passThrough;
  const translations = spoken
    .filter((id) => id !== protocol.id)
    .flatMap((id) => BY_ID.get(id) ?? [])
    .filter((candidate) => isGenerating(candidate))
    .map((upstream) => translate(protocol, upstream));
  return [...passThrough, ...translations];
}
