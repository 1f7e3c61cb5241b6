import * as Type from 'typebox';
import type { Static } from 'typebox';
import {
  choice,
  closed,
  Count,
  Day,
  Id,
  Instant,
  Month,
  Multiplier,
  nullable,
  Usd,
  UsdAmount,
  UsdTotal,
} from '../api/wire-values.ts';
import { listOf, PAGE_QUERY, pageOf } from '../api/pages.ts';
import { PROTOCOL_IDS, UPSTREAM_PROTOCOL_IDS } from '../catalog/protocols.ts';
import { REQUEST_OUTCOMES, USAGE_STATUSES } from './usage-record.ts';
import { BILL_PARTS, METER_IDS, type MeterId } from '../prices/meters.ts';
import { PRICE_FIELDS } from '../prices/price-fields.ts';
import { CreditView } from '../money/credits.ts';

const MeterCount = Type.Optional(Count);
/** The variant of what was made, such as `1024x1536 high`. */
const Variant = Type.Optional(Type.String());

const TOKEN_COUNTS = {
  input: Count,
  cachedInput: Count,
  cacheWrite: Count,
  output: Count,
  reasoning: Count,
  extra: closed(
    {
      ...(Object.fromEntries(METER_IDS.map((meter) => [meter, MeterCount])) as Record<
        MeterId,
        typeof MeterCount
      >),
      variant: Variant,
    },
    'What else was counted: parts of input and output, calls, and what is priced in place of tokens.',
  ),
};

/**
 * One line of the explanation: tokens × price × multiplier. Lines are exact; only their sum is
 * rounded, up.
 */
export const PriceLine = closed({
  part: choice(BILL_PARTS),
  /** Tokens, or calls for `per_call`, or what the meter of the part counts. */
  quantity: Count,
  variant: Variant,
  /** USD per 1,000,000 tokens, or per call, or per image, or per second. */
  priceUsd: UsdAmount,
  multiplier: Multiplier,
  /** Exact, so it may have more decimals than an amount. */
  costUsd: Type.String({ pattern: '^\\d+(\\.\\d+)?$' }),
});
export type PriceLine = Static<typeof PriceLine>;

/** One request's bill, with how it came about. */
export const UsageRecordView = closed({
  requestId: Id,
  createdAt: Instant,
  accountId: Id,
  keyId: Id,
  keyName: nullable(Type.String()),
  groupId: Id,
  groupName: nullable(Type.String()),
  /** The member whose key it was. Null for the account's own, and in accounts of one person. */
  memberId: nullable(Type.Integer()),
  /** The e-mail address. */
  memberName: nullable(Type.String()),
  teamId: nullable(Type.Integer()),
  teamName: nullable(Type.String()),
  model: Type.String(),
  /** The protocol of the client; null in records of former versions. */
  protocol: nullable(choice(PROTOCOL_IDS)),
  /** The protocol of the upstream; another one where the request was translated. */
  upstreamProtocol: nullable(choice(UPSTREAM_PROTOCOL_IDS)),
  status: choice(USAGE_STATUSES),
  httpStatus: Type.Integer(),
  stream: Type.Boolean(),
  tokens: closed(TOKEN_COUNTS),
  prices: closed(PRICE_FIELDS),
  /** The tier of processing whose prices these are; null for the ordinary one. */
  tier: nullable(Type.String()),
  multiplier: Multiplier,
  priceLines: Type.Array(PriceLine),
  costUsd: UsdAmount,
  /** The sources of the cost; the three sum to it. */
  fromBalanceUsd: UsdAmount,
  fromSubscriptionUsd: UsdAmount,
  uncollectedUsd: UsdAmount,
  /** Tokens were counted here because the upstream reported none. */
  estimated: Type.Boolean(),
  /** The upstream reported impossible usage, which was capped. */
  capped: Type.Boolean(),
  attempts: Count,
  latencyMs: Count,
  firstByteMs: nullable(Count),
});
export type UsageRecordView = Static<typeof UsageRecordView>;

/** For admins: also where it was sent. */
export const UsageRecordAdminView = closed({
  ...UsageRecordView.properties,
  channelId: nullable(Id),
  channelName: nullable(Type.String()),
  accountName: nullable(Type.String()),
});
export type UsageRecordAdminView = Static<typeof UsageRecordAdminView>;

const USAGE_FILTERS = {
  /** `served` for those that completed, `failed` for all others. */
  outcome: Type.Optional(choice(REQUEST_OUTCOMES)),
  keyId: Type.Optional(Id),
  groupId: Type.Optional(Id),
  memberId: Type.Optional(Type.Integer({ minimum: 1 })),
  teamId: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Public model ID, exact. */
  model: Type.Optional(Type.String({ maxLength: 128 })),
  status: Type.Optional(choice(USAGE_STATUSES)),
  /** Inclusive. */
  from: Type.Optional(Instant),
  /** Exclusive. */
  to: Type.Optional(Instant),
};

export const UsageRecordListQuery = closed({ ...PAGE_QUERY, ...USAGE_FILTERS });
export type UsageRecordListQuery = Static<typeof UsageRecordListQuery>;
export const UsageRecordAdminListQuery = closed({
  ...PAGE_QUERY,
  ...USAGE_FILTERS,
  accountId: Type.Optional(Id),
  channelId: Type.Optional(Id),
});
export type UsageRecordAdminListQuery = Static<typeof UsageRecordAdminListQuery>;
export const UsageRecordPage = pageOf(UsageRecordView);
export type UsageRecordPage = Static<typeof UsageRecordPage>;
export const UsageRecordAdminPage = pageOf(UsageRecordAdminView);
export type UsageRecordAdminPage = Static<typeof UsageRecordAdminPage>;

/** The rows of the export, newest first, as `text/csv`. */
export const UsageExportQuery = closed(USAGE_FILTERS);
export type UsageExportQuery = Static<typeof UsageExportQuery>;
export const UsageExportAdminQuery = closed({
  ...USAGE_FILTERS,
  accountId: Type.Optional(Id),
  channelId: Type.Optional(Id),
});
export type UsageExportAdminQuery = Static<typeof UsageExportAdminQuery>;

// Daily aggregates: what charts are drawn from.
// ----------------------------------------------------

export const USAGE_DIMENSIONS = ['none', 'model', 'key', 'group', 'member', 'team'] as const;
export const USAGE_DAYS_MAX = 366;
/** A chart of more hours cannot be read. */
export const USAGE_HOUR_DAYS_MAX = 7;

export const UsageDayQuery = closed({
  /** Inclusive days in UTC; the last 30 when absent. */
  from: Type.Optional(Day),
  to: Type.Optional(Day),
  /** Splits each day. */
  by: Type.Optional(choice(USAGE_DIMENSIONS)),
  /** The step of the series; hours for at most 7 days. */
  per: Type.Optional(choice(['day', 'hour'])),
  keyId: Type.Optional(Id),
  groupId: Type.Optional(Id),
  memberId: Type.Optional(Type.Integer({ minimum: 1 })),
  teamId: Type.Optional(Type.Integer({ minimum: 1 })),
  status: Type.Optional(choice(USAGE_STATUSES)),
  outcome: Type.Optional(choice(REQUEST_OUTCOMES)),
  model: Type.Optional(Type.String({ maxLength: 128 })),
});
export type UsageDayQuery = Static<typeof UsageDayQuery>;
export const UsageDayAdminQuery = closed({
  ...UsageDayQuery.properties,
  by: Type.Optional(choice([...USAGE_DIMENSIONS, 'account'])),
  accountId: Type.Optional(Id),
  channelId: Type.Optional(Id),
});
export type UsageDayAdminQuery = Static<typeof UsageDayAdminQuery>;

const USAGE_SUMS = {
  requests: Count,
  inputTokens: Count,
  cachedInputTokens: Count,
  outputTokens: Count,
  costUsd: UsdTotal,
};

export const UsageDayView = closed({
  day: Day,
  /** The hour of the day in UTC, 0 to 23; null when summed per day. */
  hour: nullable(Type.Integer({ minimum: 0, maximum: 23 })),
  /**
   * The model, or the id of the key, group, account, member or team; null when not split, for the
   * rest beyond the 20 most expensive, and for usage of no member or team.
   */
  of: nullable(Type.String()),
  /** Its name for people. */
  label: nullable(Type.String()),
  ...USAGE_SUMS,
});
export type UsageDayView = Static<typeof UsageDayView>;
export const UsageDayList = listOf(UsageDayView);
export type UsageDayList = Static<typeof UsageDayList>;

/** The dashboard's figures. */
export const UsageSummary = closed({
  today: closed(USAGE_SUMS),
  month: closed(USAGE_SUMS),
});
export type UsageSummary = Static<typeof UsageSummary>;

// Statements.
// ------------------------------------------------------------------------------------------

export const StatementMonth = closed({ month: Month, costUsd: UsdTotal, creditsUsd: UsdTotal });
export type StatementMonth = Static<typeof StatementMonth>;
export const StatementMonthList = listOf(StatementMonth);
export type StatementMonthList = Static<typeof StatementMonthList>;

/** The part of a month that was of a member or a team. */
const StatementShare = closed({
  id: Type.Integer(),
  /** The e-mail address of a member, the name of a team. */
  name: nullable(Type.String()),
  requests: Count,
  costUsd: Usd,
});

/** One account's month: what came in, what was used, per model. */
export const StatementView = closed({
  accountId: Id,
  accountName: Type.String(),
  month: Month,
  openingBalanceUsd: Usd,
  credits: Type.Array(CreditView),
  creditsUsd: Usd,
  usage: Type.Array(
    closed({
      model: Type.String(),
      requests: Count,
      inputTokens: Count,
      outputTokens: Count,
      costUsd: Usd,
    }),
  ),
  /** The usage by member and by team; what belongs to none is in neither. */
  members: Type.Array(StatementShare),
  teams: Type.Array(StatementShare),
  usageUsd: Usd,
  /** The part of the usage that subscriptions paid; it did not touch the balance. */
  fromSubscriptionUsd: Usd,
  /** The part of the usage that nothing could cover. */
  uncollectedUsd: Usd,
  closingBalanceUsd: Usd,
});
export type StatementView = Static<typeof StatementView>;
