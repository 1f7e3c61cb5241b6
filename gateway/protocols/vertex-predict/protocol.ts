import type { ReplyForms, UpstreamProtocol } from '../protocol.ts';
import { ENDED_EARLY } from '../sse/reply-form.ts';
import { embedding } from './embedding.ts';
import { readImages } from './read-images.ts';

/** Nothing of it is streamed. */
const forms: ReplyForms = { toStream: () => undefined, toWhole: () => ENDED_EARLY };

/**
 * `predict` of Vertex AI, which makes embeddings of texts. The path says which model. No client
 * speaks it to Weir.
 */
export const vertexPredict: UpstreamProtocol = {
  id: 'vertex-predict',
  name: 'Vertex predict',
  forms,
  embedding,
  readImages,
};
