import type { TokenCounts } from '@weir/shared/usage-record';
import { isRefusal, type Refusal } from '../../platform/errors/refusal.ts';
import type { Codec, Encoded, ParsedRequest, Protocol, Reply } from '../protocol.ts';
import type { ExchangeForm } from './exchange-form.ts';
import { fitRequest } from './fit/fit-request.ts';
import { restoreEvents } from './fit/restore-events.ts';
import { restoreReply } from './fit/restore-reply.ts';
import type { ExchangeReply } from './reply.ts';
import { withoutProofs } from './without-proofs.ts';
import { TranslatedStream } from './translated-stream.ts';

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
  return {
    upstreamProtocol: upstream.id,
    headers: () => upstreamHeaders,
    encode: (request, target): Encoded | Refusal => {
      const read = ours.readRequest(request);
      if (isRefusal(read)) return read;
      const sent = target.withoutProofs === true ? withoutProofs(read) : read;
      const fitted = fitRequest(sent, target.profile);
      if (isRefusal(fitted)) return fitted;
      const body = theirs.writeRequest(fitted.request, target);
      if (isRefusal(body)) return body;
      return {
        body: Buffer.from(JSON.stringify(body)),
        leftOut: fitted.leftOut.flatMap((name) => ours.fieldNames[name] ?? []),
        restoration: fitted.restoration,
      };
    },
    decode: (body, request, findFailure, terms) => {
      const reply = theirs.readReply(body, findFailure);
      if (reply === undefined) return undefined;
      return writtenReply(ours, restoreReply(reply, terms?.restoration), request);
    },
    forms: upstream.passThrough.forms,
    openStream: (request, findFailure, eventBytesMax, terms) =>
      new TranslatedStream(
        restoreEvents(theirs.readStream(findFailure), terms?.restoration),
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
