import { isJsonObject } from '../platform/json/json-value.ts';
import { errorBody } from '../providers/error-body.ts';
import { extractMessage } from '../providers/openai-compatible/error-message.ts';

/** So much of an upstream's words is kept. */
const MESSAGE_LETTERS_MAX = 500;
/** So much of a text is read: what is cleaned is short, however long the upstream's page was. */
const TEXT_LETTERS_MAX = 4_000;
/** So much of a request's body is searched for what an upstream quotes of it. */
const BODY_BYTES_MAX = 64 * 1024;
/** A piece of a message this long that is in the request's body is a quotation. */
const QUOTED_LETTERS = 24;
/** Vendors put field names and short values into quotation marks, and prompts. */
const LONG_QUOTATION = /(["'`])(?:(?!\1).){48,}\1/gs;

/** Forms of credentials, whoever's they are: an upstream may repeat the header that it got. */
const SECRETS: readonly RegExp[] = [
  /\b(?:sk|pk|rk|gsk|xai|pplx|nvapi|hf|r8|ghp|glpat)[-_][\w*.…-]{6,}/g,
  /\b(?:AIza[\w-]{8,}|AKIA\w{8,}|ya29\.[\w-]+|eyJ[\w-]{8,}\.[\w.-]+)/g,
  /\b(?:bearer|basic)\s+(?=\S*\d)[\w+/=*.~-]{8,}/gi,
  /(?<=\b(?:api[-_ ]?key|key|token|secret|password|authorization|credential)s?["']?\s*[:=]\s*["']?)(?=\S*\d)(?=\S*[a-z*])[^\s"',;&]{6,}/gi,
  /(?<=:\/\/)[^\s/@]+@/g,
];
const HIDDEN = '[…]';

/** What of a request must not be in the words that its upstream has for it. */
export interface Unspeakable {
  /** What the channel authenticates with. */
  readonly credential: string | null;
  /** The request's body: upstreams quote prompts. */
  readonly body: Buffer;
}

/**
 * An error body as a person reads it: its words, without secrets and prompts; null when it has none.
 * @param status the upstream's; what came under a 2xx may be a reply, of which nothing is kept
 */
export function upstreamMessage(
  status: number | null,
  body: Buffer,
  unspeakable: Unspeakable,
): string | null {
  if (body.length === 0) return null;
  const reply = errorBody(body);
  const words = errorWords(reply) ?? errorWords(reply['response']);
  if (words !== undefined) return cleanMessage(words, unspeakable);
  if (status === null || status < 400) return null;
  return cleanMessage(extractMessage(reply) ?? pageText(body), unspeakable);
}

/** A text without secrets and prompts, in one line, shortened; null when nothing is left. */
export function cleanMessage(
  text: string,
  { credential, body }: Partial<Unspeakable> = {},
): string | null {
  let clean = text.slice(0, TEXT_LETTERS_MAX);
  if (credential !== null && credential !== undefined && credential !== '') {
    clean = clean.replaceAll(credential, HIDDEN);
  }
  for (const secret of SECRETS) clean = clean.replace(secret, HIDDEN);
  clean = clean.replace(LONG_QUOTATION, `"${HIDDEN}"`);
  // No control characters, and no halves of characters, which PostgreSQL refuses.
  clean = clean
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
    .slice(0, MESSAGE_LETTERS_MAX);
  if (body !== undefined) clean = withoutQuotations(clean, body);
  return clean.toWellFormed() === '' ? null : clean.toWellFormed();
}

/** What the error in a reply says. */
function errorWords(reply: unknown): string | undefined {
  if (!isJsonObject(reply) || reply['error'] === undefined) return undefined;
  return extractMessage({ error: reply['error'] });
}

/** The text of what is no JSON: a proxy's page, or a plain line. */
function pageText(body: Buffer): string {
  const text = body.subarray(0, TEXT_LETTERS_MAX).toString('utf8');
  return text
    .replace(/<(?:script|style)\b.*?(?:<\/(?:script|style)>|$)/gis, ' ')
    .replace(/<[^>]*>/g, ' ');
}

/** Replaces pieces that are in the request's body, neighbours in one. */
function withoutQuotations(message: string, body: Buffer): string {
  const searched = body.subarray(0, BODY_BYTES_MAX);
  const last = body.subarray(Math.max(0, body.length - BODY_BYTES_MAX));
  let clean = '';
  let hiding = false;
  for (let at = 0; at < message.length; at += QUOTED_LETTERS) {
    const piece = message.slice(at, at + QUOTED_LETTERS);
    const written = JSON.stringify(piece).slice(1, -1);
    const isWhole = piece.length === QUOTED_LETTERS;
    const quoted: boolean = isWhole ? searched.includes(written) || last.includes(written) : hiding;
    if (!quoted) clean += piece;
    else if (!hiding) clean += HIDDEN;
    hiding = quoted;
  }
  return clean;
}
