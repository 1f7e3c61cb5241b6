import { encoderFor } from '../../../tokens/encoders.ts';
import { readPromptBody } from '../../../tokens/prompt-counter.ts';
import { countTexts } from '../../../tokens/text-counter.ts';
import { rerankTokensBound } from '../wire/search-units.ts';
import { readDocuments } from './read-documents.ts';

/** Tokens of the texts, and of the query once for each of them, as Jina and Voyage count them. */
export function* countPrompt(model: string, body: Uint8Array): Generator<undefined, number> {
  const request = readPromptBody(body);
  const texts = readDocuments(request?.['documents']);
  const query = request?.['query'];
  if (texts === undefined || typeof query !== 'string') return body.length;
  const encoder = encoderFor(model);
  const ofQuery = yield* countTexts(encoder, [query]);
  const ofTexts = yield* countTexts(encoder, texts);
  return Math.min(ofQuery * texts.length + ofTexts, rerankTokensBound(query, texts));
}
