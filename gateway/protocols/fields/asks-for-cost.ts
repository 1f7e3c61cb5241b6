import { isJsonObject, type JsonObject } from '../../platform/json/json-value.ts';

/** A field of OpenRouter's, which Weir acts on itself. */
export const COST_FIELD = 'usage';

/**
 * Reports whether a client asks for the cost of its request in the usage: `usage: {include: true}`.
 */
export function asksForCost({ usage }: JsonObject): boolean {
  return isJsonObject(usage) && usage['include'] === true;
}
