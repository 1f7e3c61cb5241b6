import type { Codec } from '../protocol.ts';
import { encodeRequest } from './encode-request.ts';
import type { GeminiRequest } from './parse-request.ts';
import { readGeminiReply } from './reply/gemini-reply.ts';
import { geminiForms } from './reply/other-form.ts';
import { GeminiStream } from './stream/gemini-stream.ts';

/** For upstreams that speak Gemini: bytes pass, but for what has to differ. */
export const passThrough: Codec<GeminiRequest> = {
  upstreamProtocol: 'gemini',
  encode: encodeRequest,
  decode: (body, request, findFailure) => readGeminiReply(body, request.model, findFailure),
  forms: geminiForms,
  openStream: (request, findFailure, eventBytesMax) =>
    new GeminiStream(request, findFailure, eventBytesMax),
};
