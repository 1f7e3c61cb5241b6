import { redactSecrets } from '@weir/shared/redact-secrets';
import { isJsonObject } from '../platform/json/json-value.ts';
import { errorBody } from '../providers/error-body.ts';
import { extractMessage } from '../providers/error-message.ts';

/** Characters of an upstream's message that are kept. */
const MESSAGE_LETTERS_MAX = 500;
/**
 * Characters of a text that are read: the text that is cleaned is short, however long the
 * upstream's page was.
 */
const TEXT_LETTERS_MAX = 4_000;
/** Bytes of a request's body that are searched for the upstream's quotations. */
const BODY_BYTES_MAX = 64 * 1024;
/** A piece of a message this long that is in the request's body is a quotation. */
const QUOTED_LETTERS = 24;
/** Step in which the ends of a quotation are searched, before letter by letter. */
const STEP_LETTERS = 12;
/** Vendors put field names and short values into quotation marks, and prompts. */
const LONG_QUOTATION = /(["'`])(?:(?!\1).){48,}\1/gs;

/** Forms of credentials of any owner: an upstream may repeat the header that it got. */
const SECRETS: readonly RegExp[] = [
  /\b(?:sk|pk|rk|gsk|xai|pplx|nvapi|hf|r8|ghp|glpat)[-_][\w*.…-]{6,}/g,
  /\b(?:AIza[\w-]{8,}|AKIA\w{8,}|ya29\.[\w-]+|eyJ[\w-]{8,}\.[\w.-]+)/g,
  /\b(?:bearer|basic)\s+(?=\S*\d)[\w+/=*.~-]{8,}/gi,
  /(?<=\b(?:api[-_ ]?key|key|token|secret|password|authorization|credential)s?["']?\s*[:=]\s*["']?)(?=\S*\d)(?=\S*[a-z*])[^\s"',;&]{6,}/gi,
  /(?<=:\/\/)[^\s/@]+@/g,
];
const HIDDEN = '[…]';

/**
 * A credential with fewer letters is in other words by chance, and is hidden where it is alone;
 * with fewer still it is none: servers without authentication get `x`, `-` or `no`.
 */
const LONG_CREDENTIAL_LETTERS = 8;
const SHORT_CREDENTIAL_LETTERS = 4;

/** Texts of a request that its upstream's message must not contain. */
export interface MaskedTexts {
  /** The channel's credential. */
  readonly credential: string | null;
  /** The request's body: upstreams quote prompts. */
  readonly body: Buffer | null;
}

/**
 * An error body as a person reads it: its words, without secrets and prompts; null when it has
 * none.
 * @param status the upstream's; what came under a 2xx may be a reply, of which nothing is kept
 */
export function upstreamMessage(
  status: number | null,
  body: Buffer,
  maskedTexts: MaskedTexts,
): string | null {
  if (body.length === 0) return null;
  const reply = errorBody(body);
  const words = errorWords(reply) ?? errorWords(reply['response']);
  if (words !== undefined) return cleanMessage(words, maskedTexts);
  if (status === null || status < 400) return null;
  return cleanMessage(extractMessage(reply) ?? pageText(body), maskedTexts);
}

/**
 * The text without the credential and without anything in the form of one.
 * @param text not longer than a few thousand letters: the search for forms is not for more
 */
export function hideSecrets(text: string, credential: string | null): string {
  let hidden = credential === null ? text : withoutCredential(text, credential);
  for (const secret of SECRETS) hidden = hidden.replace(secret, HIDDEN);
  return redactSecrets(hidden);
}

function withoutCredential(text: string, credential: string): string {
  if (credential.length >= LONG_CREDENTIAL_LETTERS) return text.replaceAll(credential, HIDDEN);
  // A plain word, such as `none` or `EMPTY`, is a placeholder, and one of the error's own words.
  const isSecret = /[^a-z]/i.test(credential) && credential.length >= SHORT_CREDENTIAL_LETTERS;
  if (!isSecret || !text.includes(credential)) return text;
  const escaped = credential.replace(/[^\w\s]/g, '\\$&');
  return text.replace(new RegExp(`(?<!\\w)${escaped}(?!\\w)`, 'g'), HIDDEN);
}

/** A text without secrets and prompts, in one line, shortened; null when nothing is left. */
export function cleanMessage(
  text: string,
  { credential, body }: Partial<MaskedTexts> = {},
): string | null {
  // No control characters, and no halves of characters, which PostgreSQL refuses. First of all:
  // runs of spaces would make the searches below slow.
  let clean = text
    .slice(0, TEXT_LETTERS_MAX)
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
  clean = hideSecrets(clean, credential ?? null);
  clean = clean.replace(LONG_QUOTATION, `"${HIDDEN}"`);
  clean = clean.slice(0, MESSAGE_LETTERS_MAX);
  if (body !== null && body !== undefined) clean = withoutQuotations(clean, body);
  return clean.toWellFormed() === '' ? null : clean.toWellFormed();
}

/** Returns the message of the error in a reply. */
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

/** Replaces what is in the request's body, from the first letter to the last. */
function withoutQuotations(message: string, body: Buffer): string {
  const searched = body.subarray(0, BODY_BYTES_MAX);
  const last = body.subarray(Math.max(BODY_BYTES_MAX, body.length - BODY_BYTES_MAX));
  const isQuoted = (from: number, to: number): boolean => {
    const written = JSON.stringify(message.slice(from, to)).slice(1, -1);
    return searched.includes(written) || last.includes(written);
  };
  let clean = '';
  let kept = 0;
  for (let at = 0; at + QUOTED_LETTERS <= message.length;) {
    let to = at + QUOTED_LETTERS;
    if (!isQuoted(at, to)) {
      at = to;
      continue;
    }
    let from = at;
    // The quotation may begin and end within the pieces around this one.
    for (const step of [STEP_LETTERS, 1]) {
      while (to + step <= message.length && isQuoted(from, to + step)) to += step;
      while (from - step >= kept && isQuoted(from - step, to)) from -= step;
    }
    clean += message.slice(kept, from) + HIDDEN;
    kept = to;
    at = to;
  }
  return clean + message.slice(kept);
}
