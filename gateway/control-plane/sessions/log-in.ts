import { redactSecrets } from '@weir/shared/redact-secrets';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { SessionCreated, SessionView } from '@weir/shared/sessions';
import { newRequestId } from '../../platform/ids/request-id.ts';
import { countAttemptFrom, forgetAttemptsFrom } from '../api/attempts.ts';
import type { Call } from '../api/call.ts';
import { digestOf, newToken } from '../api/opaque-token.ts';
import type { AdminContext } from '../api/context.ts';
import { membershipView, readMemberships } from '../members/member-row.ts';
import { checkSecondFactor } from '../second-factors/check-second-factor.ts';
import { verifyPassword } from '../users/password-hash.ts';
import { findUserByEmail, normaliseEmail, userView, type UserRow } from '../users/user-row.ts';
import { SESSION_IDLE_DAYS } from './identify.ts';
import { setSessionCookie } from './session-cookie.ts';

const USER_AGENT_CHARACTERS_MAX = 300;

/**
 * Only while the password that was verified is still the user's: verifying takes a while, and
 * a password reset in the meantime ends all sessions, also one that is just being opened
 * with the old one.
 */
const INSERT = `
  insert into sessions (id, user_id, digest, address, user_agent, expires_at)
  select $1, u.id, $3, $4, $5, now() + make_interval(days => $6)
  from users u where u.id = $2 and u.password_hash = $7 and u.disabled_at is null
  for share of u
  returning created_at as "createdAt", expires_at as "expiresAt"`;

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

interface OpenedSession {
  readonly token: string;
  readonly view: SessionView;
  readonly expiresAt: Date;
}

/** Undefined when the user's password is another by now, or the user is disabled. */
async function openSession(
  context: AdminContext,
  options: { readonly user: UserRow; readonly address: string; readonly userAgent: string },
): Promise<OpenedSession | undefined> {
  const id = newRequestId(Date.now());
  const token = newToken();
  const userAgent = redactSecrets(options.userAgent).slice(0, USER_AGENT_CHARACTERS_MAX);
  const { rows } = await context.pool.query<{ createdAt: Date; expiresAt: Date }>(INSERT, [
    id,
    options.user.id,
    digestOf(token),
    options.address,
    userAgent,
    SESSION_IDLE_DAYS,
    options.user.passwordHash,
  ]);
  const [opened] = rows;
  if (opened === undefined) return undefined;
  const { createdAt, expiresAt } = opened;
  const view = {
    id,
    current: true,
    address: options.address,
    userAgent,
    createdAt: createdAt.toISOString(),
    lastSeenAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
  return { token, view, expiresAt };
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
  const user = await authenticate(call, email);
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
