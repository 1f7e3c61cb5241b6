import { isJsonObject, type JsonObject } from '../../platform/json/json-value.ts';

/** A field of OpenRouter's, which Weir acts on itself. */
export const COST_FIELD = 'usage';

/**
 * Whether a client wants to be told in the usage what its request costs: `usage: {include: true}`.
 */
export function asksForCost({ usage }: JsonObject): boolean {
  return isJsonObject(usage) && usage['include'] === true;
}
