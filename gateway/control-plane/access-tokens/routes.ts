import type { SESSION_ROUTES } from '@weir/shared/admin-routes/sessions';
import {
  ACCESS_TOKEN_PREFIX,
  type AccessTokenList,
  type AccessTokenView,
} from '@weir/shared/sessions';
import { databaseNowMs } from '../../platform/clock/store-clock.ts';
import { refuse } from '../../platform/errors/refusal.ts';
import { newRequestId } from '../../platform/ids/request-id.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { digestOf, newToken } from '../api/opaque-token.ts';
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

const COLUMNS = `
  id, name, scope, prefix, expires_at as "expiresAt", last_used_at as "lastUsedAt", created_at as "createdAt"`;

const LIST = `select ${COLUMNS} from access_tokens where user_id = $1 order by id desc`;

const INSERT = `
  insert into access_tokens (id, user_id, name, scope, digest, prefix, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7) returning ${COLUMNS}`;

const DELETE = `delete from access_tokens where id = $1 and user_id = $2 returning ${COLUMNS}`;

interface AccessTokenRow {
  readonly id: string;
  readonly name: string;
  readonly scope: 'read' | 'full';
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
    prefix: row.prefix,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

/** A token as the audit log tells it: not even the first characters of its secret. */
function named({ name, scope, expiresAt }: AccessTokenView): object {
  return { name, scope, expiresAt };
}

async function listAccessTokens(call: Call<'listAccessTokens'>): Promise<AccessTokenList> {
  const { rows } = await call.context.pool.query<AccessTokenRow>(LIST, [call.caller.userId]);
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
    const { rows: known } = await client.query<AccessTokenRow>(LIST, [caller.userId]);
    if (known.length >= TOKENS_PER_USER_MAX) {
      return refuse(
        'limit_reached',
        'You have the maximum number of access tokens. Revoke one first.',
      );
    }
    const { rows } = await client.query<AccessTokenRow>(INSERT, [
      newRequestId(Date.now()),
      caller.userId,
      body.name,
      body.scope,
      digestOf(token),
      token.slice(0, PREFIX_LETTERS),
      body.expiresAt ?? null,
    ]);
    const created = view(onlyRow(rows));
    const { id } = created;
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
    const { rows } = await client.query<AccessTokenRow>(DELETE, [
      params.accessTokenId,
      caller.userId,
    ]);
    const [deleted] = rows;
    if (deleted === undefined) return refuse('not_found', 'There is no such access token.');
    const { id } = deleted;
    const before = named(view(deleted));
    return {
      view: undefined,
      audit: await auditOwn(client, call, { kind: 'access_token', id, before, after: null }),
    };
  });
}
