import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { SessionCreated } from '@weir/shared/people/sessions';
import { countAttemptFrom, forgetAttemptsFrom } from '../api/callers/attempts.ts';
import type { Call } from '../api/call.ts';
import { membershipView, readMemberships } from '../members/member-row.ts';
import { isExempt, refusePassword } from '../sign-on/only-sign-on.ts';
import { checkSecondFactor } from '../second-factors/check-second-factor.ts';
import { verifyPassword } from '../users/password-hash.ts';
import { findUserByEmail, normaliseEmail, userView, type UserRow } from '../users/user-row.ts';
import { openSession } from './open-session.ts';
import { setSessionCookie } from './session-cookie.ts';

const NOTE_LOGIN = 'update users set last_login_at = now() where id = $1';

/**
 * The same words whether the address is unknown, unconfirmed or disabled, or the password wrong.
 */
const WRONG = refuse(
  'invalid_credentials',
  'E-mail address or password is wrong, or the address was not confirmed yet. Look for the confirmation in your mail, or reset the password.',
);

function mayLogIn(user: UserRow): boolean {
  return user.disabledAt === null && (user.emailVerifiedAt !== null || !user.mustVerifyEmail);
}

async function authenticate(call: Call<'logIn'>, email: string): Promise<UserRow | Refusal> {
  const { context, body } = call;
  const user = await findUserByEmail(context.pool, email);
  const same = await verifyPassword(user?.passwordHash, body.password);
  if (typeof same !== 'boolean') return same;
  if (!same || user === undefined || !mayLogIn(user)) return WRONG;
  if (!user.secondFactor) return user;
  if (body.code === undefined) {
    return refuse(
      'second_factor_required',
      'Send the same again with the code of your authenticator app, or a recovery code.',
      { param: 'code' },
    );
  }
  return (await checkSecondFactor(context, user.id, body.code)) ?? user;
}

/**
 * Authenticates a person who may use a password. Where the domain is for sign-on only, the operator
 * may have let one person in; every other address of the domain gets the same refusal.
 */
async function authenticateHere(call: Call<'logIn'>, email: string): Promise<UserRow | Refusal> {
  const { pool } = call.context;
  const signOn = await refusePassword(pool, email);
  if (signOn === undefined) return authenticate(call, email);
  const user = await authenticate(call, email);
  const isWrong = 'refused' in user && user.refused === 'invalid_credentials';
  return isWrong || !(await isExempt(pool, email)) ? signOn : user;
}

/**
 * Logs in: attempts are counted before anything is looked up, and forgotten once all factors were
 * right.
 */
export async function logIn(call: Call<'logIn'>): Promise<SessionCreated | Refusal> {
  const { context, reply, request, address } = call;
  const email = normaliseEmail(call.body.email);
  const tooMany = await countAttemptFrom(context, 'login', { email, address });
  if (tooMany !== undefined) return tooMany;
  const user = await authenticateHere(call, email);
  if ('refused' in user) return user;
  await forgetAttemptsFrom(context, 'login', { email, address });
  const userAgent = request.headers['user-agent'] ?? '';
  const session = await openSession(context, { user, address, userAgent });
  if (session === undefined) return WRONG;
  await context.pool.query(NOTE_LOGIN, [user.id]);
  setSessionCookie(reply, context.consoleUrl, session);
  const memberships = (await readMemberships(context.pool, user.id)).map(membershipView);
  const membership = memberships.find(({ accountId }) => accountId === user.accountId);
  if (membership === undefined) throw new Error('a user is no member of their own account');
  const view = userView({ ...user, lastLoginAt: new Date() });
  return { session: session.view, user: view, membership, memberships };
}
