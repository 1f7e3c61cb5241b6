import { wholeKeyIn } from '@weir/shared/key-text';
import type { KeyAdminListQuery, KeyPage, KeyView } from '@weir/shared/keys';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { keyDigests } from '../../platform/secrets/api-key.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import type { Call, Identity } from '../api/call.ts';
import type { AdminContext } from '../api/context.ts';
import { pageLimit, pageOf, readIdCursor } from '../api/cursor.ts';
import { likePattern } from '../api/like-pattern.ts';
import type { Database } from '../api/transaction.ts';
import { refuseEnded } from '../sessions/identify.ts';
import { findKey, keyView, SELECT_KEYS, type KeyRow } from './key-row.ts';

const LIST = `${SELECT_KEYS}
  where k.status <> 'deleted' and ($1::uuid is null or k.id < $1) and ($2::uuid is null or k.account_id = $2)
    and ($3::uuid is null or k.group_id = $3) and ($4::text is null or k.status = $4)
    and ($5::text is null or k.name ilike $5 or k.prefix like $5
         or k.digest = any ($7)
         or exists (select from key_aliases a where a.key_id = k.id and a.digest = any ($7)))
  order by k.id desc limit $6`;

export const NO_KEY = refuse('not_found', 'There is no such key.');

/** Locks a key of the caller's own account, to change it. */
export async function lockOwnKey(
  db: Database,
  caller: Identity,
  keyId: string,
): Promise<KeyRow | Refusal> {
  const key = await findKey(db, { keyId, accountId: caller.accountId, lock: true });
  return (await refuseEnded(db, caller)) ?? key ?? NO_KEY;
}

/**
 * A whole key, such as one that was found in a public repository, leads to its owner by its digest.
 * The console asks for it in the body of a search.
 */
function digestsOf(secrets: Secrets, search: string | undefined): readonly Buffer[] {
  if (search === undefined) return [];
  return keyDigests(secrets, wholeKeyIn(search) ?? search.trim());
}

async function readPage(
  { pool: db, secrets }: AdminContext,
  query: KeyAdminListQuery,
): Promise<KeyPage | Refusal> {
  const after = readIdCursor(query.cursor);
  if (typeof after === 'object' && after !== null) return after;
  const limit = pageLimit(query);
  const { rows } = await db.query<KeyRow>(LIST, [
    after,
    query.accountId ?? null,
    query.groupId ?? null,
    query.status ?? null,
    likePattern(query.search),
    limit + 1,
    digestsOf(secrets, query.search),
  ]);
  return pageOf(rows, { limit, view: keyView, sortKey: ({ id }) => [id] });
}

export function listKeys({ context, query, caller }: Call<'listKeys'>): Promise<KeyPage | Refusal> {
  return readPage(context, { ...query, accountId: caller.accountId });
}

export function listKeysOfEveryone({
  context,
  query,
}: Call<'listKeysOfEveryone'>): Promise<KeyPage | Refusal> {
  return readPage(context, query);
}

export async function getKey({
  context,
  params,
  caller,
}: Call<'getKey'>): Promise<KeyView | Refusal> {
  const key = await findKey(context.pool, { keyId: params.keyId, accountId: caller.accountId });
  return key === undefined ? NO_KEY : keyView(key);
}

export async function getKeyOfAnyone({
  context,
  params,
}: Call<'getKeyOfAnyone'>): Promise<KeyView | Refusal> {
  const key = await findKey(context.pool, { keyId: params.keyId, accountId: null });
  return key === undefined ? NO_KEY : keyView(key);
}
