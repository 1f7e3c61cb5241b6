import { withoutByteOrderMark } from '../platform/json/byte-order-mark.ts';
import { isJsonObject, type JsonObject } from '../platform/json/json-value.ts';

/**
 * Returns the object that an error body is, or the first of a list, which is what Gemini sends;
 * empty when it is something else.
 */
export function errorBody(body: Buffer): JsonObject {
  try {
    const parsed: unknown = JSON.parse(withoutByteOrderMark(body).toString('utf8'));
    const first: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
    return isJsonObject(first) ? first : {};
  } catch {
    return {};
  }
}
