/** Cohere's search unit: one query with up to so many documents. */
const DOCUMENTS_PER_UNIT = 100;
/** A longer document counts as several, its query included (Cohere's pricing). */
const TOKENS_PER_CHUNK = 500;
const BYTES_PER_TOKEN = 4;

/** The most search units that a request can be charged for: a token is a byte at least. */
export function searchUnitsMax(query: string, texts: readonly string[]): number {
  return unitsOf(texts, (text) => Buffer.byteLength(query) + Buffer.byteLength(text));
}

/** About as many search units as a request has, for an upstream that reports none. */
export function estimatedUnits(query: string, texts: readonly string[]): number {
  return unitsOf(texts, (text) => tokensOf(query) + tokensOf(text));
}

/** About as many tokens as an upstream reads: the query once for each text. */
export function estimatedTokens(query: string, texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + tokensOf(query) + tokensOf(text), 0);
}

/** Tokens that an upstream adds to each pair of a query and a text. */
const PAIR_TOKENS_MAX = 8;

/** No such request has more tokens. */
export function rerankTokensBound(query: string, texts: readonly string[]): number {
  const ofQuery = Buffer.byteLength(query) + PAIR_TOKENS_MAX;
  return texts.reduce((sum, text) => sum + ofQuery + Buffer.byteLength(text), 0);
}

function unitsOf(texts: readonly string[], tokens: (text: string) => number): number {
  const chunks = texts.reduce(
    (sum, text) => sum + Math.max(1, Math.ceil(tokens(text) / TOKENS_PER_CHUNK)),
    0,
  );
  return Math.ceil(chunks / DOCUMENTS_PER_UNIT);
}

function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
