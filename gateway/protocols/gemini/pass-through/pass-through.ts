import type { Codec } from '../../protocol.ts';
import { decodeEmbed, encodeEmbed } from '../embed.ts';
import { encodeRequest } from '../to-upstream/encode-request.ts';
import type { GeminiRequest } from '../from-client/parse-request.ts';
import { readGeminiReply } from '../from-upstream/gemini-reply.ts';
import { geminiForms } from './reply-forms.ts';
import { GeminiStream } from './gemini-stream.ts';

/** For upstreams that speak Gemini: bytes pass, except for what has to differ. */
export const passThrough: Codec<GeminiRequest> = {
  upstreamProtocol: 'gemini',
  encode: (request, target) =>
    request.embeds === undefined
      ? encodeRequest(request, target)
      : { body: encodeEmbed(request, target) },
  decode: (body, request, findFailure, terms) =>
    request.embeds === undefined
      ? readGeminiReply(body, request.model, findFailure, terms)
      : decodeEmbed(body, request, terms),
  forms: geminiForms,
  openStream: (request, findFailure, eventBytesMax, terms) =>
    new GeminiStream(request, { findFailure, eventBytesMax, fieldPolicy: terms?.fieldPolicy }),
};
