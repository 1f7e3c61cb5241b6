import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { isJsonObject, parseOwnObject } from '../../platform/json/json-value.ts';
import { withoutByteOrderMark } from '../../platform/json/utf8-text.ts';
import { invalidValue } from '../fields/field-faults.ts';
import {
  vectorOf,
  type EmbeddingInput,
  type UpstreamEmbeddingForm,
} from '../neutral-form/translations/embedding.ts';

/**
 * Texts of one request. Source: Google's page "Get text embeddings", 2026-11-28: a model of the
 * family Gemini takes one, others 250.
 */
const TEXTS_MAX = 250;
const GEMINI_TEXTS_MAX = 1;
const GEMINI_FAMILY = 'gemini-embedding';

const TOKENS_REFUSED =
  'The upstream of this model reads text, and these are numbers of tokens. Send "input" as a text or an array of texts (in LangChain: check_embedding_ctx_length=False).';

/** To and from the neutral form. */
export const embedding: UpstreamEmbeddingForm = {
  writeRequest: ({ inputs, dimensions }, { upstreamModel, omittedFields }) => {
    const textsMax = upstreamModel.startsWith(GEMINI_FAMILY) ? GEMINI_TEXTS_MAX : TEXTS_MAX;
    if (inputs.length > textsMax) {
      return invalidValue(
        'input',
        `The upstream of this model embeds at most ${textsMax} ${textsMax === 1 ? 'text' : 'texts'} at once, and "input" has ${inputs.length}. Send them in several requests.`,
      );
    }
    if (!inputs.every(isText)) return invalidValue('input', TOKENS_REFUSED);
    const isSent = dimensions !== undefined && !omittedFields.includes('outputDimensionality');
    return {
      instances: inputs.map((content) => ({ content })),
      // Vertex would cut a long text silently, and its vector would be that of another text.
      parameters: { autoTruncate: false, ...(isSent && { outputDimensionality: dimensions }) },
    };
  },
  readReply: (body) => {
    const { predictions } = parseOwnObject(withoutByteOrderMark(body)) ?? {};
    if (!Array.isArray(predictions)) return undefined;
    const read = predictions.flatMap((one: unknown) => {
      const embeddings = isJsonObject(one) ? one['embeddings'] : undefined;
      if (!isJsonObject(embeddings)) return [];
      const vector = vectorOf(embeddings['values']);
      return vector === undefined ? [] : [{ vector, tokens: tokensOf(embeddings['statistics']) }];
    });
    const tokens = read.map((one) => one.tokens);
    return { vectors: read.map(({ vector }) => vector), usage: usageOf(tokens) };
  },
};

function isText(input: EmbeddingInput): input is string {
  return typeof input === 'string';
}

function tokensOf(statistics: unknown): number | undefined {
  const count = isJsonObject(statistics) ? statistics['token_count'] : undefined;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** Null where one of the texts has no count: what is not reported is counted. */
function usageOf(tokens: readonly (number | undefined)[]): TokenCounts | null {
  const counts = tokens.filter((count) => count !== undefined);
  if (counts.length === 0 || counts.length < tokens.length) return null;
  const input = counts.reduce((sum, count) => sum + count, 0);
  return { input, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 };
}
