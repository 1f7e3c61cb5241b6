import { createRemoteJWKSet, customFetch as joseFetch, type JWTVerifyGetKey } from 'jose';
import {
  allowInsecureRequests,
  ClientError,
  ClientSecretPost,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
  type ClientAuth,
} from 'openid-client';
import { isRecord } from '@weir/shared/prices/price-lists/json-record';
import { SIGN_ON_PROVIDERS_MAX } from '@weir/shared/people/sign-on';
import { unseal, type Secrets } from '../../../platform/secrets/secrets.ts';
import { guardedFetch, type Fetch } from './guarded-fetch.ts';
import type { ProviderRow } from './provider-row.ts';

/** Metadata of a provider changes rarely; keys are read again when one is new. */
const DISCOVERY_MS = 3_600_000;
const TIMEOUT_SECONDS = 10;
/** The code of openid-client for a document that names another issuer. */
const OTHER_ISSUER = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';

export interface ProviderClient {
  readonly configuration: Configuration;
  /** Calls the provider, with its guard of addresses. */
  readonly fetch: Fetch;
  /** The keys of the provider's signatures; undefined where it has none. */
  readonly keys: JWTVerifyGetKey | undefined;
}

interface Entry {
  readonly version: number;
  readonly until: number;
  readonly client: Promise<ProviderClient>;
}

interface Options {
  readonly secrets: Secrets;
  readonly allowPrivateUpstreams: boolean;
  readonly nowMs?: () => number;
}

/** Escapes as few characters as RFC 6749, section 2.3.1, allows: some providers do not unescape. */
const escaped = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+');

/**
 * Sends the secret as the provider says. A provider that says nothing takes it in the header
 * (OpenID Connect Discovery 1.0, section 3). Not `ClientSecretBasic`, which escapes hyphens and
 * underscores too, so that providers that do not unescape refuse nearly every secret.
 */
function authenticateBy(secret: string | null): ClientAuth {
  if (secret === null) return None();
  const post = ClientSecretPost(secret);
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported;
    if (methods !== undefined && !methods.includes('client_secret_basic')) {
      post(server, client, body, headers);
      return;
    }
    const credentials = Buffer.from(`${escaped(client.client_id)}:${escaped(secret)}`);
    headers.set('authorization', `Basic ${credentials.toString('base64')}`);
  };
}

/** GitHub replies to a code that it refuses with 200 and an error; RFC 6749 says 400. */
function failing(fetch: Fetch): Fetch {
  return async (url, options) => {
    const reply = await fetch(url, options);
    const body: unknown = await reply
      .clone()
      .json()
      .catch(() => undefined);
    const isError = reply.ok && isRecord(body) && typeof body['error'] === 'string';
    return isError
      ? new Response(JSON.stringify(body), { status: 400, headers: reply.headers })
      : reply;
  };
}

/**
 * Finds a provider that names itself with a slash at the end, or without, unlike its issuer as it
 * was entered: Authentik has one, and people copy the address without. Both forms have the same
 * document, and tokens name the form in it.
 */
async function discoverEitherEnd(
  issuer: string,
  discover: (issuer: URL) => Promise<Configuration>,
): Promise<Configuration> {
  try {
    return await discover(new URL(issuer));
  } catch (error) {
    if (!(error instanceof ClientError) || error.code !== OTHER_ISSUER) throw error;
    const other = issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`;
    // The first failure names both issuers.
    return discover(new URL(other)).catch(() => Promise.reject(error));
  }
}

/**
 * GitHub speaks OAuth without a discovery document at its address; a server of one's own has the
 * same paths. Callbacks name the authorization server in `iss` (RFC 9207).
 * Source: docs.github.com/en/apps/github-authentication-discovery-endpoints
 */
function gitHub({ issuer, clientId }: ProviderRow, auth: ClientAuth): Configuration {
  const server = {
    issuer: `${issuer}/login/oauth`,
    authorization_endpoint: `${issuer}/login/oauth/authorize`,
    token_endpoint: `${issuer}/login/oauth/access_token`,
    token_endpoint_auth_methods_supported: ['client_secret_post'],
  };
  return new Configuration(server, clientId, undefined, auth);
}

/** Clients of identity providers, with what each has published. One for each process. */
export class ProviderClients {
  readonly #options: Options;
  readonly #entries = new Map<string, Entry>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Returns the client of a provider. Rejects when the provider cannot be asked. */
  of(provider: ProviderRow): Promise<ProviderClient> {
    const now = (this.#options.nowMs ?? Date.now)();
    const version = provider.updatedAt.getTime();
    const known = this.#entries.get(provider.id);
    if (known?.version === version && known.until > now) return known.client;
    const client = this.open(provider);
    this.#entries.delete(provider.id);
    this.#entries.set(provider.id, { version, until: now + DISCOVERY_MS, client });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > SIGN_ON_PROVIDERS_MAX && oldest !== undefined) {
      this.#entries.delete(oldest);
    }
    // A failure is not remembered: the next person asks again.
    client.catch(() => {
      if (this.#entries.get(provider.id)?.client === client) this.#entries.delete(provider.id);
    });
    return client;
  }

  /** Asks the provider, whatever is known of it. */
  async open(provider: ProviderRow): Promise<ProviderClient> {
    const { secrets, allowPrivateUpstreams } = this.#options;
    const allowPrivate = provider.allowPrivate || allowPrivateUpstreams;
    const fetch = guardedFetch({ allowPrivate });
    const secret = provider.sealed === null ? null : unseal(secrets, provider.sealed);
    const auth = authenticateBy(secret);
    const isPlain = allowPrivate && provider.issuer.startsWith('http:');
    // oxlint-disable-next-line typescript/no-deprecated -- For private networks alone.
    const execute: ((found: Configuration) => void)[] = isPlain ? [allowInsecureRequests] : [];
    if (provider.preset === 'github') {
      const configuration = gitHub(provider, auth);
      configuration.timeout = TIMEOUT_SECONDS;
      configuration[customFetch] = failing(fetch);
      for (const extend of execute) extend(configuration);
      return { configuration, fetch, keys: undefined };
    }
    const configuration = await discoverEitherEnd(provider.issuer, (issuer) =>
      discovery(issuer, provider.clientId, undefined, auth, {
        // The signature counts even where the connection is plain http.
        execute: [...execute, enableNonRepudiationChecks],
        timeout: TIMEOUT_SECONDS,
        [customFetch]: fetch,
      }),
    );
    const { jwks_uri: address } = configuration.serverMetadata();
    const keys =
      address === undefined
        ? undefined
        : createRemoteJWKSet(new URL(address), { [joseFetch]: fetch });
    return { configuration, fetch, keys };
  }
}
