import type { TokenCounts } from '@weir/shared/usage-record';
import { isRefusal, type Refusal } from '../../platform/errors/refusal.ts';
import type { Codec, ParsedRequest, Protocol, Reply } from '../protocol.ts';
import type { ExchangeForm } from './exchange-form.ts';
import type { ExchangeReply } from './reply.ts';
import { withoutProofs } from './without-proofs.ts';
import { cutAtStop, readUntilStop } from './stop-sequences.ts';
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
  const { upstreamHeaders = [], lacksStop = false } = theirs;
  const stopsOf = (request: ParsedRequest): readonly string[] =>
    lacksStop ? stopSequencesOf(request, ours) : [];
  return {
    upstreamProtocol: upstream.id,
    headers: () => upstreamHeaders,
    encode: (request, target): Buffer | Refusal => {
      const read = ours.readRequest(request);
      if (isRefusal(read)) return read;
      const sent = target.withoutProofs === true ? withoutProofs(read) : read;
      const body = theirs.writeRequest(sent, target);
      return isRefusal(body) ? body : Buffer.from(JSON.stringify(body));
    },
    decode: (body, request, findFailure) => {
      const reply = theirs.readReply(body, findFailure);
      if (reply === undefined) return undefined;
      const stops = stopsOf(request);
      return writtenReply(ours, stops.length === 0 ? reply : cutAtStop(reply, stops), request);
    },
    forms: upstream.passThrough.forms,
    openStream: (request, findFailure, eventBytesMax) => {
      const stops = stopsOf(request);
      const reader = theirs.readStream(findFailure);
      return new TranslatedStream(
        stops.length === 0 ? reader : readUntilStop(reader, stops),
        ours.writeStream(request),
        eventBytesMax,
      );
    },
  };
}

/** What the names of stop sequences begin with in every protocol. */
const STOP_FIELD = '"stop';

/** Few requests have any: the others are not read once more. */
function stopSequencesOf(request: ParsedRequest, ours: ExchangeForm): readonly string[] {
  if (!request.bytes.includes(STOP_FIELD)) return [];
  const read = ours.readRequest(request);
  return isRefusal(read) ? [] : (read.stop ?? []).filter((sequence) => sequence !== '');
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
