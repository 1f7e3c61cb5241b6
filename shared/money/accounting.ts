import * as Type from 'typebox';
import type { Static } from 'typebox';
import {
  choice,
  closed,
  Count,
  EmailAddress,
  Id,
  Instant,
  Month,
  nullable,
  UsdTotal,
  partial,
} from '../api/wire-values.ts';
import { CREDIT_KINDS } from './credits.ts';
import { NumberPrefix, PrintedLine, PrintedLines, TaxRate } from './invoices.ts';
import { ORDER_STATUSES } from './orders.ts';
import { listOf } from '../api/pages.ts';

/** Customers in a reply; the rest is in its total. The CSV file has them all. */
export const ACCOUNTING_ROWS_MAX = 200;
export const ACCOUNTING_ADDRESSES_MAX = 10;

const ACCOUNTING_SETTINGS = {
  /** IANA time zone of months and of the years in invoice numbers. */
  timeZone: Type.String({ minLength: 1, maxLength: 64 }),
  /** Issue an invoice for each order that is paid from now on. */
  invoicesEnabled: Type.Boolean(),
  issuerName: PrintedLine,
  issuerAddress: PrintedLines,
  issuerTaxId: PrintedLine,
  /** The name of the tax on invoices, such as VAT; empty: invoices show no tax. */
  taxLabel: Type.String({ maxLength: 40 }),
  /** The tax that is included in every amount. */
  taxRatePercent: TaxRate,
  invoicePrefix: NumberPrefix,
  creditNotePrefix: NumberPrefix,
  /** Printed at the bottom of every invoice. */
  footer: PrintedLines,
  /** Mail the files of each month on the first day of the next one. */
  mailsEnabled: Type.Boolean(),
  mailAddresses: Type.Array(EmailAddress, { maxItems: ACCOUNTING_ADDRESSES_MAX }),
};

export const AccountingSettingsView = closed({ ...ACCOUNTING_SETTINGS, updatedAt: Instant });
export type AccountingSettingsView = Static<typeof AccountingSettingsView>;

export const AccountingSettingsUpdate = partial(closed(ACCOUNTING_SETTINGS), {
  additionalProperties: false,
});
export type AccountingSettingsUpdate = Static<typeof AccountingSettingsUpdate>;

export const ACCOUNTING_SUMS = {
  requests: Count,
  /** Usage at selling prices: the three parts below. */
  usageUsd: UsdTotal,
  fromBalanceUsd: UsdTotal,
  fromSubscriptionUsd: UsdTotal,
  /** Usage that nothing could cover. */
  uncollectedUsd: UsdTotal,
  /** Upstream costs, as far as they are known. */
  upstreamCostUsd: UsdTotal,
  /** Requests whose upstream cost is unknown: no part of the margin. */
  unknownCostRequests: Count,
  /** Revenue of the other requests less their upstream costs. */
  marginUsd: UsdTotal,
  /** Top-ups by card or entered by hand. */
  boughtUsd: UsdTotal,
  /** Redeemed codes. */
  redeemedUsd: UsdTotal,
  /** Adjustments, welcome and opening credits, less those taken back. */
  givenUsd: UsdTotal,
  /** Taken from balances by refunds and card disputes, less what came back. */
  refundedUsd: UsdTotal,
  /** Plans paid from the balance. */
  plansFromBalanceUsd: UsdTotal,
  /** Plans paid by card, and the part of it that was refunded. */
  plansByCardUsd: UsdTotal,
  plansRefundedUsd: UsdTotal,
  /**
   * The balance at the end of the month, or now: `openingUsd` + bought + redeemed + given
   * − refunded − plans from the balance − usage from the balance.
   */
  openingUsd: UsdTotal,
  closingUsd: UsdTotal,
};

export const AccountingRow = closed({
  accountId: Id,
  accountName: Type.String(),
  ...ACCOUNTING_SUMS,
});
export type AccountingRow = Static<typeof AccountingRow>;

export const AccountingTotal = closed(ACCOUNTING_SUMS);
export type AccountingTotal = Static<typeof AccountingTotal>;

export const AccountingQuery = closed({
  /** A month in the time zone of accounting; this month when absent. */
  month: Type.Optional(Month),
});
export type AccountingQuery = Static<typeof AccountingQuery>;

export const AccountingView = closed({
  month: Month,
  timeZone: Type.String(),
  /** The first moment of the month, and that of the next month. */
  from: Instant,
  to: Instant,
  /** Customers with any movement or balance. */
  customers: Count,
  /** Those with the most usage. */
  data: Type.Array(AccountingRow),
  total: AccountingTotal,
});
export type AccountingView = Static<typeof AccountingView>;

/** Orders of a file: the filters of the list, and the time of payment. */
export const OrderExportQuery = closed({
  status: Type.Optional(choice(ORDER_STATUSES)),
  accountId: Type.Optional(Id),
  paidFrom: Type.Optional(Instant),
  paidTo: Type.Optional(Instant),
});
export type OrderExportQuery = Static<typeof OrderExportQuery>;

/** Credits of a file: the filters of the list, and their time. */
export const CreditExportQuery = closed({
  kind: Type.Optional(choice(CREDIT_KINDS)),
  accountId: Type.Optional(Id),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
});
export type CreditExportQuery = Static<typeof CreditExportQuery>;

/**
 * `waiting`: to be sent, or to be tried again. `failed`: given up after several attempts.
 * `unknown`: the process ended while it was sending, so that the mail may have arrived.
 */
export const ACCOUNTING_MAIL_STATUSES = [
  'waiting',
  'sending',
  'sent',
  'failed',
  'unknown',
] as const;

/** The files of one month for one address. */
export const AccountingMailView = closed({
  id: Id,
  month: Month,
  address: Type.String(),
  status: choice(ACCOUNTING_MAIL_STATUSES),
  attempts: Count,
  error: nullable(Type.String()),
  sentAt: nullable(Instant),
});
export type AccountingMailView = Static<typeof AccountingMailView>;
export const AccountingMailList = listOf(AccountingMailView);
export type AccountingMailList = Static<typeof AccountingMailList>;

/** The schemas of this file by their names in the API. */
export const ACCOUNTING_SCHEMAS = {
  AccountingSettingsView,
  AccountingSettingsUpdate,
  AccountingRow,
  AccountingTotal,
  AccountingQuery,
  AccountingView,
  OrderExportQuery,
  CreditExportQuery,
  AccountingMailView,
  AccountingMailList,
} as const;
