import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { isRefusal } from '../../../platform/errors/refusal.ts';
import type { Codec, Protocol, UpstreamProtocol } from '../../protocol.ts';
import type { EmbeddingForm, EmbeddingRequest, UpstreamEmbeddingForm } from './embedding.ts';
import { encodeWith, type Translation } from './translation.ts';

/** A protocol whose requests for embeddings can be translated. */
export type EmbeddingProtocol = Protocol & { readonly embedding: EmbeddingForm };

/** The same of upstreams. */
export type EmbeddingUpstream = UpstreamProtocol & { readonly embedding: UpstreamEmbeddingForm };

export function isEmbedding(protocol: Protocol): protocol is EmbeddingProtocol;
export function isEmbedding(protocol: UpstreamProtocol): protocol is EmbeddingUpstream;
export function isEmbedding({ embedding }: UpstreamProtocol): boolean {
  return embedding !== undefined;
}

/**
 * The codec for embeddings between a client of one protocol and an upstream of another. The numbers
 * of a vector are not changed: it is the same model that has made them.
 */
export function translateEmbedding(client: EmbeddingProtocol, upstream: EmbeddingUpstream): Codec {
  const { embedding: ours } = client;
  const { embedding: theirs } = upstream;
  const translation: Translation<EmbeddingRequest> = {
    read: (request) => ours.readRequest(request),
    write: (neutral, target) => {
      const body = theirs.writeRequest(neutral, target);
      return isRefusal(body) ? body : { body };
    },
  };
  return {
    upstreamProtocol: upstream.id,
    translation,
    encode: (request, target) => encodeWith(translation, request, target),
    decode: (body, request) => {
      const reply = theirs.readReply(body);
      // A list that lacks a vector gives others the wrong text.
      if (reply?.vectors.length !== ours.inputsOf(request)) return undefined;
      const withUsage = (usage: TokenCounts | null): Buffer =>
        ours.writeReply(reply, request, usage);
      return {
        bytes: withUsage(reply.usage),
        usage: reply.usage,
        withUsage,
        deliveredText: () => '',
      };
    },
    forms: upstream.forms,
    openStream: () => {
      throw new Error('embeddings are not streamed');
    },
  };
}
