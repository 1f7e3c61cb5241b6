import * as Type from 'typebox';
import type { Static } from 'typebox';
import { choice, closed, Id, Instant, Name, nullable, UsdAmount } from '../api/wire-values.ts';
import { countedPageOf, PAGE_QUERY, pageOf } from '../api/pages.ts';
import { SubscriptionView } from './subscriptions.ts';

export const REDEMPTION_BATCH_MAX = 10_000;
export const REDEMPTION_KINDS = ['balance', 'plan'] as const;
export const REDEMPTION_STATUSES = ['active', 'disabled', 'redeemed', 'expired'] as const;

/** Makes a batch of single-use codes. Takes an Idempotency-Key. */
export const RedemptionBatchCreate = closed({
  /** Names the batch: a campaign, a partner. */
  name: Name,
  count: Type.Integer({ minimum: 1, maximum: REDEMPTION_BATCH_MAX }),
  kind: choice(REDEMPTION_KINDS),
  /** For kind `balance`. */
  amountUsd: Type.Optional(UsdAmount),
  /** For kind `plan`. */
  planId: Type.Optional(Id),
  expiresAt: Type.Optional(nullable(Instant)),
});
export type RedemptionBatchCreate = Static<typeof RedemptionBatchCreate>;

export const RedemptionBatchView = closed({
  id: Id,
  name: Type.String(),
  kind: choice(REDEMPTION_KINDS),
  amountUsd: nullable(UsdAmount),
  planId: nullable(Id),
  planName: nullable(Type.String()),
  expiresAt: nullable(Instant),
  count: Type.Integer(),
  redeemedCount: Type.Integer(),
  disabledCount: Type.Integer(),
  createdAt: Instant,
});
export type RedemptionBatchView = Static<typeof RedemptionBatchView>;

/** The codes themselves, shown here and in the export. */
export const RedemptionBatchCreated = closed({
  ...RedemptionBatchView.properties,
  codes: Type.Array(Type.String()),
});
export type RedemptionBatchCreated = Static<typeof RedemptionBatchCreated>;

/** The fields that batches can be sorted by; `-` is descending. */
export const REDEMPTION_BATCH_SORTS = ['name', '-name', 'created', '-created'] as const;

export const RedemptionBatchListQuery = closed({
  ...PAGE_QUERY,
  sort: Type.Optional(choice(REDEMPTION_BATCH_SORTS)),
});
export const RedemptionBatchPage = pageOf(RedemptionBatchView);
export type RedemptionBatchPage = Static<typeof RedemptionBatchPage>;

/** Disables or re-enables every code of the batch that is not redeemed. */
export const RedemptionBatchUpdate = closed({ status: choice(['active', 'disabled']) });
export type RedemptionBatchUpdate = Static<typeof RedemptionBatchUpdate>;

export const RedemptionCodeView = closed({
  id: Id,
  batchId: Id,
  /** The last four characters. */
  hint: Type.String(),
  kind: choice(REDEMPTION_KINDS),
  amountUsd: nullable(UsdAmount),
  planId: nullable(Id),
  status: choice(REDEMPTION_STATUSES),
  expiresAt: nullable(Instant),
  redeemedAt: nullable(Instant),
  redeemedByAccountId: nullable(Id),
  createdAt: Instant,
});
export type RedemptionCodeView = Static<typeof RedemptionCodeView>;

/** The filters of the list of codes. */
export const REDEMPTION_CODE_FILTERS = {
  batchId: Type.Optional(Id),
  status: Type.Optional(choice(REDEMPTION_STATUSES)),
};

/** The fields that codes can be sorted by; `-` is descending. */
export const REDEMPTION_CODE_SORTS = ['created', '-created', 'status', '-status'] as const;

export const RedemptionCodeListQuery = closed({
  ...PAGE_QUERY,
  ...REDEMPTION_CODE_FILTERS,
  sort: Type.Optional(choice(REDEMPTION_CODE_SORTS)),
});
export type RedemptionCodeListQuery = Static<typeof RedemptionCodeListQuery>;
export const RedemptionCodePage = countedPageOf(RedemptionCodeView);
export type RedemptionCodePage = Static<typeof RedemptionCodePage>;

export const RedemptionCodeUpdate = closed({ status: choice(['active', 'disabled']) });
export type RedemptionCodeUpdate = Static<typeof RedemptionCodeUpdate>;

/** A user hands in a code. */
export const RedemptionCreate = closed({
  code: Type.String({ minLength: 4, maxLength: 100, writeOnly: true }),
});
export type RedemptionCreate = Static<typeof RedemptionCreate>;

export const RedemptionView = closed({
  /** `group`: the code opened a group, for as long as the account has it. */
  kind: choice([...REDEMPTION_KINDS, 'group']),
  amountUsd: nullable(UsdAmount),
  group: nullable(closed({ id: Id, name: Type.String() })),
  subscription: nullable(SubscriptionView),
  redeemedAt: Instant,
});
export type RedemptionView = Static<typeof RedemptionView>;
