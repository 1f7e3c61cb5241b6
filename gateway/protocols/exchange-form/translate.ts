import type { TokenCounts } from '@weir/shared/usage-record';
import type { Codec, ParsedRequest, Protocol, Reply } from '../protocol.ts';
import type { ExchangeForm } from './exchange-form.ts';
import type { ExchangeReply } from './reply.ts';
import type { ExchangeRequest } from './request.ts';
import { TranslatedStream } from './translated-stream.ts';
import { encodeWith, type Translation } from './translation.ts';
import { withoutProofs } from './without-proofs.ts';

/** A protocol that can be translated. */
export type GeneratingProtocol = Protocol & { readonly exchange: ExchangeForm };

export function isGenerating(protocol: Protocol): protocol is GeneratingProtocol {
  return protocol.exchange !== undefined;
}

/** The codec between a client of one protocol and an upstream of another. */
export function translate(client: GeneratingProtocol, upstream: GeneratingProtocol): Codec {
  const { exchange: ours } = client;
  const { exchange: theirs } = upstream;
  const { upstreamHeaders = [] } = theirs;
  const translation: Translation<ExchangeRequest> = {
    read: (request) => ours.readRequest(request),
    write: (neutral, target) =>
      theirs.writeRequest(target.withoutProofs === true ? withoutProofs(neutral) : neutral, target),
  };
  return {
    upstreamProtocol: upstream.id,
    headers: () => upstreamHeaders,
    translation,
    encode: (request, target) => encodeWith(translation, request, target),
    decode: (body, request, findFailure) => {
      const reply = theirs.readReply(body, findFailure);
      return reply === undefined ? undefined : writtenReply(ours, reply, request);
    },
    forms: upstream.passThrough.forms,
    openStream: (request, findFailure, eventBytesMax) =>
      new TranslatedStream(
        theirs.readStream(findFailure),
        ours.writeStream(request),
        eventBytesMax,
      ),
  };
}

function writtenReply(ours: ExchangeForm, reply: ExchangeReply, request: ParsedRequest): Reply {
  const withUsage = (usage: TokenCounts | null): Buffer => ours.writeReply(reply, request, usage);
  return {
    bytes: withUsage(reply.usage),
    usage: reply.usage,
    withUsage,
    deliveredText: () => textOf(reply),
  };
}

/** What can be counted. The bytes of an image say nothing of its tokens. */
function textOf({ parts, refusal = '' }: ExchangeReply): string {
  const texts = parts.map((part) => {
    if (part.type === 'image') return '';
    return part.type === 'tool_call' ? part.name + part.input : part.text;
  });
  return texts.join('') + refusal;
}
