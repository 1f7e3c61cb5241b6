import { genericGrantRequest, ResponseBodyError } from 'openid-client';
import type { SignOnProviderTest } from '@weir/shared/people/sign-on';
import type { Answer, Call } from '../../api/call.ts';
import { audit } from '../../audit/audit-log.ts';
import type { ProviderClient } from './provider-clients.ts';
import { callbackUrl, findProvider, type ProviderRow } from './provider-row.ts';
import { NO_PROVIDER } from './write-provider.ts';

type Check = SignOnProviderTest['checks'][number];

const DETAIL_CHARACTERS_MAX = 300;
/** Errors that come after the client was recognised (RFC 6749, section 5.2; GitHub's own word). */
const AFTER_THE_CLIENT = new Set(['invalid_grant', 'bad_verification_code']);

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no reply';
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}`.slice(0, DETAIL_CHARACTERS_MAX);
}

async function checkKeys({ configuration, fetch }: ProviderClient): Promise<Check> {
  const address = configuration.serverMetadata().jwks_uri;
  if (address === undefined) return { check: 'keys', passed: null, detail: '' };
  try {
    const reply = await fetch(address, {});
    const set = (await reply.json()) as { readonly keys?: unknown };
    const count = Array.isArray(set.keys) ? set.keys.length : 0;
    return { check: 'keys', passed: reply.ok && count > 0, detail: `${address}: ${String(count)}` };
  } catch (error) {
    return { check: 'keys', passed: false, detail: `${address}: ${messageOf(error)}` };
  }
}

/** Sends a code that cannot exist: a provider that knows the client refuses the code alone. */
async function checkClient({ configuration }: ProviderClient, redirectUri: string): Promise<Check> {
  const form = {
    code: 'weir-connection-test',
    redirect_uri: redirectUri,
    code_verifier: 'x'.repeat(43),
  };
  try {
    await genericGrantRequest(configuration, 'authorization_code', form);
    return { check: 'client', passed: null, detail: '' };
  } catch (error) {
    if (!(error instanceof ResponseBodyError)) {
      return { check: 'client', passed: null, detail: messageOf(error) };
    }
    const passed = AFTER_THE_CLIENT.has(error.error)
      ? true
      : ['invalid_client', 'unauthorized_client', 'incorrect_client_credentials'].includes(
            error.error,
          )
        ? false
        : null;
    const said = passed === true ? '' : `${error.error}: ${error.error_description ?? ''}`;
    return { check: 'client', passed, detail: said.slice(0, DETAIL_CHARACTERS_MAX) };
  }
}

function checkLogout({ configuration }: ProviderClient): Check {
  const said = configuration.serverMetadata().backchannel_logout_supported;
  return { check: 'logout', passed: said === true ? true : null, detail: '' };
}

async function run(call: Call<'testSignOnProvider'>, provider: ProviderRow): Promise<Check[]> {
  const { context } = call;
  try {
    // What is remembered could be older than a change at the provider.
    const client = await context.signOnClients.open(provider);
    const { issuer } = client.configuration.serverMetadata();
    return [
      { check: 'discovery', passed: true, detail: issuer },
      await checkKeys(client),
      await checkClient(client, callbackUrl(context, provider.slug)),
      checkLogout(client),
    ];
  } catch (error) {
    return [{ check: 'discovery', passed: false, detail: messageOf(error) }];
  }
}

/** Asks the provider whether it can be used, for the operator who sets it up. */
export async function testProvider(call: Call<'testSignOnProvider'>): Answer<'testSignOnProvider'> {
  const { context, params } = call;
  const provider = await findProvider(context.pool, params.signOnProviderId);
  if (provider === undefined) return NO_PROVIDER;
  const view = { checks: await run(call, provider) };
  const change = { kind: 'sign_on_provider', id: provider.id, before: null, after: view };
  return { view, audit: await audit(context.pool, call, change) };
}
