import { createVerify, generateKeyPairSync, type KeyObject } from 'node:crypto';

type Json = Readonly<Record<string, unknown>>;

interface Answer {
  readonly status: number;
  readonly body: Json;
}

/** Seconds of an access token, as Google grants it. */
const LIFETIME_SECONDS = 3_599;
/** Clocks may differ by so much. */
const SKEW_SECONDS = 300;
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** One pair for all fakes: making one takes a noticeable time. */
let pair: { readonly publicKey: KeyObject; readonly pem: string } | undefined;

function keyPair(): { readonly publicKey: KeyObject; readonly pem: string } {
  if (pair === undefined) {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    pair = { publicKey, pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
  }
  return pair;
}

function invalidGrant(description: string): Answer {
  return { status: 400, body: { error: 'invalid_grant', error_description: description } };
}

/** Issues access tokens for assertions, as oauth2.googleapis.com and the metadata server do. */
export class TokenIssuer {
  readonly email = 'weir@test-project-1.iam.gserviceaccount.com';
  readonly keyId = '0123456789abcdef0123456789abcdef01234567';
  /** Grants since the start, of every way. */
  grants = 0;
  /** Epoch milliseconds; tests set it. */
  now: () => number = () => Date.now();
  readonly #expiries = new Map<string, number>();

  /** A key file as the console downloads it. */
  keyFile(tokenUri: string): string {
    const file = {
      type: 'service_account',
      project_id: 'test-project-1',
      private_key_id: this.keyId,
      private_key: keyPair().pem,
      client_email: this.email,
      client_id: '100000000000000000001',
      auth_uri: 'https://accounts.google.com/o/oauth2/auth',
      token_uri: tokenUri,
      universe_domain: 'googleapis.com',
    };
    return JSON.stringify(file, null, 2);
  }

  exchange(form: URLSearchParams, tokenUri: string): Answer {
    switch (form.get('grant_type')) {
      case GRANT_TYPE:
        return this.#fault(form.get('assertion') ?? '', tokenUri) ?? this.issue();
      case 'refresh_token':
        return form.get('refresh_token') === 'refresh-1' && form.get('client_secret') === 'secret-1'
          ? this.issue()
          : invalidGrant('Token has been expired or revoked.');
      default:
        return { status: 400, body: { error: 'unsupported_grant_type' } };
    }
  }

  issue(): Answer {
    this.grants += 1;
    const token = `ya29.test-${String(this.grants)}`;
    this.#expiries.set(token, this.now() + LIFETIME_SECONDS * 1_000);
    const body = { access_token: token, expires_in: LIFETIME_SECONDS, token_type: 'Bearer' };
    return { status: 200, body };
  }

  isValid(token: string): boolean {
    return (this.#expiries.get(token) ?? 0) > this.now();
  }

  /** All tokens so far are refused from now on. */
  revokeAll(): void {
    this.#expiries.clear();
  }

  #fault(assertion: string, tokenUri: string): Answer | undefined {
    const [head = '', payload = '', signature = ''] = assertion.split('.');
    // Google's own library leaves the last two out.
    const { alg, typ = 'JWT', kid = this.keyId } = decode(head);
    const { iss, scope, aud, iat, exp } = decode(payload);
    if (alg !== 'RS256' || typ !== 'JWT' || kid !== this.keyId) {
      return invalidGrant('Invalid JWT Signature.');
    }
    const verifier = createVerify('RSA-SHA256').update(`${head}.${payload}`);
    if (!verifier.verify(keyPair().publicKey, signature, 'base64url')) {
      return invalidGrant('Invalid JWT Signature.');
    }
    if (iss !== this.email) return invalidGrant('Invalid grant: account not found');
    if (aud !== tokenUri) return invalidGrant('Invalid JWT: Failed audience check.');
    if (scope !== 'https://www.googleapis.com/auth/cloud-platform') {
      return { status: 400, body: { error: 'invalid_scope' } };
    }
    const now = this.now() / 1_000;
    const isShort = typeof iat === 'number' && typeof exp === 'number' && exp - iat <= 3_600;
    if (!isShort || iat > now + SKEW_SECONDS || exp < now - SKEW_SECONDS) {
      return invalidGrant(
        'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.',
      );
    }
    return undefined;
  }
}

function decode(part: string): Json {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Json;
  } catch {
    return {};
  }
}
