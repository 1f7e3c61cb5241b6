import type { KEY_ROUTES } from '@weir/shared/admin-routes/keys';
import type { HandlersOf } from '../api/call.ts';
import { createKey } from './create-key.ts';
import { getKey, getKeyOfAnyone, listKeys, listKeysOfEveryone } from './read-keys.ts';
import { createTemporaryKeyValue, rotateKey } from './rotate-key.ts';
import { deleteKey, updateKey, updateKeyOfAnyone } from './update-key.ts';

export const keyHandlers: HandlersOf<typeof KEY_ROUTES> = {
  listKeys,
  createKey,
  getKey,
  updateKey,
  deleteKey,
  rotateKey,
  createTemporaryKeyValue,
  listKeysOfEveryone,
  getKeyOfAnyone,
  updateKeyOfAnyone,
};
