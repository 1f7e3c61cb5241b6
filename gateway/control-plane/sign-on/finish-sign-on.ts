import type { SignOnResult } from '@weir/shared/people/sign-on';
import { isRefusal, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Audited, Call } from '../api/call.ts';
import { inTransaction, isDuplicate } from '../api/transaction.ts';
import { audit, type Actor } from '../audit/audit-log.ts';
import { NOTHING_CHANGED } from '../audit/audit-receipt.ts';
import { pushCredits } from '../credits/push-credits.ts';
import { findMemberOfUser } from '../members/member-row.ts';
import { openSession } from '../sessions/open-session.ts';
import { setSessionCookie } from '../sessions/session-cookie.ts';
import type { UserRow } from '../users/user-row.ts';
import { applyRules } from './people/apply-rules.ts';
import { leftOut, mappedBy } from './people/claims.ts';
import { confirmIdentity, refusing, type ConfirmedIdentity } from './people/confirmed-identity.ts';
import { mappedByDirectory } from './people/directory-entry.ts';
import { findPerson, signedOnActor } from './people/find-person.ts';
import { keepWaiting, takeFlow, type Flow, type WaitingSignOn } from './flows.ts';
import { callbackUrl, findActiveProvider, type ProviderRow } from './providers/provider-row.ts';
import { SignOnRefused } from './sign-on-refused.ts';

const NOTE_LOGIN = 'update users set last_login_at = now() where id = $1';

const VISITOR: Actor = {
  userId: null,
  accountId: null,
  email: null,
  role: 'user',
  sessionId: null,
  accessToken: null,
};

type Signed = Audited<SignOnResult>;

/** Opens the session of a person who has signed on, and sets its cookie. */
export async function openSignedOn(
  call: Call,
  user: UserRow,
  { identityId, providerSession, accountId }: Omit<WaitingSignOn, 'to'>,
): Promise<void> {
  const { context, request, reply, address } = call;
  const userAgent = request.headers['user-agent'] ?? '';
  const signOn = { identityId, providerSession, accountId };
  const session = await openSession(context, { user, address, userAgent, signOn });
  if (session === undefined) throw new SignOnRefused('login_changed');
  await context.pool.query(NOTE_LOGIN, [user.id]);
  setSessionCookie(reply, context.consoleUrl, session);
}

/** Confirms who comes back: the state is used up, the code exchanged, the token verified. */
async function confirm(
  call: Call<'finishSignOn'>,
  provider: ProviderRow,
): Promise<{ readonly flow: Flow; readonly identity: ConfirmedIdentity; readonly state: string }> {
  const { context, caller, body } = call;
  const url = new URL(callbackUrl(context, provider.slug));
  url.search = body.query;
  const state = url.searchParams.get('state') ?? '';
  const flow = await takeFlow(call, provider.id, state);
  const isOther = flow.userId !== null && flow.userId !== caller?.userId;
  if (isOther || (flow.userId !== null && caller?.sessionId === null)) {
    throw new SignOnRefused('other_user');
  }
  const client = await refusing(context.signOnClients.of(provider));
  const { nonce, verifier } = flow;
  const identity = await confirmIdentity(client, provider, { url, state, nonce, verifier });
  const missing = provider.hasDirectory ? undefined : leftOut(provider.rules, identity.claims);
  if (missing !== undefined) throw new SignOnRefused('groups_left_out', { detail: missing });
  return { flow, identity, state };
}

/** Finds the person and brings their memberships up to date, in one transaction. */
async function enter(
  call: Call<'finishSignOn'>,
  provider: ProviderRow,
  confirmed: { readonly flow: Flow; readonly identity: ConfirmedIdentity },
) {
  const { context, address, requestId, route } = call;
  const { hasDirectory } = provider;
  const claimed = hasDirectory ? [] : mappedBy(provider.rules, confirmed.identity.claims);
  const audited = { address, requestId, route };
  const entered = await inTransaction(context.pool, async (db) => {
    const signingOn = { provider, ...confirmed, mapped: claimed, call: audited };
    const person = await findPerson(db, context, signingOn);
    const { user } = person;
    if (user.disabledAt !== null) throw new SignOnRefused('user_disabled');
    const applying = {
      provider,
      userId: user.id,
      call: { ...audited, caller: signedOnActor(user, provider) },
    };
    const mapped = hasDirectory ? await mappedByDirectory(db, provider, user.id) : claimed;
    if (mapped !== undefined) await applyRules(db, applying, mapped);
    const accountId = mapped?.[0]?.accountId ?? null;
    const isThere =
      accountId !== null &&
      (await findMemberOfUser(db, { accountId, userId: user.id })) !== undefined;
    return { ...person, accountId: isThere ? accountId : null };
  });
  if (isRefusal(entered)) throw new SignOnRefused('login_changed', { refusal: entered });
  return entered;
}

async function finish(call: Call<'finishSignOn'>, provider: ProviderRow): Promise<Signed> {
  const { context } = call;
  const { flow, identity, state } = await confirm(call, provider);
  const { user, identityId, isNew, accountId } = await enter(call, provider, { flow, identity });
  if (isNew) await pushCredits(context, user.accountId);
  const done = (outcome: SignOnResult['outcome'], to: string | null): Signed => ({
    view: { outcome, to, isNew },
    audit: NOTHING_CHANGED,
  });
  const to = flow.to ?? null;
  if (flow.userId !== null) return done('linked', to);
  const { providerSession } = identity;
  const waiting: WaitingSignOn = { identityId, providerSession, accountId, to };
  if (user.secondFactor && !provider.trustsSecondFactor) {
    await keepWaiting(context, state, waiting);
    return done('second_factor_required', to);
  }
  await openSignedOn(call, user, waiting);
  return done('logged_in', to);
}

/** A state that no one has begun with is a guess, and a provider that fails is no one's try. */
const UNNOTED = new Set(['unknown_state', 'provider_failed']);

/** Notes a refused sign-on in the audit log, so that operators see what others try. */
async function noteRefused(
  call: Call<'finishSignOn'>,
  provider: ProviderRow,
  { reason, detail }: SignOnRefused,
): Promise<void> {
  const { context, caller } = call;
  context.logger.warn({ reason, detail, provider: provider.slug }, 'a sign-on was refused');
  if (UNNOTED.has(reason)) return;
  const actor: Actor = { ...(caller ?? VISITOR), provider: provider.name };
  const after = { refused: reason, detail };
  const change = { kind: 'sign_on_provider', id: provider.id, before: null, after };
  await audit(context.pool, { ...call, caller: actor }, change);
}

/** Ends a sign-on with what the provider sent, and logs the person in. */
export async function finishSignOn(call: Call<'finishSignOn'>): Answer<'finishSignOn'> {
  const provider = await findActiveProvider(call.context.pool, call.body.provider);
  if (provider === undefined) return new SignOnRefused('unknown_state').refusal;
  try {
    return await finish(call, provider);
  } catch (error) {
    // The same identity was linked at the same moment; the next try finds it.
    const refused = isDuplicate(error) ? new SignOnRefused('login_changed') : error;
    if (!(refused instanceof SignOnRefused)) throw error;
    await noteRefused(call, provider, refused);
    return refused.refusal satisfies Refusal;
  }
}
