import { isJsonObject, type JsonObject } from '../platform/json/json-value.ts';
import { withoutByteOrderMark } from '../platform/json/utf8-text.ts';

/**
 * Returns the text of an error body, or the data of the event that it is: MiMo sends events under
 * 400, too. decolua/9router#1210
 */
export function errorText(body: Buffer): string {
  const text = withoutByteOrderMark(body).toString('utf8');
  return /^(?:event:[^\n]*\n)?data: ?([^\n]*)/.exec(text)?.[1] ?? text;
}

/**
 * Returns the object that an error body is, or the first of a list, which is what Gemini sends;
 * empty when it is something else.
 */
export function errorBody(body: Buffer): JsonObject {
  try {
    const parsed: unknown = JSON.parse(errorText(body));
    const first: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
    return isJsonObject(first) ? first : {};
  } catch {
    return {};
  }
}

/**
 * Returns an error object, or the one that it has as the text of its message: proxies put what
 * Google replied, and Google what Claude replied, there as JSON. lbjlaq/Antigravity-Manager#654,
 * continuedev/continue#10902
 */
export function innerError(error: JsonObject): JsonObject {
  const { message } = error;
  if (typeof message !== 'string' || !message.startsWith('{')) return error;
  const inner = errorBody(Buffer.from(message));
  return isJsonObject(inner['error']) ? inner['error'] : error;
}

/** Returns the error object of a reply, or the one inside it; the reply itself when it has none. */
export function errorOf(reply: JsonObject): JsonObject {
  return isJsonObject(reply['error']) ? innerError(reply['error']) : reply;
}

/** A page shows itself in its first bytes. */
const PAGE_LOOK_BYTES = 256;
/** They have pages of their own: of a server behind the address, and of a proxy before it. */
const OWN_PAGES: ReadonlySet<number> = new Set([404, 405, 410, 413, 429]);
/** What a web server says to a host or a protocol that it does not serve there. */
const WRONG_PLACE: ReadonlySet<number> = new Set([407, 421, 426]);

/**
 * Whether an error comes from a web server, not from an interface to models: the base address leads
 * nowhere, and nothing is said about the request.
 */
export function isWrongPlace(status: number, body: Buffer): boolean {
  if (WRONG_PLACE.has(status)) return true;
  if (status >= 500 || OWN_PAGES.has(status)) return false;
  return /^(?:\xef\xbb\xbf)?\s*</.test(body.subarray(0, PAGE_LOOK_BYTES).toString('latin1'));
}
