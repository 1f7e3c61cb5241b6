import { randomUUID } from 'node:crypto';
import { isJsonObject } from '../../../platform/json/json-value.ts';
import type { RerankRequest } from '../from-client/parse-request.ts';

/** A document by its place in the request. */
export interface Ranked {
  readonly index: number;
  readonly score: number;
}

/** What a reply says around its list. */
export interface RankingFrame {
  /** Cohere's id of the reply; null: one is made. */
  readonly id: string | null;
  /** Null where the upstream reports none. */
  readonly units: number | null;
  readonly tokens: number;
}

/** Writes a ranking in the form of the client: Voyage's, or Cohere's with Jina's usage in it. */
export function writeRanking(
  ranked: readonly Ranked[],
  request: RerankRequest,
  { id, units, tokens }: RankingFrame,
): Buffer {
  const { model, returned, isVoyage } = request;
  const results = ranked.map(({ index, score }) => ({
    index,
    relevance_score: score,
    ...(returned === null ? {} : { document: documentOf(returned[index], isVoyage) }),
  }));
  const usage = { total_tokens: tokens, prompt_tokens: tokens };
  if (isVoyage) {
    return bytesOf({ object: 'list', data: results, model, usage: { total_tokens: tokens } });
  }
  const billed = units === null ? {} : { billed_units: { search_units: units } };
  const meta = { api_version: { version: '2' }, ...billed };
  return bytesOf({ id: id ?? randomUUID(), object: 'list', model, results, meta, usage });
}

/** Voyage's clients read the text itself, others an object with it. */
function documentOf(document: unknown, isVoyage: boolean): unknown {
  if (isVoyage) return isJsonObject(document) ? document['text'] : document;
  return isJsonObject(document) ? document : { text: document };
}

function bytesOf(reply: object): Buffer {
  return Buffer.from(JSON.stringify(reply));
}
