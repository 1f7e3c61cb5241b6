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
import {
  ANY_KEY,
  findKey,
  keyView,
  ownKeys,
  SELECT_KEYS,
  type KeyRow,
  type KeyScope,
} from './key-row.ts';

const LIST = `${SELECT_KEYS}
  where k.status <> 'deleted' and ($1::uuid is null or k.id < $1) and ($2::uuid is null or k.account_id = $2)
    and ($3::uuid is null or k.group_id = $3) and ($4::text is null or k.status = $4)
    and ($5::text is null or k.name ilike $5 or k.prefix like $5
         or k.digest = any ($7)
         or exists (select from key_aliases a where a.key_id = k.id and a.digest = any ($7)))
    and ($8::bigint is null or k.member_id = $8)
  order by k.id desc limit $6`;

export const NO_KEY = refuse('not_found', 'There is no such key.');

/** Locks a key that the caller sees, to change it. */
export async function lockOwnKey(
  db: Database,
  caller: Identity,
  keyId: string,
): Promise<KeyRow | Refusal> {
  const key = await findKey(db, { keyId, ...ownKeys(caller), lock: true });
  return (await refuseEnded(db, caller)) ?? key ?? NO_KEY;
}

/**
 * The same for a value of the key, which its holder could use in the member's name: only the member
 * gets one.
 */
export async function lockKeyForValue(
  db: Database,
  caller: Identity,
  keyId: string,
): Promise<KeyRow | Refusal> {
  const key = await lockOwnKey(db, caller, keyId);
  if ('refused' in key || key.memberId === null || key.memberId === caller.memberId) return key;
  return refuse(
    'role_required',
    'Only the member whose key it is gets a new value of it. You may disable, limit or delete it.',
  );
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
  scope: KeyScope,
): Promise<KeyPage | Refusal> {
  const after = readIdCursor(query.cursor);
  if (typeof after === 'object' && after !== null) return after;
  const limit = pageLimit(query);
  const { rows } = await db.query<KeyRow>(LIST, [
    after,
    scope.accountId ?? query.accountId ?? null,
    query.groupId ?? null,
    query.status ?? null,
    likePattern(query.search),
    limit + 1,
    digestsOf(secrets, query.search),
    scope.memberId,
  ]);
  return pageOf(rows, { limit, view: keyView, sortKey: ({ id }) => [id] });
}

export function listKeys({ context, query, caller }: Call<'listKeys'>): Promise<KeyPage | Refusal> {
  return readPage(context, query, ownKeys(caller));
}

export function listKeysOfEveryone({
  context,
  query,
}: Call<'listKeysOfEveryone'>): Promise<KeyPage | Refusal> {
  return readPage(context, query, ANY_KEY);
}

export async function getKey({
  context,
  params,
  caller,
}: Call<'getKey'>): Promise<KeyView | Refusal> {
  const key = await findKey(context.pool, { keyId: params.keyId, ...ownKeys(caller) });
  return key === undefined ? NO_KEY : keyView(key);
}

export async function getKeyOfAnyone({
  context,
  params,
}: Call<'getKeyOfAnyone'>): Promise<KeyView | Refusal> {
  const key = await findKey(context.pool, { keyId: params.keyId, ...ANY_KEY });
  return key === undefined ? NO_KEY : keyView(key);
}
