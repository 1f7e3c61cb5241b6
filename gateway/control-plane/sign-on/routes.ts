import type { SIGN_ON_ROUTES } from '@weir/shared/api/admin-routes/sign-on';
import type { HandlersOf } from '../api/call.ts';
import { readTeams, teamView } from '../teams/team-row.ts';
import { beginIdentityLink, beginSignOn } from './begin-sign-on.ts';
import { finishSignOn } from './finish-sign-on.ts';
import { listIdentities, unlinkIdentity } from './people/identities.ts';
import { findDomainSignOn } from './only-sign-on.ts';
import { proveSignOn } from './prove-sign-on.ts';
import { choiceOf, findProvider, providerView, readProviders } from './providers/provider-row.ts';
import { receiveLogoutToken } from './receive-logout-token.ts';
import { testProvider } from './providers/test-provider.ts';
import {
  createProvider,
  deleteProvider,
  NO_PROVIDER,
  updateProvider,
} from './providers/write-provider.ts';

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
