import type { KeyPage, KeyView } from '@weir/shared/people/keys';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Call, Identity } from '../api/call.ts';
import { readCounted } from '../api/lists/sorted-list.ts';
import type { Database } from '../api/transaction.ts';
import { refuseEnded } from '../sessions/identify.ts';
import { keyList, ownFilter } from './key-list.ts';
import { ANY_KEY, findKey, keyView, ownKeys, type KeyRow } from './key-row.ts';

export const NO_KEY = refuse('not_found', 'There is no such key.');

const OF_A_LOGIN = refuse(
  'state_conflict',
  'A tool holds this key by its login, and renews its values itself. Make a key of your own for other uses.',
);

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
  if ('refused' in key) return key;
  if (key.login !== null) return OF_A_LOGIN;
  if (key.memberId === null || key.memberId === caller.memberId) return key;
  return refuse(
    'role_required',
    'Only the member whose key it is gets a new value of it. You may disable, limit or delete it.',
  );
}

export function listKeys({ context, query, caller }: Call<'listKeys'>): Promise<KeyPage | Refusal> {
  const own = { ...query, ...ownFilter(caller) };
  return readCounted(context.pool, keyList(context.secrets), own, keyView);
}

export function listKeysOfEveryone({
  context,
  query,
}: Call<'listKeysOfEveryone'>): Promise<KeyPage | Refusal> {
  return readCounted(context.pool, keyList(context.secrets), query, keyView);
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
