import type { SIGN_ON_ROUTES } from '@weir/shared/api/admin-routes/sign-on';
import type { HandlersOf, Call } from '../api/call.ts';
import { readTeams, teamView } from '../teams/team-row.ts';
import { beginIdentityLink, beginSignOn } from './begin-sign-on.ts';
import { finishSignOn, openSignedOn } from './finish-sign-on.ts';
import { listIdentities, unlinkIdentity } from './people/identities.ts';
import { findDomainSignOn } from './only-sign-on.ts';
import { choiceOf, findProvider, providerView, readProviders } from './providers/provider-row.ts';
import { receiveLogoutToken } from './receive-logout-token.ts';
import { testProvider } from './providers/test-provider.ts';
import {
  createProvider,
  deleteProvider,
  NO_PROVIDER,
  updateProvider,
} from './providers/write-provider.ts';
import type { SignOnResult } from '@weir/shared/people/sign-on';
import type { Refusal } from '../../platform/errors/refusal.ts';
import { checkSecondFactor } from '../second-factors/check-second-factor.ts';
import { findUser } from '../users/user-row.ts';
import { endWaiting, findWaiting } from './flows.ts';
import { SignOnRefused } from './sign-on-refused.ts';

const USER_OF = 'select user_id as "userId" from identities where id = $1';

/** Ends a sign-on that waits for the second factor of its person. */
async function proveSignOn(call: Call<'proveSignOn'>): Promise<SignOnResult | Refusal> {
  const { context, body } = call;
  const waiting = await findWaiting(call, body.state);
  if (waiting === undefined) return new SignOnRefused('expired').refusal;
  const { rows } = await context.pool.query<{ userId: string }>(USER_OF, [waiting.identityId]);
  const user = await findUser(context.pool, rows[0]?.userId ?? '');
  if (user === undefined) return new SignOnRefused('login_changed').refusal;
  const wrong = await checkSecondFactor(context, user.id, body.code);
  if (wrong !== undefined) return wrong;
  if (!(await endWaiting(context.pool, body.state))) return new SignOnRefused('expired').refusal;
  try {
    await openSignedOn(call, user, waiting);
  } catch (error) {
    if (!(error instanceof SignOnRefused)) throw error;
    return error.refusal;
  }
  return { outcome: 'logged_in', to: waiting.to, isNew: false };
}

export const signOnHandlers: HandlersOf<typeof SIGN_ON_ROUTES> = {
  listSignOnChoices: async ({ context }) => {
    const providers = await readProviders(context.pool);
    const shown = providers.filter(
      ({ status, shownOnLogIn }) => status === 'active' && shownOnLogIn,
    );
    return { data: shown.map(choiceOf) };
  },
  lookUpSignOn: async ({ context, body }) => {
    const found = await findDomainSignOn(context.pool, body.email);
    if (found === undefined) return { provider: null, onlySignOn: false };
    return { provider: choiceOf(found), onlySignOn: found.onlySignOn };
  },
  beginSignOn,
  finishSignOn,
  proveSignOn,
  receiveLogoutToken,
  listIdentities,
  beginIdentityLink,
  unlinkIdentity,
  listSignOnProviders: async ({ context }) => ({
    data: (await readProviders(context.pool)).map((row) => providerView(context, row)),
  }),
  listTeamsOfAccount: async ({ context, params }) => ({
    data: (await readTeams(context.pool, params.accountId)).map(teamView),
  }),
  createSignOnProvider: createProvider,
  getSignOnProvider: async ({ context, params }) => {
    const provider = await findProvider(context.pool, params.signOnProviderId);
    return provider === undefined ? NO_PROVIDER : providerView(context, provider);
  },
  updateSignOnProvider: updateProvider,
  deleteSignOnProvider: deleteProvider,
  testSignOnProvider: testProvider,
};
