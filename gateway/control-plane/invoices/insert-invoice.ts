import type { InvoiceKind } from '@weir/shared/money/invoices';
import { newRequestId } from '../../platform/ids/request-id.ts';
import type { AccountingSettings } from '../accounting/settings-row.ts';
import { onlyRow, type Database } from '../api/transaction.ts';
import type { InvoiceDocument } from './invoice-document.ts';

export interface NewInvoice {
  readonly kind: InvoiceKind;
  readonly accountId: string;
  readonly orderId: string;
  readonly refundId: string | null;
  readonly netCents: number;
  readonly taxCents: number;
  readonly document: InvoiceDocument;
}

/** Any number that no other lock of the database has. */
const NUMBERS_LOCK = 6_021_060;

/**
 * Kept until the end of the transaction. Always the last lock of a transaction, so that nobody who
 * has it waits for another; see docs/decisions/0028-lock-order.md.
 */
const LOCK = 'select pg_advisory_xact_lock($1)';

/** Read once the lock is there: a later number never has an earlier time. */
const CLOCK = `
  select at, extract(year from at at time zone $1)::integer as year
  from (select clock_timestamp() as at) clock`;

/** A rollback gives the number back, so that a series has no gap. */
const TAKE_NUMBER = `
  insert into invoice_series (prefix, year, last) values ($1, $2, 1)
  on conflict (prefix, year) do update set last = invoice_series.last + 1
  returning last`;

const INSERT = `
  insert into invoices (id, kind, prefix, year, sequence, account_id, order_id, refund_id,
    net_cents, tax_cents, gross_cents, document, issued_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`;

/** Issues a document with the next number of its series, as the last act of a transaction. */
export async function insertInvoice(
  db: Database,
  settings: AccountingSettings,
  invoice: NewInvoice,
): Promise<void> {
  const { kind, accountId, orderId, refundId, netCents, taxCents, document } = invoice;
  const prefix = kind === 'invoice' ? settings.invoicePrefix : settings.creditNotePrefix;
  await db.query(LOCK, [NUMBERS_LOCK]);
  const clock = await db.query<{ at: Date; year: number }>(CLOCK, [settings.timeZone]);
  const { at, year } = onlyRow(clock.rows);
  const taken = await db.query<{ last: number }>(TAKE_NUMBER, [prefix, year]);
  await db.query(INSERT, [
    newRequestId(at.getTime()),
    kind,
    prefix,
    year,
    onlyRow(taken.rows).last,
    accountId,
    orderId,
    refundId,
    netCents,
    taxCents,
    netCents + taxCents,
    document,
    at,
  ]);
}
