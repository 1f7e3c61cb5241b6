import { wholeKeyIn } from '@weir/shared/key-text';
import type { KeyAdminListQuery, KeyPage, KeyView } from '@weir/shared/keys';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { keyDigests } from '../../platform/secrets/api-key.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { ACTIVITY_COLUMNS, figuresJoin, type FigureRow } from '../activity/activity-sort.ts';
import type { Call, Identity } from '../api/call.ts';
import type { AdminContext } from '../api/context.ts';
import { UUID_SHAPE } from '../api/cursor.ts';
import { likePattern } from '../api/like-pattern.ts';
import { readSorted, TEXT_SHAPE, type SortColumn } from '../api/sorted-list.ts';
import type { Database } from '../api/transaction.ts';
import { refuseEnded } from '../sessions/identify.ts';
import { findKey, KEY_COLUMNS, keyView, type KeyRow } from './key-row.ts';

type ListRow = KeyRow & FigureRow;

/** Ids are made in the order of time. */
const COLUMNS: Readonly<Record<string, SortColumn<ListRow>>> = {
  created: { expression: 'k.id', type: 'uuid', shape: UUID_SHAPE, valueOf: ({ id }) => id },
  name: {
    // As names are entered: a key's name is no more than a label, and "lower" of PostgreSQL and
    // JavaScript differ.
    expression: 'k.name',
    type: 'text',
    shape: TEXT_SHAPE,
    valueOf: ({ name }) => name,
  },
  ...ACTIVITY_COLUMNS,
};

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
  { pool, secrets }: AdminContext,
  query: KeyAdminListQuery,
): Promise<KeyPage | Refusal> {
  return readSorted<ListRow, KeyView>(query, {
    columns: COLUMNS,
    sort: '-created',
    id: 'k.id',
    view: keyView,
    find: async ({ conditions, order }) => {
      conditions.add(`k.status <> 'deleted'`);
      conditions.equal('k.account_id', query.accountId);
      conditions.equal('k.group_id', query.groupId);
      conditions.equal('k.status', query.status);
      const pattern = likePattern(query.search);
      if (pattern !== null) {
        const like = conditions.place(pattern);
        const digests = conditions.place(digestsOf(secrets, query.search));
        conditions.add(`(k.name ilike ${like} or k.prefix like ${like} or k.digest = any (${digests})
          or exists (select from key_aliases a where a.key_id = k.id and a.digest = any (${digests})))`);
      }
      const figures = figuresJoin(conditions, { kind: 'key', sort: query.sort, of: 'k.id' });
      const text = `select ${KEY_COLUMNS} ${figures.select}
        from keys k join groups g on g.id = k.group_id ${figures.join} ${conditions.sql} ${order}`;
      return (await pool.query<ListRow>(text, conditions.values)).rows;
    },
  });
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
