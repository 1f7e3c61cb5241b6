import {
  stringOf,
  type JsonObject,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';

/** Members of a detail that come in pieces. */
const PIECES = ['text', 'summary', 'data'] as const;

/**
 * Adds the pieces of `reasoning_details` that a chunk has to those that came before: pieces of one
 * index and type are one detail.
 */
export function joinDetails(joined: OwnJsonObject[], pieces: readonly JsonObject[]): void {
  for (const piece of pieces) {
    const known = joined.findLast(
      ({ index, type }) => index === piece['index'] && type === piece['type'],
    );
    if (known === undefined) {
      joined.push({ ...piece });
      continue;
    }
    for (const [name, value] of Object.entries(piece)) {
      const grows = PIECES.some((one) => one === name);
      if (grows) known[name] = stringOf(known[name]) + stringOf(value);
      else if (value !== null) known[name] = value;
    }
  }
}
