import type { KEY_ROUTES } from '@weir/shared/admin-routes/keys';
import type { HandlersOf } from '../api/call.ts';
import { createKey } from './create-key.ts';
import { createKeyBatch, createKeyBatchForAccount } from './create-key-batch.ts';
import { getKey, getKeyOfAnyone, listKeys, listKeysOfEveryone } from './read-keys.ts';
import { createTemporaryKeyValue, rotateKey } from './rotate-key.ts';
import { deleteKey, deleteKeyOfAnyone, updateKey, updateKeyOfAnyone } from './update-key.ts';

export const keyHandlers: HandlersOf<typeof KEY_ROUTES> = {
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
};
