import type { FastifyRequest } from 'fastify';
import { ACCESS_TOKEN_PREFIX } from '@weir/shared/people/sessions';
import type { MemberRole } from '@weir/shared/api/permissions';
import type { UserRole } from '@weir/shared/people/users';
import { isReadOnlyError } from '../../stores/postgres/is-connection-error.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { digestOf } from '../api/callers/opaque-token.ts';
import type { Identity } from '../api/call.ts';
import type { AdminContext } from '../api/context.ts';
import type { Database } from '../api/transaction.ts';
import { readSessionCookie } from './session-cookie.ts';

/** A session that is used lives this long after its last use, and never longer than the second. */
export const SESSION_IDLE_DAYS = 14;
const SESSION_DAYS_MAX = 90;

/** Uses are noted at most this often: reading must not write on every request. */
const SEEN_EVERY_SECONDS = 60;

interface IdentityRow {
  readonly id: string;
  readonly userId: string;
  readonly accountId: string;
  readonly ownAccountId: string;
  readonly memberId: string;
  readonly memberRole: MemberRole;
  readonly email: string;
  readonly role: UserRole;
  readonly stale: boolean;
}

const USER = `
  u.id as "userId", u.account_id as "ownAccountId", u.email, u.role, m.account_id as "accountId", m.id::text as "memberId",
  m.role as "memberRole"`;

/** The membership that a session or access token `of` acts in. Nothing acts in one that ended. */
const memberOf = (of: string): string => `
  join members m on m.user_id = u.id and m.account_id = coalesce(${of}.account_id, u.account_id)
    and m.ended_at is null`;

const SESSION = `
  select s.id, ${USER}, s.last_seen_at < now() - make_interval(secs => ${String(SEEN_EVERY_SECONDS)}) as stale
  from sessions s join users u on u.id = s.user_id ${memberOf('s')}
  where s.digest = $1 and s.expires_at > now() and u.disabled_at is null`;

const SEE_SESSION = `
  update sessions set last_seen_at = now(), expires_at = least(
    now() + make_interval(days => ${String(SESSION_IDLE_DAYS)}),
    created_at + make_interval(days => ${String(SESSION_DAYS_MAX)}))
  where id = $1`;

const ACCESS_TOKEN = `
  select t.id, t.name, t.scope, t.role as "tokenRole", ${USER},
    coalesce(t.last_used_at < now() - make_interval(secs => ${String(SEEN_EVERY_SECONDS)}), true) as stale
  from access_tokens t join users u on u.id = t.user_id ${memberOf('t')}
  where t.digest = $1 and (t.expires_at is null or t.expires_at > now()) and u.disabled_at is null`;

const SEE_ACCESS_TOKEN = 'update access_tokens set last_used_at = now() where id = $1';

const STILL_THERE = `
  select 1 from members where id = $3::bigint and ended_at is null
    and (exists (select from sessions where id = $1) or exists (select from access_tokens where id = $2))`;

type AccessTokenRow = IdentityRow & {
  readonly name: string;
  readonly scope: 'read' | 'full';
  readonly tokenRole: MemberRole | null;
};

function identity(row: IdentityRow): Omit<Identity, 'sessionId' | 'accessToken' | 'tokenRole'> {
  const { userId, accountId, ownAccountId, memberId, memberRole, email, role } = row;
  return { userId, accountId, ownAccountId, memberId, memberRole, email, role };
}

/** A database that takes no changes can still be read by who is logged in. */
async function see({ pool }: AdminContext, statement: string, id: string): Promise<void> {
  try {
    await pool.query(statement, [id]);
  } catch (error) {
    if (!(error instanceof Error) || !isReadOnlyError(error)) throw error;
  }
}

async function identifySession(context: AdminContext, token: string): Promise<Identity | null> {
  const { rows } = await context.pool.query<IdentityRow>(SESSION, [digestOf(token)]);
  const [row] = rows;
  if (row === undefined) return null;
  if (row.stale) await see(context, SEE_SESSION, row.id);
  return { ...identity(row), tokenRole: null, sessionId: row.id, accessToken: null };
}

async function identifyAccessToken(
  context: AdminContext,
  token: string,
): Promise<Identity | Refusal> {
  const { rows } = await context.pool.query<AccessTokenRow>(ACCESS_TOKEN, [digestOf(token)]);
  const [row] = rows;
  if (row === undefined) {
    return refuse(
      'invalid_access_token',
      `This access token is unknown, revoked or expired. Personal access tokens begin with "${ACCESS_TOKEN_PREFIX}" and are made in the console under Account; an API key ("sk-…") does not work here.`,
    );
  }
  if (row.stale) await see(context, SEE_ACCESS_TOKEN, row.id);
  const accessToken = { id: row.id, name: row.name, scope: row.scope };
  return { ...identity(row), tokenRole: row.tokenRole, sessionId: null, accessToken };
}

/** Who sent this request: null for nobody. A bearer token, when sent, decides alone. */
export async function identify(
  context: AdminContext,
  request: FastifyRequest,
): Promise<Identity | Refusal | null> {
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return identifyAccessToken(context, bearer);
  const cookie = readSessionCookie(request, context.consoleUrl);
  return cookie === undefined ? null : identifySession(context, cookie);
}

/**
 * Refuses a caller whose session, token or membership has ended since the request was admitted. A
 * request is admitted before its body is there, which may take half a minute: what outlives the
 * session, a token or a key that works, could otherwise still be had after a password was reset. To
 * be asked once the rows that a reset locks are locked.
 */
export async function refuseEnded(db: Database, caller: Identity): Promise<Refusal | undefined> {
  const { rowCount } = await db.query(STILL_THERE, [
    caller.sessionId,
    caller.accessToken?.id,
    caller.memberId,
  ]);
  return rowCount === 0 ? refuse('not_authenticated') : undefined;
}
