import { shapes } from '../../fields/shape.ts';
import { USAGE_FIELDS } from '../../openai-family/known-fields.ts';

/**
 * OpenAI's published fields (`CreateEmbeddingResponse` of its SDK). The embeddings are not looked
 * into: they are most of the bytes.
 */
export const EMBEDDING_REPLY_FIELDS = shapes('object model', [
  ['data', 'any'],
  ['usage', USAGE_FIELDS],
]);
