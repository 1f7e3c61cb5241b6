import * as Type from 'typebox';
import type { Static } from 'typebox';
import {
  choice,
  closed,
  Id,
  Instant,
  nullable,
  TEXT_KIND,
  Usd,
  partial,
} from '../api/wire-values.ts';
import { PAGE_QUERY, pageOf } from '../api/pages.ts';

export const INVOICE_KINDS = ['invoice', 'credit_note'] as const;
export type InvoiceKind = (typeof INVOICE_KINDS)[number];

/** Percent with at most four decimals: `"19"`, `"8.1"`. */
export const TaxRate = Type.String({
  pattern: '^(100|\\d{1,2}(\\.\\d{1,4})?)$',
  description: 'Percent as a decimal string with at most four decimals.',
});

/** The part of an invoice number that names its series. */
export const NumberPrefix = Type.String({ pattern: '^[A-Z0-9]{1,12}$' });

/** A name or tax id as it is printed on an invoice. */
export const PrintedLine = Type.String({ maxLength: 120 });
/** An address or note of several lines. */
export const PrintedLines = Type.String({ maxLength: 500, [TEXT_KIND]: 'lines' });

const BILLING_DETAILS = {
  /** Empty: invoices have the account's name. */
  name: PrintedLine,
  address: PrintedLines,
  taxId: PrintedLine,
};

/** The name, address and tax id of an account on its future invoices. */
export const BillingDetails = closed(BILLING_DETAILS);
export type BillingDetails = Static<typeof BillingDetails>;

export const BillingDetailsUpdate = partial(closed(BILLING_DETAILS), {
  additionalProperties: false,
});
export type BillingDetailsUpdate = Static<typeof BillingDetailsUpdate>;

/** An invoice or credit note as it was issued. Nothing of it changes later. */
export const InvoiceView = closed({
  id: Id,
  kind: choice(INVOICE_KINDS),
  /** Prefix, year and a number that counts up without gaps: `INV-2026-000042`. */
  number: Type.String(),
  accountId: Id,
  /** The customer's name as it was when the invoice was issued. */
  customerName: Type.String(),
  orderId: Id,
  /** The invoice that a credit note corrects; null for an invoice of an order. */
  refersTo: nullable(Type.String()),
  netUsd: Usd,
  taxUsd: Usd,
  /** The amount that was paid; of a credit note, the amount that went back. */
  grossUsd: Usd,
  issuedAt: Instant,
});
export type InvoiceView = Static<typeof InvoiceView>;

export const InvoiceListQuery = closed({
  ...PAGE_QUERY,
  kind: Type.Optional(choice(INVOICE_KINDS)),
  orderId: Type.Optional(Id),
});
export type InvoiceListQuery = Static<typeof InvoiceListQuery>;
export const InvoiceAdminListQuery = closed({
  ...InvoiceListQuery.properties,
  accountId: Type.Optional(Id),
});
export type InvoiceAdminListQuery = Static<typeof InvoiceAdminListQuery>;
export const InvoicePage = pageOf(InvoiceView);
export type InvoicePage = Static<typeof InvoicePage>;

/** The schemas of this file by their names in the API. */
export const INVOICE_SCHEMAS = {
  BillingDetails,
  BillingDetailsUpdate,
  InvoiceView,
  InvoiceListQuery,
  InvoiceAdminListQuery,
  InvoicePage,
} as const;
