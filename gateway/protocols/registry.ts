import { anthropicMessages } from './anthropic-messages/protocol.ts';
import { bedrockConverse } from './bedrock-converse/protocol.ts';
import {
  isEmbedding,
  translateEmbedding,
} from './neutral-form/translations/translate-embedding.ts';
import { fittingPassThrough } from './neutral-form/fitting-pass-through.ts';
import { isGenerating, translate } from './neutral-form/translations/translate.ts';
import { gemini } from './gemini/protocol.ts';
import { openaiChat } from './openai-chat/protocol.ts';
import { openaiCompletions } from './openai-completions/protocol.ts';
import { openaiEmbeddings } from './openai-embeddings/protocol.ts';
import { openaiImages } from './openai-images/protocol.ts';
import { openaiModerations } from './openai-moderations/protocol.ts';
import { openaiRealtime } from './openai-realtime/protocol.ts';
import { openaiResponses } from './openai-responses/protocol.ts';
import { openaiSpeech } from './openai-speech/protocol.ts';
import { vertexPredict } from './vertex-predict/protocol.ts';
import { openaiTranscriptions } from './openai-transcriptions/protocol.ts';
import { rerank } from './rerank/protocol.ts';
import type { Endpoint } from './endpoint.ts';
import type {
  Codec,
  Protocol,
  ProtocolId,
  UpstreamProtocol,
  UpstreamProtocolId,
} from './protocol.ts';

/** Every protocol that clients may speak. */
export const PROTOCOLS: readonly Protocol[] = [
  openaiChat,
  openaiResponses,
  openaiSpeech,
  openaiCompletions,
  openaiEmbeddings,
  openaiImages,
  openaiModerations,
  openaiRealtime,
  openaiTranscriptions,
  anthropicMessages,
  gemini,
  rerank,
];

const BY_ID: ReadonlyMap<ProtocolId, Protocol> = new Map(
  PROTOCOLS.map((protocol) => [protocol.id, protocol]),
);

export function protocolOf(id: ProtocolId): Protocol {
  const protocol = BY_ID.get(id);
  if (protocol === undefined) throw new Error(`the registry lacks the protocol ${id}`);
  return protocol;
}

const UPSTREAM_BY_ID: ReadonlyMap<UpstreamProtocolId, UpstreamProtocol> = new Map(
  [...PROTOCOLS, bedrockConverse, vertexPredict].map((protocol) => [protocol.id, protocol]),
);

export function upstreamProtocolOf(id: UpstreamProtocolId): UpstreamProtocol {
  const protocol = UPSTREAM_BY_ID.get(id);
  if (protocol === undefined) throw new Error(`the registry lacks the protocol ${id}`);
  return protocol;
}

/** An endpoint with the protocol that serves it. */
export type ServedEndpoint<Kind extends Endpoint = Endpoint> = Kind & {
  readonly protocol: Protocol;
};

/** An endpoint that a path has led to. */
export interface EndpointMatch {
  readonly endpoint: ServedEndpoint;
  /** The model that the path names; null where the body does. */
  readonly pathModel: string | null;
  /** The client's ids of the stored object that the path names, and of its item. */
  readonly ids: readonly string[];
}

export const ENDPOINTS: readonly ServedEndpoint[] = PROTOCOLS.flatMap((protocol) =>
  protocol.endpoints.map((endpoint) => ({ ...endpoint, protocol })),
);

/** Returns the path of an endpoint as its clients write it. */
export function clientPath(endpoint: ServedEndpoint): string {
  const { path, basePath, protocol } = endpoint;
  const cloud = 'cloud' in endpoint ? endpoint.cloud : undefined;
  return `${cloud?.basePath ?? basePath ?? protocol.basePath ?? '/v1'}/${path}`;
}

/** The dialect of paths that belong to no protocol. */
export const DEFAULT_DIALECT: Protocol = openaiChat;

type SharedPathHead = Parameters<NonNullable<Protocol['sharesPath']>>[0];

/** Returns the protocol of a client on a path that several share, as its headers and prefix say. */
export function clientProtocol(head: SharedPathHead): Protocol {
  return PROTOCOLS.find((protocol) => protocol.sharesPath?.(head) === true) ?? DEFAULT_DIALECT;
}

/** Returns the client's own endpoint of those that several protocols have at one path. */
export function ownEndpoint(found: ServedEndpoint, head: SharedPathHead): ServedEndpoint {
  const { operation } = found;
  if (operation !== 'list' && operation !== 'show') return found;
  const protocol = clientProtocol(head);
  const own = ENDPOINTS.find((one) => one.protocol === protocol && one.operation === operation);
  return own ?? found;
}

/**
 * Returns the codecs between a client of an endpoint and an upstream that speaks these protocols,
 * the best first: the pass-through where both speak the same, then translations.
 * @param spoken by the upstream, the best first
 */
export function codecsFor(
  { protocol, operation }: Pick<ServedEndpoint, 'protocol' | 'operation'>,
  spoken: readonly UpstreamProtocolId[],
): readonly Codec[] {
  const passThrough = spoken.includes(protocol.id) ? [protocol.passThrough] : [];
  const others = spoken.filter((id) => id !== protocol.id).map(upstreamProtocolOf);
  switch (operation) {
    case 'embed': {
      if (!isEmbedding(protocol)) return passThrough;
      const upstreams = others.filter((one) => isEmbedding(one));
      return [...passThrough, ...upstreams.map((one) => translateEmbedding(protocol, one))];
    }
    case 'generate':
    case 'count': {
      if (!isGenerating(protocol)) return passThrough;
      const upstreams = others.filter((one) => isGenerating(one));
      const own = spoken.includes(protocol.id) ? [fittingPassThrough(protocol)] : [];
      return [...own, ...upstreams.map((one) => translate(protocol, one))];
    }
    case 'draw':
    case 'edit':
      return [...passThrough, ...others.flatMap((one) => drawingCodec(protocol, one))];
    case 'moderate':
    case 'transcribe':
    case 'translate':
    case 'speak':
    case 'rerank':
    case 'realtime':
    case 'compact':
      // What a vendor has compacted no other can read.
      return passThrough;
    case 'list':
    case 'show':
    case 'stored':
    case 'tool':
      // No channel is chosen by its codec for these.
      return [];
  }
}

function drawingCodec({ drawing }: Protocol, { id, readImages }: UpstreamProtocol): Codec[] {
  const open = drawing?.[id];
  return open === undefined || readImages === undefined ? [] : [open(readImages)];
}
