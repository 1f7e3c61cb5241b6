import type { SESSION_ROUTES } from '@weir/shared/api/admin-routes/sessions';
import type { Presence, SessionList, SessionView } from '@weir/shared/people/sessions';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { inConstantTime } from '../api/callers/constant-time.ts';
import { inTransaction } from '../api/transaction.ts';
import { auditOwn } from '../audit/audit-log.ts';
import { pushCredits } from '../credits/push-credits.ts';
import { membershipView, readMemberships } from '../members/member-row.ts';
import { readSettings } from '../settings/read-settings.ts';
import { hashPassword } from '../users/password-hash.ts';
import { isExempt, refusePassword } from '../sign-on/only-sign-on.ts';
import { findUser, userView } from '../users/user-row.ts';
import { confirmAddress } from './confirm-address.ts';
import { followerOf, isUnproven, takeUnprovenAccess } from './first-email-verification.ts';
import { identify } from './identify.ts';
import { logIn } from './log-in.ts';
import { takeLink } from './link-token.ts';
import {
  register,
  requestPasswordReset,
  requestVerification,
  verifyEmail,
} from './registration.ts';
import { sendLink } from './send-link.ts';
import { clearSessionCookie } from './session-cookie.ts';

type Table = Omit<
  typeof SESSION_ROUTES,
  | 'beginSecondFactor'
  | 'confirmSecondFactor'
  | 'removeSecondFactor'
  | 'renewRecoveryCodes'
  | 'listAccessTokens'
  | 'createAccessToken'
  | 'deleteAccessToken'
>;

export const sessionHandlers: HandlersOf<Table> = {
  register: (call) => inConstantTime(() => register(call)),
  requestVerification: (call) => inConstantTime(() => requestVerification(call)),
  verifyEmail,
  requestPasswordReset: (call) => inConstantTime(() => requestPasswordReset(call)),
  resetPassword,
  logIn,
  getPresence,
  listSessions,
  logOut,
  revokeOtherSessions,
  revokeSession,
};

const CHANGE_PASSWORD = 'update users set password_hash = $2, updated_at = now() where id = $1';

const END_SESSIONS = 'delete from sessions where user_id = $1';

/**
 * A user who lost the password may have lost the mailbox or machine with it, and a thief made a
 * token to stay.
 */
const REVOKE_ACCESS_TOKENS = 'delete from access_tokens where user_id = $1';

const LIST = `
  select id, address, user_agent as "userAgent", created_at as "createdAt", last_seen_at as "lastSeenAt",
    expires_at as "expiresAt"
  from sessions where user_id = $1 and expires_at > now() order by last_seen_at desc, id desc`;

interface SessionRow {
  readonly id: string;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}

const ABSENT: Presence = { user: null, membership: null, memberships: [] };

/** A page asks this first; to be refused would be an error in the browser's console. */
async function getPresence({ context, request }: Call<'getPresence'>): Promise<Presence | Refusal> {
  const identity = await identify(context, request);
  if (identity === null) return ABSENT;
  if ('refused' in identity) return identity;
  const user = await findUser(context.pool, identity.userId);
  const memberships = (await readMemberships(context.pool, identity.userId)).map(membershipView);
  const membership = memberships.find(({ accountId }) => accountId === identity.accountId);
  if (user === undefined || membership === undefined) return ABSENT;
  // A token acts in its own account and shows no other.
  const shown = identity.accessToken === null ? memberships : [membership];
  return { user: userView(user), membership, memberships: shown };
}

async function resetPassword(call: Call<'resetPassword'>): Answer<'resetPassword'> {
  const { context, body } = call;
  const passwordHash = await hashPassword(body.password);
  if (typeof passwordHash !== 'string') return passwordHash;
  const reset = await inTransaction(context.pool, async (client) => {
    const taken = await takeLink(client, 'reset_password', body.token);
    if ('refused' in taken) return taken;
    const user = await findUser(client, taken.userId, { lock: true });
    if (user === undefined) return refuse('link_invalid');
    const signOn = await refusePassword(client, user.email);
    if (signOn !== undefined && !(await isExempt(client, user.email))) return signOn;
    // A link that reached the address proves it, so a reset confirms the address too.
    const confirmed = await confirmAddress(client, context, taken.userId);
    if ('refused' in confirmed) return confirmed;
    await client.query(CHANGE_PASSWORD, [taken.userId, passwordHash]);
    await client.query(END_SESSIONS, [taken.userId]);
    await client.query(REVOKE_ACCESS_TOKENS, [taken.userId]);
    const done = { kind: 'user', id: user.id, before: null, after: null };
    const receipt = await auditOwn(client, { ...call, caller: followerOf(user) }, done);
    const disabledKeys = isUnproven(user) ? await takeUnprovenAccess(client, call, user) : 0;
    return { user, disabledKeys, audit: receipt };
  });
  if ('refused' in reset) return reset;
  const { user, disabledKeys, audit } = reset;
  await pushCredits(context, user.accountId);
  if (disabledKeys > 0) {
    const link = `${context.consoleUrl}/keys`;
    sendLink(context, await readSettings(context.pool), { kind: 'keys_disabled', user, link });
  }
  return { view: undefined, audit };
}

function sessionView(row: SessionRow, currentId: string | null): SessionView {
  return {
    id: row.id,
    current: row.id === currentId,
    address: row.address,
    userAgent: row.userAgent,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}

async function listSessions({ context, caller }: Call<'listSessions'>): Promise<SessionList> {
  const { rows } = await context.pool.query<SessionRow>(LIST, [caller.userId]);
  return { data: rows.map((row) => sessionView(row, caller.sessionId)) };
}

async function logOut({ context, caller, reply }: Call<'logOut'>): Promise<undefined> {
  await context.pool.query('delete from sessions where id = $1', [caller.sessionId]);
  clearSessionCookie(reply, context.consoleUrl);
}

async function revokeOtherSessions({
  context,
  caller,
}: Call<'revokeOtherSessions'>): Promise<undefined> {
  const { userId, sessionId } = caller;
  await context.pool.query(`${END_SESSIONS} and id <> $2`, [userId, sessionId]);
}

async function revokeSession(call: Call<'revokeSession'>): Promise<undefined | Refusal> {
  const { context, caller, params } = call;
  const revoked = await context.pool.query('delete from sessions where id = $1 and user_id = $2', [
    params.sessionId,
    caller.userId,
  ]);
  return revoked.rowCount === 0 ? refuse('not_found', 'There is no such session.') : undefined;
}
