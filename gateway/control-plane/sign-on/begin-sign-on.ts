import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import type { SignOnFlowCreated } from '@weir/shared/people/sign-on';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Call } from '../api/call.ts';
import { refusing } from './people/confirmed-identity.ts';
import { insertFlow, type FlowTerms } from './flows.ts';
import { callbackUrl, findActiveProvider } from './providers/provider-row.ts';
import { keepBrowserSecret } from './sign-on-cookie.ts';
import { SignOnRefused } from './sign-on-refused.ts';

const NO_PROVIDER = refuse(
  'not_found',
  'There is no such provider, or it is disabled. Reload the log-in page.',
  { param: 'provider' },
);

interface Beginning {
  readonly slug: string;
  /** The person who links an identity. */
  readonly userId: string | null;
  readonly email?: string | undefined;
  readonly terms: Omit<FlowTerms, 'verifier' | 'nonce'>;
}

/** Makes state, nonce and verifier of one sign-on, and the address that the browser goes to. */
async function begin(call: Call, beginning: Beginning): Promise<SignOnFlowCreated | Refusal> {
  const { context, request, reply } = call;
  const { slug, userId, email, terms } = beginning;
  const provider = await findActiveProvider(context.pool, slug);
  if (provider === undefined) return NO_PROVIDER;
  const { configuration } = await refusing(context.signOnClients.of(provider));
  const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
  const isOidc = provider.preset !== 'github';
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: callbackUrl(context, slug),
    scope: provider.scopes,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(isOidc ? { nonce } : {}),
    ...(isOidc && email !== undefined ? { login_hint: email } : {}),
  });
  const browserSecret = keepBrowserSecret(request, reply, context.consoleUrl);
  await insertFlow(context, {
    state,
    browserSecret,
    providerId: provider.id,
    userId,
    terms: { ...terms, verifier, nonce },
  });
  return { url: url.href };
}

/** A provider that does not reply cannot be begun with; no one has tried anything. */
async function sayingWhy(
  call: Call,
  begun: Promise<SignOnFlowCreated | Refusal>,
): Promise<SignOnFlowCreated | Refusal> {
  try {
    return await begun;
  } catch (error) {
    if (!(error instanceof SignOnRefused)) throw error;
    const { reason, detail } = error;
    call.context.logger.warn({ reason, detail }, 'an identity provider cannot be used');
    return error.refusal;
  }
}

export function beginSignOn(call: Call<'beginSignOn'>): Promise<SignOnFlowCreated | Refusal> {
  const { provider, email, ...terms } = call.body;
  return sayingWhy(call, begin(call, { slug: provider, userId: null, email, terms }));
}

export function beginIdentityLink(
  call: Call<'beginIdentityLink'>,
): Promise<SignOnFlowCreated | Refusal> {
  const { caller, body } = call;
  const { userId, email } = caller;
  const beginning = { slug: body.provider, userId, email, terms: { to: '/account/security' } };
  return sayingWhy(call, begin(call, beginning));
}
