import { readAccountingSettings } from '../accounting/settings-row.ts';
import type { Database } from '../api/transaction.ts';
import { centsOf } from '../orders/order-row.ts';
import type { RefundRow } from '../orders/refund-row.ts';
import { includedTaxCents } from './included-tax.ts';
import { insertInvoice } from './insert-invoice.ts';
import type { InvoiceDocument } from './invoice-document.ts';
import { numberOf, SELECT_INVOICES, type InvoiceRow } from './invoice-row.ts';

const OF_ORDER = `${SELECT_INVOICES} where order_id = $1 order by issued_at, id`;

async function readInvoices(db: Database, orderId: string): Promise<readonly InvoiceRow[]> {
  return (await db.query<InvoiceRow>(OF_ORDER, [orderId])).rows;
}

function correcting(corrected: InvoiceRow): InvoiceDocument {
  return {
    ...corrected.document,
    refersTo: { number: numberOf(corrected), issuedAt: corrected.issuedAt.toISOString() },
  };
}

/** What the corrections of an invoice have taken from it so far, in cents. */
function correctedOf(invoices: readonly InvoiceRow[]): { gross: number; tax: number } {
  let [gross, tax] = [0, 0];
  for (const { kind, refundId, grossCents, taxCents } of invoices) {
    if (refundId === null) continue;
    const sign = kind === 'credit_note' ? 1 : -1;
    gross += sign * grossCents;
    tax += sign * taxCents;
  }
  return { gross, tax };
}

/**
 * Issues the credit note of a refund, once, as the last act of the transaction in which the money
 * went back. The rate and the names are those of the invoice; the taxes of all credit notes of an
 * order that was refunded as a whole add up to that of its invoice. An order without an invoice
 * gets no credit note.
 */
export async function issueCreditNote(
  db: Database,
  refund: Pick<RefundRow, 'id' | 'orderId' | 'amountNanoUsd'>,
): Promise<void> {
  const invoices = await readInvoices(db, refund.orderId);
  const original = invoices.find(({ refundId }) => refundId === null);
  if (original === undefined || invoices.some(({ refundId }) => refundId === refund.id)) return;
  const grossCents = centsOf(refund.amountNanoUsd);
  const before = correctedOf(invoices);
  const { taxRatePpm } = original.document;
  const taxCents = includedTaxCents(before.gross + grossCents, taxRatePpm) - before.tax;
  await insertInvoice(db, await readAccountingSettings(db), {
    kind: 'credit_note',
    accountId: original.accountId,
    orderId: original.orderId,
    refundId: refund.id,
    netCents: grossCents - taxCents,
    taxCents,
    document: correcting(original),
  });
}

/**
 * Issues an invoice for refunded money that came back: the refund failed late, or the dispute was
 * won. Does nothing for a refund that has no credit note, and nothing the second time.
 */
export async function issueReinstatement(db: Database, refund: RefundRow): Promise<void> {
  const ofRefund = (await readInvoices(db, refund.orderId)).filter(
    ({ refundId }) => refundId === refund.id,
  );
  const [creditNote] = ofRefund;
  if (creditNote === undefined || ofRefund.length > 1) return;
  await insertInvoice(db, await readAccountingSettings(db), {
    kind: 'invoice',
    accountId: creditNote.accountId,
    orderId: creditNote.orderId,
    refundId: refund.id,
    netCents: creditNote.netCents,
    taxCents: creditNote.taxCents,
    document: correcting(creditNote),
  });
}
