import type { TokenCounts } from '@weir/shared/watch/usage-record';
import {
  isJsonObject,
  parseOwnObject,
  type JsonObject,
} from '../../../platform/json/json-value.ts';
import { withoutByteOrderMark } from '../../../platform/json/utf8-text.ts';
import type { Reply } from '../../protocol.ts';
import type { RerankRequest } from '../from-client/parse-request.ts';
import { estimatedUnits } from '../wire/search-units.ts';
import { writeRanking, type Ranked } from './write-ranking.ts';

const NO_TOKENS: TokenCounts = {
  input: 0,
  cachedInput: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: 0,
};

/** Reads a ranking of any vendor; undefined when it is none. */
export function readRanking(received: Buffer, request: RerankRequest): Reply | undefined {
  const reply = parseOwnObject(withoutByteOrderMark(received));
  const ranked = reply && readRanked(reply['results'] ?? reply['data'], request);
  if (reply === undefined || ranked === undefined) return undefined;
  const units = reportedUnits(reply);
  const tokens = reportedTokens(reply);
  const { query, texts } = request;
  const searchUnit = units ?? estimatedUnits(query, texts);
  const usage = { ...NO_TOKENS, input: tokens ?? 0, extra: { searchUnit } };
  const id = typeof reply['id'] === 'string' ? reply['id'] : null;
  const write = (counted: number): Buffer =>
    writeRanking(ranked, request, { id, units, tokens: counted });
  return {
    bytes: write(tokens ?? 0),
    withUsage: ({ input }) => write(input),
    usage,
    isEstimate: units === null,
    deliveredText: () => '',
  };
}

function readRanked(list: unknown, { texts, topN }: RerankRequest): readonly Ranked[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const ranked = list.map((one: unknown): Ranked | undefined => {
    if (!isJsonObject(one)) return undefined;
    const { index, relevance_score: score } = one;
    const isKnown =
      Number.isSafeInteger(index) && Number(index) >= 0 && Number(index) < texts.length;
    return isKnown && typeof score === 'number' ? { index: Number(index), score } : undefined;
  });
  if (!ranked.every((one) => one !== undefined)) return undefined;
  // A server that does not know the limit's name.
  return topN === null ? ranked : ranked.slice(0, topN);
}

/** Cohere's `meta.billed_units.search_units`; null: it reports none. */
function reportedUnits({ meta }: JsonObject): number | null {
  const billed = isJsonObject(meta) ? meta['billed_units'] : undefined;
  return isJsonObject(billed) ? countOf(billed['search_units']) : null;
}

/**
 * `usage.total_tokens` of Jina and Voyage, `meta.tokens` of Cohere, or the total among the billed
 * units of servers such as vLLM; null: it reports none.
 */
function reportedTokens({ usage, meta }: JsonObject): number | null {
  const of = (object: unknown, name: string): number | null =>
    isJsonObject(object) ? countOf(object[name]) : null;
  const { tokens, billed_units: billed } = isJsonObject(meta) ? meta : {};
  return of(usage, 'total_tokens') ?? of(tokens, 'input_tokens') ?? of(billed, 'total_tokens');
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && value > 0 ? Math.ceil(value) : null;
}
