import type { Codec } from '../../protocol.ts';
import { encodeRequest } from '../to-upstream/encode-request.ts';
import type { ResponsesRequest } from '../from-client/parse-request.ts';
import { responseForms } from './reply-forms.ts';
import { readCompaction } from './compaction.ts';
import { readResponse } from '../from-upstream/responses-reply.ts';
import { ResponsesStream } from './responses-stream.ts';

/** For upstreams that speak Responses: bytes pass, except for what has to differ. */
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
