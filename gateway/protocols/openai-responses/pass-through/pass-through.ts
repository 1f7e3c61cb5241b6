import { parseOwnObject } from '../../../platform/json/json-value.ts';
import { withoutByteOrderMark } from '../../../platform/json/utf8-text.ts';
import type { Codec, Reply, ReplyTerms } from '../../protocol.ts';
import { responseEdits } from '../from-upstream/response-edits.ts';
import { encodeRequest } from '../to-upstream/encode-request.ts';
import type { ResponsesRequest } from '../from-client/parse-request.ts';
import { responseForms } from './reply-forms.ts';
import { isResponse, readResponse, replyOf } from '../from-upstream/responses-reply.ts';
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

/** Reads a compacted conversation; undefined when it is none. Few upstreams name a model in it. */
function readCompaction(
  received: Buffer,
  publicModel: string,
  terms: ReplyTerms = {},
): Reply | undefined {
  const body = withoutByteOrderMark(received);
  const compaction = parseOwnObject(body);
  if (compaction === undefined || !isResponse(compaction)) return undefined;
  const names = compaction['model'] === undefined ? [] : responseEdits(compaction, { publicModel });
  return replyOf(body, compaction, names, terms);
}
