import * as Type from 'typebox';
import type { Static } from 'typebox';
import {
  choice,
  closed,
  Count,
  EmailAddress,
  Id,
  Instant,
  Limit,
  Name,
  nullable,
  partial,
  Text,
  Usd,
  UsdAmount,
} from '../api/wire-values.ts';
import { ACTIVITY_SORTS } from '../watch/activity.ts';
import { countedPageOf, PAGE_QUERY } from '../api/pages.ts';
import { USER_ROLES, UserView } from './users.ts';
import { SubscriptionView } from '../money/subscriptions.ts';
import { CreditView } from '../money/credits.ts';
import { KeyView } from './keys.ts';

export const ACCOUNT_STATUSES = ['active', 'suspended'] as const;
export const SUBSCRIPTION_PREFERENCES = ['subscription_first', 'balance_first'] as const;

/** The live balance, from the ledger. */
export const BalanceView = closed({
  /** The amount that can be spent now. */
  availableUsd: UsdAmount,
  /** Held for requests in flight. */
  heldUsd: UsdAmount,
  /** Taken but not yet covered; the next credits pay it first. */
  owedUsd: UsdAmount,
  requestsInFlight: Count,
});
export type BalanceView = Static<typeof BalanceView>;

export const AccountView = closed({
  id: Id,
  name: Type.String(),
  status: choice(ACCOUNT_STATUSES),
  /** Requests in flight at once; null is unlimited. */
  concurrencyMax: Limit,
  subscriptionPreference: choice(SUBSCRIPTION_PREFERENCES),
  /** Null while the ledger cannot be reached, and for members who may not read it. */
  balance: nullable(BalanceView),
  /** The time at which its people were erased; its books stay. */
  deletedAt: nullable(Instant),
  createdAt: Instant,
  updatedAt: Instant,
});
export type AccountView = Static<typeof AccountView>;

/** The same for operators. */
export const AccountAdminView = closed({
  ...AccountView.properties,
  /** An operator's note, which customers never see. */
  note: Type.String(),
});
export type AccountAdminView = Static<typeof AccountAdminView>;

/** The preferences that the owner may change. */
export const AccountPreferencesUpdate = partial(
  closed({ name: Name, subscriptionPreference: choice(SUBSCRIPTION_PREFERENCES) }),
  { additionalProperties: false },
);
export type AccountPreferencesUpdate = Static<typeof AccountPreferencesUpdate>;

/** Opens an account with its first user, who gets a link by mail to choose a password. */
export const AccountCreate = closed({
  name: Name,
  email: EmailAddress,
  role: Type.Optional(choice(USER_ROLES)),
});
export type AccountCreate = Static<typeof AccountCreate>;

export const AccountUpdate = partial(
  closed({
    name: Name,
    status: choice(ACCOUNT_STATUSES),
    concurrencyMax: Limit,
    subscriptionPreference: choice(SUBSCRIPTION_PREFERENCES),
    note: Text,
  }),
  { additionalProperties: false },
);
export type AccountUpdate = Static<typeof AccountUpdate>;

/** The fields that accounts can be sorted by; `-` is descending. */
export const ACCOUNT_SORTS = [
  'name',
  '-name',
  'created',
  '-created',
  'balance',
  '-balance',
  ...ACTIVITY_SORTS,
] as const;
export type AccountSort = (typeof ACCOUNT_SORTS)[number];

/** The filters of the list of accounts. */
export const ACCOUNT_FILTERS = {
  /** Part of a name, an e-mail address or a note, or an account id. */
  search: Type.Optional(Type.String({ maxLength: 100 })),
  status: Type.Optional(choice(ACCOUNT_STATUSES)),
};

export const AccountListQuery = closed({
  ...PAGE_QUERY,
  ...ACCOUNT_FILTERS,
  /** Newest first unless another one is named. */
  sort: Type.Optional(choice(ACCOUNT_SORTS)),
});
export type AccountListQuery = Static<typeof AccountListQuery>;

/** A row of the list. The balance is the book's: drained usage only, a second or so behind. */
export const AccountListItem = closed({
  id: Id,
  name: Type.String(),
  status: choice(ACCOUNT_STATUSES),
  emails: Type.Array(Type.String()),
  bookBalanceUsd: Usd,
  deletedAt: nullable(Instant),
  createdAt: Instant,
});
export type AccountListItem = Static<typeof AccountListItem>;
export const AccountPage = countedPageOf(AccountListItem);
export type AccountPage = Static<typeof AccountPage>;

/** Everything a supporter needs to answer a customer, without acting as them. */
export const AccountOverview = closed({
  account: AccountAdminView,
  users: Type.Array(UserView),
  /** The ten newest. */
  keys: Type.Array(KeyView),
  subscriptions: Type.Array(SubscriptionView),
  recentCredits: Type.Array(CreditView),
  spendTodayUsd: Usd,
  spendThisMonthUsd: Usd,
  requestsThisMonth: Count,
});
export type AccountOverview = Static<typeof AccountOverview>;
