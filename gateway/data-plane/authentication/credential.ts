import type { Refusal } from '../../platform/errors/refusal.ts';
import { KEY_LETTERS_MAX, KEY_LETTERS_MIN } from '../../platform/secrets/api-key.ts';
import { PROTOCOLS } from '../../protocols/registry.ts';
import { explainCredential } from './credential-faults.ts';

/** The part of an exchange that is read here. `header` answers '' for a header that is absent. */
export interface CredentialSource {
  header(lowerCaseName: string): string;
  /** The query string without "?". */
  query(): string;
}

/** Longer values are cut to this length: no key is longer, even with something around it. */
const CREDENTIAL_CHARACTERS_MAX = 512;

const KEY = new RegExp(`^sk-[0-9A-Za-z]{${KEY_LETTERS_MIN},${KEY_LETTERS_MAX}}$`);
const BEARER = 'Bearer ';

/** Headers that some clients put a key into instead; others put it into the query. */
const OTHER_HEADERS = PROTOCOLS.flatMap(({ keyHeaders = [] }) => keyHeaders);

/** Browsers set no headers of a WebSocket but its subprotocols: one of them has the key. */
const SUBPROTOCOL_HEADER = 'sec-websocket-protocol';
const SUBPROTOCOLS = PROTOCOLS.flatMap(({ keySubprotocol = [] }) => keySubprotocol);

/**
 * The API key of a request, not yet looked up, or a 401 that names the mistake. A key is taken from
 * Authorization, else from the headers and the query parameter that other vendors' clients use.
 * When there are several, the first that can be a key of this service counts: some clients send a
 * stale one next to it.
 */
export function readCredential(source: CredentialSource): { readonly key: string } | Refusal {
  const authorization = source.header('authorization');
  if (authorization.startsWith(BEARER)) {
    const key = authorization.slice(BEARER.length);
    if (KEY.test(key)) return { key };
  }
  return searchCredential(authorization, source);
}

function searchCredential(
  authorization: string,
  source: CredentialSource,
): { readonly key: string } | Refusal {
  let first: string | undefined;
  for (const sent of sentCredentials(authorization, source)) {
    if (sent === '') continue;
    const text = cleanCredential(sent.slice(0, CREDENTIAL_CHARACTERS_MAX));
    if (KEY.test(text)) return { key: text };
    // An empty "Bearer" says less about the mistake than a wrong key in another header.
    if (first === undefined || first === '') first = text;
  }
  return explainCredential(first);
}

/** A generator, so that the other places are only read when Authorization is of no use. */
function* sentCredentials(authorization: string, source: CredentialSource): Generator<string> {
  yield authorization;
  for (const name of OTHER_HEADERS) yield source.header(name);
  for (const offered of source.header(SUBPROTOCOL_HEADER).split(',')) {
    const name = offered.trim();
    const prefix = SUBPROTOCOLS.find((one) => name.startsWith(one));
    if (prefix !== undefined) yield name.slice(prefix.length);
  }
  const query = source.query();
  if (query.includes('key=')) yield new URLSearchParams(query).get('key') ?? '';
}

/** "Bearer", also without a space or with one that is no ASCII, and "Authorization:" before it. */
const SCHEME =
  /^(?:authorization|bearer)(?:[^\x21-\x7e]*[:=][^\x21-\x7e]*|[^\x21-\x7e]+|(?=sk-)|$)/i;
/**
 * The name of a variable or header that was copied together with its value: "MY_API_KEY=sk-…".
 */
const NAME = /^(?!sk-)[a-z][\w-]*\s*[:=]/i;
/**
 * White space, and bytes that are no ASCII: a no-break space or a typographic quote that came with
 * the key.
 */
const EDGES = /^[^\x21-\x7e]+|[^\x21-\x7e]+$/g;
const WRAPPED = /^(["'`])(.*)\1$|^<(.*)>$/;

/** The credential without what surrounds it. Each turn takes something away, so it ends. */
function cleanCredential(sent: string): string {
  let text = sent;
  for (;;) {
    const before = text;
    text = text.replace(EDGES, '').replace(SCHEME, '').replace(NAME, '');
    const wrapped = WRAPPED.exec(text);
    if (wrapped !== null) text = wrapped[2] ?? wrapped[3] ?? '';
    if (text === before) return text;
  }
}
