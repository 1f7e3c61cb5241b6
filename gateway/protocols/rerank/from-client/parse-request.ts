import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import type { OwnJsonObject } from '../../../platform/json/json-value.ts';
import type { AskedVariant } from '../../../pricing/variants.ts';
import { asksForCost } from '../../fields/asks-for-cost.ts';
import { checkBoolean, checkModel, checkWhole } from '../../fields/field-checks.ts';
import { invalidValue, missing, wrongType } from '../../fields/field-faults.ts';
import { fieldRules, readFields } from '../../openai-family/check-fields.ts';
import type { ParsedRequest, RequestHead, RequestLimits } from '../../protocol.ts';
import { estimatedTokens, rerankTokensBound, searchUnitsMax } from '../wire/search-units.ts';
import { readDocuments } from './read-documents.ts';

/** A request to sort texts that passed every check, in one form for all upstreams. */
export interface RerankRequest extends ParsedRequest {
  readonly query: string;
  readonly texts: readonly string[];
  /** Null: all. */
  readonly topN: number | null;
  /** The documents as the client sent them, for its reply; null: it wants none. */
  readonly returned: readonly unknown[] | null;
  /** Text beyond is not read; null: the upstream decides. */
  readonly tokensPerText: number | null;
  readonly truncates: boolean | null;
  /** The form of the reply: Voyage's, or one that Cohere's and Jina's clients read. */
  readonly isVoyage: boolean;
}

/** Cohere's limit is 10,000, Jina's 2,048, Voyage's 1,000. */
const DOCUMENTS_MAX = 10_000;

const RULES = fieldRules([
  ['model', checkModel],
  ['query', checkText],
  ['documents', checkDocuments],
  ['top_n', checkCount],
  ['top_k', checkCount],
  ['return_documents', checkBoolean],
  ['truncation', checkBoolean],
  ['max_tokens_per_doc', checkCount],
]);

/** Fields that an upstream gets, or that are answered here. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([...RULES.checks.keys(), 'rank_fields']);
/** No byte of the body reaches an upstream: each gets one that is built from what was read. */
const NONE_REPLACED: ReadonlySet<string> = new Set();
const NO_METERS: readonly never[] = [];
const NO_VARIANT: AskedVariant = { words: [], open: 0 };

/** Reads a request in Cohere's, Jina's or Voyage's form; `top_k` is Voyage's word for `top_n`. */
export function parseRequest(
  body: Buffer,
  _head: RequestHead,
  limits: RequestLimits,
): RerankRequest | Refusal {
  const read = readFields(body, { rules: RULES, replaced: NONE_REPLACED }, limits);
  if (isRefusal(read)) return read;
  const { bytes, value, keys } = read;
  const { model, query, documents, rank_fields: rankFields } = value;
  if (typeof model !== 'string') {
    return missing('model', '"model" is missing. Send the ID of a model from the price list.');
  }
  if (typeof query !== 'string' || query === '') {
    return missing('query', '"query" is missing. Send the text that documents are compared with.');
  }
  if (!Array.isArray(documents)) {
    return missing('documents', '"documents" is missing. Send a list of texts.');
  }
  const texts = readDocuments(documents, rankFields);
  if (texts === undefined) return notTexts();
  const topN = numberOf(value, 'top_n') ?? numberOf(value, 'top_k');
  const tokensPerText = numberOf(value, 'max_tokens_per_doc');
  const bound = rerankTokensBound(query, texts);
  return {
    model,
    stream: false,
    maxOutputTokens: 0,
    heldInSlices: false,
    meters: NO_METERS,
    units: {
      meter: 'searchUnit',
      count: searchUnitsMax(query, texts),
      variant: NO_VARIANT,
    },
    withheldFields: keys.filter((name) => !KNOWN_FIELDS.has(name)),
    conversation: null,
    choices: 1,
    promptTokensBound: bound,
    textTokensBound: bound,
    promptTokensEstimate: estimatedTokens(query, texts),
    hasUnboundedParts: false,
    reportsCost: asksForCost(value),
    query,
    texts,
    topN,
    returned: value['return_documents'] === true ? documents : null,
    tokensPerText,
    truncates: typeof value['truncation'] === 'boolean' ? value['truncation'] : null,
    isVoyage: 'top_k' in value || 'truncation' in value,
    bytes,
  };
}

function numberOf(value: OwnJsonObject, name: string): number | null {
  const number = value[name];
  return typeof number === 'number' ? number : null;
}

function checkText(key: string, value: unknown): Refusal | undefined {
  return typeof value === 'string' ? undefined : wrongType(key, 'a string', value);
}

function checkCount(key: string, value: unknown): Refusal | undefined {
  return checkWhole(key, value, Number.MAX_SAFE_INTEGER);
}

function checkDocuments(key: string, value: unknown): Refusal | undefined {
  if (!Array.isArray(value)) return wrongType(key, 'an array of strings', value);
  if (value.length === 0) return invalidValue(key, `"${key}" is empty. Send at least one text.`);
  if (value.length <= DOCUMENTS_MAX) return undefined;
  return invalidValue(key, `"${key}" has more than ${DOCUMENTS_MAX} texts. Send them in parts.`);
}

function notTexts(): Refusal {
  return invalidValue(
    'documents',
    'Each of "documents" must be a text, an object with a "text", or one with the fields that "rank_fields" names.',
  );
}
