import { createSign } from 'node:crypto';
import type { JsonObject } from '../../../platform/json/json-value.ts';
import { parseOwnObject, stringOf } from '../../../platform/json/json-value.ts';
import type { Mint, MintFailure, MintedSecret, TokenReply } from '../../minting.ts';

/** Of a service account's key file, as far as it is used. */
export interface ServiceAccountKey {
  readonly client_email: string;
  readonly private_key: string;
  readonly private_key_id: string;
  readonly token_uri: string;
}

/** The only scope of Vertex AI: https://developers.google.com/identity/protocols/oauth2/scopes. */
export const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
/** The longest that Google grants: .../identity/protocols/oauth2/service-account. */
const ASSERTION_SECONDS = 3_600;
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Exchanges a key for an access token (RFC 7523), at the key's own `token_uri`. */
export function mintFromKey(key: ServiceAccountKey): Mint {
  return async ({ ask, nowMs }) => {
    const form = { grant_type: GRANT_TYPE, assertion: assertionOf(key, nowMs) };
    const reply = await ask({ url: key.token_uri, form });
    return 'failed' in reply ? reply : readTokenReply(reply, 'The token endpoint');
  };
}

function assertionOf(key: ServiceAccountKey, nowMs: number): string {
  const issuedAt = Math.floor(nowMs / 1_000);
  const header = { alg: 'RS256', typ: 'JWT', kid: key.private_key_id };
  const claims = {
    iss: key.client_email,
    scope: SCOPE,
    aud: key.token_uri,
    iat: issuedAt,
    exp: issuedAt + ASSERTION_SECONDS,
  };
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key.private_key, 'base64url')}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/**
 * Reads `{access_token, expires_in}` (RFC 6749, 5.1).
 * @param issuer begins the sentence about a refusal
 */
export function readTokenReply(
  { status, body }: TokenReply,
  issuer: string,
): MintedSecret | MintFailure {
  const reply = parseOwnObject(body) ?? {};
  const { access_token: secret, expires_in: seconds } = reply;
  if (status !== 200) return { failed: `${issuer} refused: HTTP ${status}${reasonOf(reply)}` };
  if (typeof secret !== 'string' || secret === '' || typeof seconds !== 'number' || seconds <= 0) {
    return { failed: `${issuer} returned no access token.` };
  }
  return { secret, lifetimeMs: seconds * 1_000 };
}

/** `{error, error_description}` (RFC 6749, 5.2). */
function reasonOf({ error, error_description: description }: JsonObject): string {
  const words = [stringOf(error), stringOf(description)].filter((text) => text !== '');
  return words.length === 0 ? '' : `, ${words.join(': ')}`;
}
