import type { Codec, Target } from '../../protocol.ts';
import type { RerankRequest } from '../from-client/parse-request.ts';
import { readRanking } from './read-ranking.ts';
import { rerankForms } from './reply-forms.ts';
import type { OwnJsonObject } from '../../../platform/json/json-value.ts';

/** Voyage's models, which take `top_k` and refuse what Cohere's and Jina's take. */
const VOYAGE = /^(?:voyage(?:ai)?\/)?rerank-(?:lite-)?\d/i;

/**
 * Writes a request in the form of the upstream. Documents are not asked for: the reply has them
 * from the request.
 */
function writeRequest(request: RerankRequest, target: Target): OwnJsonObject {
  const { query, texts, topN, tokensPerText, truncates } = request;
  const { upstreamModel: model, omittedFields } = target;
  const isVoyage = VOYAGE.test(model) || omittedFields.includes('top_n');
  const fields = isVoyage
    ? { top_k: topN, truncation: truncates }
    : { top_n: topN, max_tokens_per_doc: tokensPerText };
  const kept = Object.entries(fields).filter(
    ([name, value]) => value !== null && !omittedFields.includes(name),
  );
  return { model, query, documents: [...texts], ...Object.fromEntries(kept) };
}

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
