import type { BULK_ROUTES } from '@weir/shared/api/admin-routes/bulk-changes';
import type { KEY_ROUTES } from '@weir/shared/api/admin-routes/keys';
import type { HandlersOf } from '../api/call.ts';
import { changeKeysInBulk, changeOwnKeysInBulk } from './bulk-change-keys.ts';
import { createKey } from './create-key.ts';
import { createKeyBatch, createKeyBatchForAccount } from './create-key-batch.ts';
import { getKey, getKeyOfAnyone, listKeys, listKeysOfEveryone } from './read-keys.ts';
import { createTemporaryKeyValue, rotateKey } from './rotate-key.ts';
import { deleteKey, deleteKeyOfAnyone, updateKey, updateKeyOfAnyone } from './update-key.ts';

export const keyHandlers: HandlersOf<
  typeof KEY_ROUTES & Pick<typeof BULK_ROUTES, 'changeKeysInBulk' | 'changeOwnKeysInBulk'>
> = {
  listKeys,
  createKey,
  createKeyBatch,
  getKey,
  updateKey,
  deleteKey,
  rotateKey,
  createTemporaryKeyValue,
  listKeysOfEveryone,
  getKeyOfAnyone,
  updateKeyOfAnyone,
  deleteKeyOfAnyone,
  createKeyBatchForAccount,
  changeKeysInBulk,
  changeOwnKeysInBulk,
};
