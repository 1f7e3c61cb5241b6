import * as Type from 'typebox';
import type { Static, TProperties } from 'typebox';
import { ACCOUNT_FILTERS, ACCOUNT_STATUSES } from '../people/accounts.ts';
import { ChannelUpdate } from '../catalog/channels.ts';
import { KEY_ADMIN_FILTERS, KEY_BULK_LIMITS, KEY_FILTERS } from '../people/keys.ts';
import { MODEL_FILTERS } from '../catalog/models.ts';
import { BULK_OBJECTS_MAX, PAGE_QUERY, pageOf } from './pages.ts';
import { REDEMPTION_CODE_FILTERS } from '../money/redemption-codes.ts';
import {
  choice,
  closed,
  Count,
  Id,
  Instant,
  Limit,
  Multiplier,
  nullable,
  partial,
  Reason,
  Usd,
  UsdAmount,
} from './wire-values.ts';

/** Lines that a report shows; all of them are in the audit log. */
export const BULK_LINES_SHOWN = 20;
/** Objects that were not changed and that a report names; the others are counted. */
export const BULK_NOT_CHANGED_SHOWN = 200;

/** The reasons for which a bulk change leaves an object as it is. */
export const BULK_REASONS = [
  /** It was deleted since the list was loaded, or is not the caller's. */
  'not_found',
  /** It is so already. */
  'unchanged',
  /** The model has no price that a factor could change. */
  'no_price',
  /** Groups or channels list the model. */
  'in_use',
  /** An administrator disabled the key, so its owner cannot enable it. */
  'disabled_by_admin',
  /** The account of the key may not use the group, or it is disabled. */
  'group_closed',
  /** The group lacks models that the key is limited to. */
  'models_missing',
  /** Only the books of the account are left. */
  'account_deleted',
  /** The account of the caller is not suspended in bulk, so that they can undo it. */
  'own_account',
  /** A code that was redeemed stays as it is. */
  'redeemed',
] as const;
export type BulkReason = (typeof BULK_REASONS)[number];

/** One object of a bulk change. `before` and `after` have the fields that changed. */
export const BulkChangeLine = closed({
  id: Id,
  name: Type.String(),
  before: Type.Unknown(),
  /** Null: it was deleted. */
  after: Type.Unknown(),
});
export type BulkChangeLine = Static<typeof BulkChangeLine>;

/** The effect of a bulk change; for a dry run, the effect that it would have. */
export const BulkChangeReport = closed({
  /** The subject of its audit entry, by which it is undone; null if nothing changed. */
  id: nullable(Id),
  dryRun: Type.Boolean(),
  /** The objects that it was for. */
  matched: Count,
  changed: Count,
  notChangedCount: Count,
  notChanged: Type.Array(closed({ id: Id, name: Type.String(), reason: choice(BULK_REASONS) })),
  lines: Type.Array(BulkChangeLine),
});
export type BulkChangeReport = Static<typeof BulkChangeReport>;

/**
 * The body of a bulk change: either `ids`, or `matching`, the filter of the list and the number of
 * objects that it showed. Another number is refused, so that nothing is changed that was not shown.
 */
function bulkChange<Filters extends TProperties, Change extends TProperties>(
  filters: Filters,
  change: Change,
  description: string,
) {
  return closed(
    {
      ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: BULK_OBJECTS_MAX })),
      matching: Type.Optional(
        closed({ ...filters, count: Type.Integer({ minimum: 1, maximum: BULK_OBJECTS_MAX }) }),
      ),
      ...change,
      /** Only says what would happen. */
      dryRun: Type.Optional(Type.Boolean()),
    },
    description,
  );
}

const Deletion = Type.Optional(Type.Literal(true));
const ActiveOrDisabled = Type.Optional(choice(['active', 'disabled']));

/** Prices to a step: `"0.01"` for whole cents per 1,000,000 tokens. */
const PriceRounding = closed({
  stepUsd: UsdAmount,
  mode: choice(['nearest', 'up', 'down']),
});

export const PricesBulkChange = bulkChange(
  MODEL_FILTERS,
  {
    /** Exactly one of `set`, `factor` and `percent` is sent. Prices that are absent stay. */
    set: Type.Optional(
      partial(
        closed({
          inputUsd: UsdAmount,
          outputUsd: UsdAmount,
          cachedInputUsd: nullable(UsdAmount, 'Null: the input price.'),
          cacheWriteUsd: nullable(UsdAmount, 'Null: the input price.'),
          perCallUsd: UsdAmount,
        }),
        { additionalProperties: false, minProperties: 1 },
      ),
    ),
    /** Multiplies every price of a model, those of long prompts and of meters included. */
    factor: Type.Optional(Multiplier),
    /** The same as a factor: `"10"` for 1.1, `"-10"` for 0.9. */
    percent: Type.Optional(Type.String({ pattern: '^-?\\d{1,4}(\\.\\d{1,4})?$' })),
    /** Absent: up to a whole nanodollar. */
    rounding: Type.Optional(PriceRounding),
    /** Absent: now. */
    effectiveFrom: Type.Optional(Instant),
  },
  'Changes the prices of models, all or none. A price that would become free, or too large, refuses all.',
);
export type PricesBulkChange = Static<typeof PricesBulkChange>;

export const ModelsBulkChange = bulkChange(
  MODEL_FILTERS,
  {
    status: ActiveOrDisabled,
    /** The groups that have the models afterwards; they leave all others. */
    groupIds: Type.Optional(Type.Array(Id, { maxItems: 1_000 })),
    /** Deletes those that no group or channel lists. */
    delete: Deletion,
  },
  'Changes or deletes models. Those in use are not deleted, and are reported.',
);
export type ModelsBulkChange = Static<typeof ModelsBulkChange>;

const KEY_CHANGE = { status: ActiveOrDisabled, groupId: Type.Optional(Id), delete: Deletion };

export const KeysBulkChange = bulkChange(
  KEY_ADMIN_FILTERS,
  { ...KEY_CHANGE, ...partial(closed(KEY_BULK_LIMITS)).properties },
  'Changes or deletes keys of any accounts. Keys that cannot be changed so are left, and are reported.',
);
export type KeysBulkChange = Static<typeof KeysBulkChange>;

export const OwnKeysBulkChange = bulkChange(
  KEY_FILTERS,
  { ...KEY_CHANGE, ...partial(closed(KEY_BULK_LIMITS)).properties },
  'The same for keys of the caller’s account.',
);
export type OwnKeysBulkChange = Static<typeof OwnKeysBulkChange>;

export const AccountsBulkChange = bulkChange(
  ACCOUNT_FILTERS,
  {
    status: Type.Optional(choice(ACCOUNT_STATUSES)),
    concurrencyMax: Type.Optional(Limit),
    /** Gives the group, with a price of its own (null: the group's), or takes it away. */
    group: Type.Optional(
      closed({
        groupId: Id,
        multiplier: Type.Optional(nullable(Multiplier)),
        take: Type.Optional(Type.Literal(true)),
      }),
    ),
    /** Adds this to each balance; a negative amount takes it. */
    credit: Type.Optional(closed({ amountUsd: Usd, reason: Reason })),
  },
  'Changes accounts. Exactly one kind of change is sent. Deleted accounts are left, and are reported.',
);
export type AccountsBulkChange = Static<typeof AccountsBulkChange>;

export const ChannelsBulkChange = bulkChange(
  {},
  {
    status: ActiveOrDisabled,
    priority: ChannelUpdate.properties.priority,
    weight: ChannelUpdate.properties.weight,
  },
  'Changes channels.',
);
export type ChannelsBulkChange = Static<typeof ChannelsBulkChange>;

export const RedemptionCodesBulkChange = bulkChange(
  REDEMPTION_CODE_FILTERS,
  { status: ActiveOrDisabled, delete: Deletion },
  'Changes or deletes codes. Those that were redeemed stay, and are reported.',
);
export type RedemptionCodesBulkChange = Static<typeof RedemptionCodesBulkChange>;

export const InvitationCodesBulkChange = bulkChange(
  {},
  { status: ActiveOrDisabled, delete: Deletion },
  'Changes or deletes invitation codes.',
);
export type InvitationCodesBulkChange = Static<typeof InvitationCodesBulkChange>;

export const BulkChangeUndo = closed({ dryRun: Type.Optional(Type.Boolean()) });
export type BulkChangeUndo = Static<typeof BulkChangeUndo>;

export const BulkChangeLinesQuery = closed(PAGE_QUERY);
export const BulkChangeLinePage = pageOf(BulkChangeLine);
export type BulkChangeLinePage = Static<typeof BulkChangeLinePage>;

/** The schemas of this file by their names in the API. */
export const BULK_SCHEMAS = {
  BulkChangeLine,
  BulkChangeReport,
  BulkChangeUndo,
  BulkChangeLinesQuery,
  BulkChangeLinePage,
  PricesBulkChange,
  ModelsBulkChange,
  KeysBulkChange,
  OwnKeysBulkChange,
  AccountsBulkChange,
  ChannelsBulkChange,
  RedemptionCodesBulkChange,
  InvitationCodesBulkChange,
} as const;
