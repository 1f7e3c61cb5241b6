import { rewriteMembers } from '../../../platform/json/rewrite-members.ts';
import { requestEdits } from '../../openai-family/request-edits.ts';
import type { Codec } from '../../protocol.ts';
import type { EmbeddingsRequest } from '../from-client/parse-request.ts';
import { readEmbeddings } from './embeddings-reply.ts';
import { embeddingForms } from './reply-forms.ts';

/** For upstreams that serve embeddings: bytes pass, except for what has to differ. */
export const passThrough: Codec<EmbeddingsRequest> = {
  upstreamProtocol: 'openai-embeddings',
  encode: (request, target) => {
    const edits = requestEdits(request, target);
    const { bytes, members } = request;
    return {
      body: edits.length === 0 ? bytes : rewriteMembers(bytes, members, edits, target.allocate),
    };
  },
  decode: (body, request, _findFailure, terms) => readEmbeddings(body, request, terms),
  forms: embeddingForms,
  openStream: () => {
    throw new Error('embeddings are not streamed');
  },
};
