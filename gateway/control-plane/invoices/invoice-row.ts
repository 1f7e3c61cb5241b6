import type { InvoiceKind, InvoiceView } from '@weir/shared/money/invoices';
import { decimalFromNanoUsd } from '@weir/shared/money/money';
import { NANO_USD_PER_CENT } from '../api/amount.ts';
import { invoiceNumber, type InvoiceDocument, type IssuedInvoice } from './invoice-document.ts';

export interface InvoiceRow {
  readonly id: string;
  readonly kind: InvoiceKind;
  readonly prefix: string;
  readonly year: number;
  readonly sequence: number;
  readonly accountId: string;
  readonly orderId: string;
  readonly refundId: string | null;
  readonly netCents: number;
  readonly taxCents: number;
  readonly grossCents: number;
  readonly document: InvoiceDocument;
  readonly issuedAt: Date;
}

export const SELECT_INVOICES = `
  select id, kind, prefix, year, sequence, account_id as "accountId", order_id as "orderId",
    refund_id as "refundId", net_cents as "netCents", tax_cents as "taxCents",
    gross_cents as "grossCents", document, issued_at as "issuedAt"
  from invoices`;

export function numberOf({ prefix, year, sequence }: InvoiceRow): string {
  return invoiceNumber(prefix, year, sequence);
}

function usdOf(cents: number): string {
  return decimalFromNanoUsd(cents * NANO_USD_PER_CENT);
}

export function invoiceView(row: InvoiceRow): InvoiceView {
  return {
    id: row.id,
    kind: row.kind,
    number: numberOf(row),
    accountId: row.accountId,
    customerName: row.document.customer.name,
    orderId: row.orderId,
    refersTo: row.document.refersTo?.number ?? null,
    netUsd: usdOf(row.netCents),
    taxUsd: usdOf(row.taxCents),
    grossUsd: usdOf(row.grossCents),
    issuedAt: row.issuedAt.toISOString(),
  };
}

export function issuedInvoice(row: InvoiceRow): IssuedInvoice {
  const { kind, orderId, netCents, taxCents, grossCents, document } = row;
  return {
    kind,
    number: numberOf(row),
    orderId,
    issuedAt: row.issuedAt.toISOString(),
    netCents,
    taxCents,
    grossCents,
    document,
  };
}
