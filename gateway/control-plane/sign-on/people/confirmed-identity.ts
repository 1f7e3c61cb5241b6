import {
  authorizationCodeGrant,
  AuthorizationResponseError,
  ClientError,
  fetchUserInfo,
  ResponseBodyError,
  type TokenEndpointResponse,
} from 'openid-client';
import { Value } from 'typebox/value';
import { redactSecrets } from '@weir/shared/redact-secrets';
import { EmailAddress } from '@weir/shared/api/wire-values';
import { normaliseEmail } from '../../users/user-row.ts';
import type { Claims } from './claims.ts';
import { readGitHubClaims } from '../providers/github-claims.ts';
import type { ProviderClient } from '../providers/provider-clients.ts';
import type { ProviderRow } from '../providers/provider-row.ts';
import { SignOnRefused, type Reason } from '../sign-on-refused.ts';

/** A person as a provider has confirmed them. The issuer and its subject identify them. */
export interface ConfirmedIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  /** The provider says that the person has the address. */
  readonly emailVerified: boolean;
  readonly claims: Claims;
  /** The provider's own name of the session (`sid`), for logouts. */
  readonly providerSession: string | null;
}

interface Exchange {
  /** The callback address with the query that came back. */
  readonly url: URL;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

const DETAIL_CHARACTERS_MAX = 300;

function detailOf(error: Error): string {
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  const said =
    error instanceof ResponseBodyError || error instanceof AuthorizationResponseError
      ? `: ${error.error} ${error.error_description ?? ''}`
      : '';
  return redactSecrets(`${error.message}${said}${cause}`).slice(0, DETAIL_CHARACTERS_MAX);
}

/** Replies that are not what was asked for, by codes of openid-client. */
const INVALID = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_INVALID_SIGNATURE',
]);

/** Errors of the token endpoint that are about the code (RFC 6749, section 5.2). */
const OF_THE_CODE = new Set(['invalid_grant', 'invalid_request', 'bad_verification_code']);

/**
 * Errors of a callback that are about the person (RFC 6749, section 4.1.2.1; OpenID Connect Core
 * 1.0, section 3.1.2.6). Others, such as `invalid_scope`, are about this gateway's settings.
 */
const OF_THE_PERSON = /^(?:access_denied|\w+_required)$/;

function reasonOf(error: Error): Reason {
  if (error instanceof AuthorizationResponseError) {
    return OF_THE_PERSON.test(error.error) ? 'denied' : 'provider_failed';
  }
  if (error instanceof ResponseBodyError) {
    return OF_THE_CODE.has(error.error) ? 'code_refused' : 'provider_failed';
  }
  const { code } = error as { readonly code?: unknown };
  if (error instanceof ClientError && INVALID.has(String(code))) return 'invalid_response';
  return 'provider_failed';
}

/** Runs a call to the provider; every failure of it is a refused sign-on. */
export async function refusing<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof SignOnRefused || !(error instanceof Error)) throw error;
    throw new SignOnRefused(reasonOf(error), { detail: detailOf(error) });
  }
}

const isTrue = (claim: unknown): boolean =>
  claim === true || claim === 'true' || claim === 1 || claim === '1';

/**
 * The address, and whether the provider confirms it. Entra says so in `xms_edov` and may leave out
 * `email`; the name that people log in with there is an address without proof.
 * Source: learn.microsoft.com/entra/identity-platform/optional-claims-reference
 */
function emailOf(
  { preset }: ProviderRow,
  claims: Claims,
): Pick<ConfirmedIdentity, 'email' | 'emailVerified'> {
  const { email } = claims;
  const isEntra = preset === 'entra';
  const written = email ?? (isEntra ? claims['preferred_username'] : undefined);
  if (typeof written !== 'string') return { email: undefined, emailVerified: false };
  const address = normaliseEmail(written);
  const isAddress: boolean = Value.Check(EmailAddress, address);
  if (!isAddress) return { email: undefined, emailVerified: false };
  const isConfirmed = isTrue(claims['email_verified']) || (isEntra && isTrue(claims['xms_edov']));
  return { email: address, emailVerified: email !== undefined && isConfirmed };
}

/**
 * The claims of UserInfo, where some providers put groups. Those of the ID token are signed and
 * win.
 */
async function withUserInfo(
  { configuration }: ProviderClient,
  tokens: TokenEndpointResponse,
  claims: Claims & { readonly sub: string },
): Promise<Claims> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  const info = await fetchUserInfo(configuration, tokens.access_token, claims.sub);
  return { ...info, ...claims };
}

async function confirmOidc(
  client: ProviderClient,
  provider: ProviderRow,
  { url, state, nonce, verifier }: Exchange,
): Promise<ConfirmedIdentity> {
  const tokens = await authorizationCodeGrant(client.configuration, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const own = tokens.claims();
  if (own === undefined) throw new SignOnRefused('invalid_response');
  const claims = await withUserInfo(client, tokens, own);
  const { sid } = own;
  return {
    issuer: own.iss,
    subject: own.sub,
    ...emailOf(provider, claims),
    claims,
    providerSession: typeof sid === 'string' ? sid : null,
  };
}

async function confirmGitHub(
  client: ProviderClient,
  provider: ProviderRow,
  { url, state, verifier }: Exchange,
): Promise<ConfirmedIdentity> {
  const tokens = await authorizationCodeGrant(client.configuration, url, {
    expectedState: state,
    pkceCodeVerifier: verifier,
  });
  const claims = await readGitHubClaims(client, provider, tokens.access_token);
  return {
    issuer: provider.issuer,
    subject: claims.sub,
    ...emailOf(provider, claims),
    claims,
    providerSession: null,
  };
}

/**
 * Exchanges the code for who the person is. Throws `SignOnRefused` when the reply is not the
 * provider's, or is not for this sign-on.
 */
export function confirmIdentity(
  client: ProviderClient,
  provider: ProviderRow,
  exchange: Exchange,
): Promise<ConfirmedIdentity> {
  const confirm = provider.preset === 'github' ? confirmGitHub : confirmOidc;
  return refusing(confirm(client, provider, exchange));
}
