import type { Codec } from '../protocol.ts';
import { encodeRequest } from './encode-request.ts';
import type { ResponsesRequest } from './parse-request.ts';
import { responseForms } from './reply/other-form.ts';
import { readCompaction } from './reply/compaction.ts';
import { readResponse } from './reply/responses-reply.ts';
import { ResponsesStream } from './stream/responses-stream.ts';

/** For upstreams that speak Responses: bytes pass, but for what has to differ. */
export const passThrough: Codec<ResponsesRequest> = {
  upstreamProtocol: 'openai-responses',
  encode: encodeRequest,
  decode: (body, request, _findFailure, terms) =>
    request.compacts
      ? readCompaction(body, request.model, terms)
      : readResponse(body, request.model, terms),
  forms: responseForms,
  openStream: (request, findFailure, eventBytesMax, terms) =>
    new ResponsesStream({ publicModel: request.model, findFailure, eventBytesMax, ...terms }),
};
