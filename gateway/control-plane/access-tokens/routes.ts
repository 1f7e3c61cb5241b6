import type { SESSION_ROUTES } from '@weir/shared/api/admin-routes/sessions';
import {
  ACCESS_TOKEN_PREFIX,
  type AccessTokenList,
  type AccessTokenView,
} from '@weir/shared/people/sessions';
import { databaseNowMs } from '../../platform/clock/store-clock.ts';
import { refuse } from '../../platform/errors/refusal.ts';
import { newRequestId } from '../../platform/ids/request-id.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { digestOf, newToken } from '../api/callers/opaque-token.ts';
import { inTransaction, lockRow, onlyRow } from '../api/transaction.ts';
import { auditOwn } from '../audit/audit-log.ts';
import { refuseEnded } from '../sessions/identify.ts';

type Table = Pick<
  typeof SESSION_ROUTES,
  'listAccessTokens' | 'createAccessToken' | 'deleteAccessToken'
>;

export const accessTokenHandlers: HandlersOf<Table> = {
  listAccessTokens,
  createAccessToken,
  deleteAccessToken,
};

const TOKENS_PER_USER_MAX = 50;
const PREFIX_LETTERS = ACCESS_TOKEN_PREFIX.length + 6;

const SELECT = `
  select t.id, t.name, t.scope, t.prefix, t.expires_at as "expiresAt", t.last_used_at as "lastUsedAt", t.created_at as "createdAt",
    t.role, a.id as "accountId", a.name as "accountName"
  from access_tokens t join users u on u.id = t.user_id
    join accounts a on a.id = coalesce(t.account_id, u.account_id)
  where t.user_id = $1`;

/** All tokens of the user, or those of the account that a token is of. */
const LIST = `${SELECT} and ($2::uuid is null or a.id = $2) order by t.id desc`;
const FIND = `${SELECT} and t.id = $2`;

const INSERT = `
  insert into access_tokens (id, user_id, name, scope, digest, prefix, expires_at, account_id, role)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

const DELETE = 'delete from access_tokens where id = $1 and user_id = $2';

interface AccessTokenRow {
  readonly id: string;
  readonly name: string;
  readonly scope: 'read' | 'full';
  readonly accountId: string;
  readonly accountName: string;
  readonly role: AccessTokenView['role'];
  readonly prefix: string;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
}

function view(row: AccessTokenRow): AccessTokenView {
  return {
    id: row.id,
    name: row.name,
    scope: row.scope,
    accountId: row.accountId,
    accountName: row.accountName,
    role: row.role,
    prefix: row.prefix,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

/** A token as the audit log shows it, without even the first characters of its secret. */
function named({ name, scope, role, expiresAt }: AccessTokenView): object {
  return { name, scope, role, expiresAt };
}

async function listAccessTokens(call: Call<'listAccessTokens'>): Promise<AccessTokenList> {
  const { context, caller } = call;
  const accountId = caller.accessToken === null ? null : caller.accountId;
  const { rows } = await context.pool.query<AccessTokenRow>(LIST, [caller.userId, accountId]);
  return { data: rows.map(view) };
}

async function createAccessToken(call: Call<'createAccessToken'>): Answer<'createAccessToken'> {
  const { body, caller } = call;
  if (body.expiresAt != null && Date.parse(body.expiresAt) <= databaseNowMs()) {
    return refuse('invalid_value', 'The token would have expired already.', { param: 'expiresAt' });
  }
  const token = newToken(ACCESS_TOKEN_PREFIX);
  return inTransaction(call.context.pool, async (client) => {
    // The user's row orders two creations at once, so that neither passes the limit.
    await lockRow(client, 'users', caller.userId);
    const ended = await refuseEnded(client, caller);
    if (ended !== undefined) return ended;
    const { rows: known } = await client.query<AccessTokenRow>(LIST, [caller.userId, null]);
    if (known.length >= TOKENS_PER_USER_MAX) {
      return refuse(
        'limit_reached',
        'You have the maximum number of access tokens. Revoke one first.',
      );
    }
    const id = newRequestId(Date.now());
    await client.query(INSERT, [
      id,
      caller.userId,
      body.name,
      body.scope,
      digestOf(token),
      token.slice(0, PREFIX_LETTERS),
      body.expiresAt ?? null,
      caller.accountId,
      body.role ?? null,
    ]);
    const { rows } = await client.query<AccessTokenRow>(FIND, [caller.userId, id]);
    const created = view(onlyRow(rows));
    return {
      view: { ...created, token },
      audit: await auditOwn(client, call, {
        kind: 'access_token',
        id,
        before: null,
        after: named(created),
      }),
    };
  });
}

async function deleteAccessToken(call: Call<'deleteAccessToken'>): Answer<'deleteAccessToken'> {
  const { context, caller, params } = call;
  return inTransaction(context.pool, async (client) => {
    const id = params.accessTokenId;
    const { rows } = await client.query<AccessTokenRow>(FIND, [caller.userId, id]);
    const removed = await client.query(DELETE, [id, caller.userId]);
    const [deleted] = rows;
    if (deleted === undefined || removed.rowCount === 0) {
      return refuse('not_found', 'There is no such access token.');
    }
    const before = named(view(deleted));
    return {
      view: undefined,
      audit: await auditOwn(client, call, { kind: 'access_token', id, before, after: null }),
    };
  });
}
