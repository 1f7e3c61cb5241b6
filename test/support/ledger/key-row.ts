import type { KeyRow } from '../../../gateway/data-plane/authentication/key-row.ts';

/** A key without limits, as the worker pool finds it. */
export const KEY_ROW: KeyRow = {
  keyId: 'k',
  prefix: 'sk-abcdef',
  status: 'active',
  groupId: 'g',
  expiresAtMs: null,
  budgetTotal: null,
  budgetDay: null,
  budgetMonth: null,
  rpm: null,
  tpm: null,
  concurrencyMax: null,
  ipAllowlist: [],
  modelAllowlist: [],
  accountId: '01a1fd85-7715-7fed-a767-b935f6226f9b',
  accountStatus: 'active',
  accountConcurrencyMax: null,
  preference: 'balance_first',
  subscriptions: [],
  memberships: [],
  memberGone: false,
  teamMayUse: true,
  keepsContent: false,
  isLogin: false,
  shares: null,
};
