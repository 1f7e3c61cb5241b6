import type { AdminRoute } from '../admin-route.ts';
import {
  AccountsBulkChange,
  BulkChangeLinePage,
  BulkChangeLinesQuery,
  BulkChangeReport,
  BulkChangeUndo,
  ChannelsBulkChange,
  InvitationCodesBulkChange,
  KeysBulkChange,
  ModelsBulkChange,
  OwnKeysBulkChange,
  PricesBulkChange,
  RedemptionCodesBulkChange,
} from '../bulk-changes.ts';

const BULK_CHANGE = {
  method: 'POST',
  idempotencyKey: true,
  status: 200,
  reply: BulkChangeReport,
} as const;

/** Changes of many objects in one call, each one transaction and one audit entry. */
export const BULK_ROUTES = {
  changePricesInBulk: {
    ...BULK_CHANGE,
    path: '/bulk-changes/prices',
    caller: 'admin',
    summary: 'Changes the prices of many models from now or from a future time on, all or none.',
    body: PricesBulkChange,
  },
  changeModelsInBulk: {
    ...BULK_CHANGE,
    path: '/bulk-changes/models',
    caller: 'admin',
    summary: 'Enables, disables, groups or deletes many models.',
    body: ModelsBulkChange,
  },
  changeKeysInBulk: {
    ...BULK_CHANGE,
    path: '/bulk-changes/keys',
    caller: 'admin',
    summary: 'Enables, disables, limits, moves or deletes many keys of any accounts.',
    body: KeysBulkChange,
  },
  changeOwnKeysInBulk: {
    ...BULK_CHANGE,
    path: '/bulk-changes/own-keys',
    caller: 'user',
    audited: true,
    summary: 'Enables, disables, limits, moves or deletes many keys of the caller’s account.',
    body: OwnKeysBulkChange,
  },
  changeAccountsInBulk: {
    ...BULK_CHANGE,
    path: '/bulk-changes/accounts',
    caller: 'admin',
    summary: 'Suspends, reactivates, limits, groups or credits many accounts.',
    body: AccountsBulkChange,
  },
  changeChannelsInBulk: {
    ...BULK_CHANGE,
    path: '/bulk-changes/channels',
    caller: 'admin',
    summary: 'Changes status, priority or weight of many channels.',
    body: ChannelsBulkChange,
  },
  changeRedemptionCodesInBulk: {
    ...BULK_CHANGE,
    path: '/bulk-changes/redemption-codes',
    caller: 'admin',
    summary: 'Disables, enables or deletes many codes that are not redeemed.',
    body: RedemptionCodesBulkChange,
  },
  changeInvitationCodesInBulk: {
    ...BULK_CHANGE,
    path: '/bulk-changes/invitation-codes',
    caller: 'admin',
    summary: 'Disables, enables or deletes many invitation codes.',
    body: InvitationCodesBulkChange,
  },
  undoBulkChange: {
    ...BULK_CHANGE,
    path: '/bulk-changes/:bulkChangeId/undo',
    caller: 'admin',
    summary: 'Undoes a bulk change of prices. Refused if a price has changed since.',
    body: BulkChangeUndo,
  },
  listBulkChangeLines: {
    method: 'GET',
    path: '/bulk-changes/:bulkChangeId/lines',
    caller: 'admin',
    summary: 'Every object of a bulk change, with what changed.',
    query: BulkChangeLinesQuery,
    status: 200,
    reply: BulkChangeLinePage,
  },
} as const satisfies Record<string, AdminRoute>;
