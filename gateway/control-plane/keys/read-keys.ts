import type { KeyPage, KeyView } from '@weir/shared/keys';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Call, Identity } from '../api/call.ts';
import { readCounted } from '../api/sorted-list.ts';
import type { Database } from '../api/transaction.ts';
import { refuseEnded } from '../sessions/identify.ts';
import { keyList } from './key-list.ts';
import { findKey, keyView, type KeyRow } from './key-row.ts';

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

export function listKeys({ context, query, caller }: Call<'listKeys'>): Promise<KeyPage | Refusal> {
  const own = { ...query, accountId: caller.accountId };
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
