import { randomUUID } from 'node:crypto';
import type { DIRECTORY_ROUTES } from '@weir/shared/api/admin-routes/directories';
import {
  DIRECTORY_TOKEN_PREFIX,
  DIRECTORY_TOKENS_MAX,
  SCIM_ROOT,
  type DirectoryView,
} from '@weir/shared/people/directories';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { digestOf, newToken } from '../api/callers/opaque-token.ts';
import { inTransaction, onlyRow, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { refuseEnded } from '../sessions/identify.ts';
import { findProvider, type ProviderRow } from '../sign-on/providers/provider-row.ts';
import { NO_PROVIDER } from '../sign-on/providers/write-provider.ts';

export const directoryHandlers: HandlersOf<typeof DIRECTORY_ROUTES> = {
  getDirectory,
  deleteDirectory,
  createDirectoryToken,
  deleteDirectoryToken,
};

const PREFIX_LETTERS = DIRECTORY_TOKEN_PREFIX.length + 6;

const STATE = `
  select d.provider_id is not null as enabled, d.last_call_at as "lastCallAt", d.last_refusal as "lastRefusal",
    d.last_refused_at as "lastRefusedAt",
    (select count(*)::integer from directory_users where provider_id = $1) as "usersCount",
    (select count(*)::integer from directory_users where provider_id = $1 and active) as "activeUsersCount",
    (select count(*)::integer from directory_groups where provider_id = $1) as "groupsCount"
  from (select $1::uuid as id) wanted left join directories d on d.provider_id = wanted.id`;

const TOKENS = `
  select id, prefix, last_used_at as "lastUsedAt", created_at as "createdAt"
  from directory_tokens where provider_id = $1 order by created_at, id`;

const LOCK = 'select 1 from sign_on_providers where id = $1 for update';
const OPEN = 'insert into directories (provider_id) values ($1) on conflict do nothing';
const CLOSE = 'delete from directories where provider_id = $1';
const INSERT = `
  insert into directory_tokens (id, provider_id, digest, prefix) values ($1, $2, $3, $4)
  returning created_at as "createdAt"`;
const DELETE = `
  delete from directory_tokens where id = $1 and provider_id = $2 returning prefix`;

interface TokenRow {
  readonly id: string;
  readonly prefix: string;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
}

interface StateRow extends Omit<
  DirectoryView,
  'address' | 'tokens' | 'lastCallAt' | 'lastRefusedAt'
> {
  readonly lastCallAt: Date | null;
  readonly lastRefusedAt: Date | null;
}

const tokenView = ({ id, prefix, lastUsedAt, createdAt }: TokenRow) => ({
  id,
  prefix,
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
});

async function getDirectory(call: Call<'getDirectory'>): Promise<DirectoryView | Refusal> {
  const { context, params } = call;
  const { pool, consoleUrl } = context;
  const provider = await findProvider(pool, params.signOnProviderId);
  if (provider === undefined) return NO_PROVIDER;
  const state = onlyRow((await pool.query<StateRow>(STATE, [provider.id])).rows);
  const tokens = await pool.query<TokenRow>(TOKENS, [provider.id]);
  return {
    ...state,
    address: `${consoleUrl}${SCIM_ROOT}`,
    tokens: tokens.rows.map(tokenView),
    lastCallAt: state.lastCallAt?.toISOString() ?? null,
    lastRefusedAt: state.lastRefusedAt?.toISOString() ?? null,
  };
}

/** Locks a provider, so that neither of two changes of its directory passes a limit. */
async function lockProvider(db: Database, providerId: string): Promise<ProviderRow | undefined> {
  await db.query(LOCK, [providerId]);
  return findProvider(db, providerId);
}

function createDirectoryToken(call: Call<'createDirectoryToken'>): Answer<'createDirectoryToken'> {
  const { context, caller, params } = call;
  return inTransaction(context.pool, async (client) => {
    const provider = await lockProvider(client, params.signOnProviderId);
    if (provider === undefined) return NO_PROVIDER;
    const ended = await refuseEnded(client, caller);
    if (ended !== undefined) return ended;
    const known = await client.query<TokenRow>(TOKENS, [provider.id]);
    if (known.rows.length >= DIRECTORY_TOKENS_MAX) {
      return refuse(
        'limit_reached',
        'The directory has two tokens. Enter the newer one at the provider and revoke the other first.',
      );
    }
    await client.query(OPEN, [provider.id]);
    const id = randomUUID();
    const token = newToken(DIRECTORY_TOKEN_PREFIX);
    const prefix = token.slice(0, PREFIX_LETTERS);
    const { rows } = await client.query<{ createdAt: Date }>(INSERT, [
      id,
      provider.id,
      digestOf(token),
      prefix,
    ]);
    const { createdAt } = onlyRow(rows);
    const view = { ...tokenView({ id, prefix, lastUsedAt: null, createdAt }), token };
    const change = {
      kind: 'sign_on_provider',
      id: provider.id,
      before: null,
      after: { token: id },
    };
    return { view, audit: await audit(client, call, change) };
  });
}

function deleteDirectoryToken(call: Call<'deleteDirectoryToken'>): Answer<'deleteDirectoryToken'> {
  const { context, params } = call;
  const { signOnProviderId: providerId, directoryTokenId: id } = params;
  return inTransaction(context.pool, async (client) => {
    const { rowCount } = await client.query(DELETE, [id, providerId]);
    if (rowCount === 0) return refuse('not_found', 'The directory has no such token.');
    const change = { kind: 'sign_on_provider', id: providerId, before: { token: id }, after: null };
    return { view: undefined, audit: await audit(client, call, change) };
  });
}

function deleteDirectory(call: Call<'deleteDirectory'>): Answer<'deleteDirectory'> {
  const { context, params } = call;
  return inTransaction(context.pool, async (client) => {
    const provider = await lockProvider(client, params.signOnProviderId);
    if (provider === undefined) return NO_PROVIDER;
    if ((await client.query(CLOSE, [provider.id])).rowCount === 0) {
      return refuse('not_found', 'The provider has no directory.');
    }
    const views = { before: { directory: true }, after: { directory: false } };
    const change = { kind: 'sign_on_provider', id: provider.id, ...views };
    return { view: undefined, audit: await audit(client, call, change) };
  });
}
