import type { Codec } from '../../protocol.ts';
import type { RerankRequest } from '../from-client/parse-request.ts';
import { readRanking } from './read-ranking.ts';
import { rerankForms } from './reply-forms.ts';
import { writeRequest } from './write-request.ts';

/** For upstreams of all three vendors: each request is written in the form of its upstream. */
export const passThrough: Codec<RerankRequest> = {
  upstreamProtocol: 'rerank',
  encode: (request, target) => {
    const json = JSON.stringify(writeRequest(request, target));
    const body = target.allocate(Buffer.byteLength(json));
    body.write(json);
    return { body };
  },
  decode: (body, request) => readRanking(body, request),
  forms: rerankForms,
  openStream: () => {
    throw new Error('rankings are not streamed');
  },
};
