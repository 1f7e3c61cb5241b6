import { Readable } from 'node:stream';
import type { ACCOUNTING_ROUTES } from '@weir/shared/api/admin-routes/accounting';
import type { InvoiceAdminListQuery, InvoicePage } from '@weir/shared/money/invoices';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Call, HandlersOf } from '../api/call.ts';
import { Conditions } from '../api/lists/conditions.ts';
import { pageLimit, pageOf, readIdCursor } from '../api/lists/cursor.ts';
import type { Database } from '../api/transaction.ts';
import { readBillingDetails, updateBillingDetails } from './billing-details.ts';
import {
  invoiceView,
  issuedInvoice,
  numberOf,
  SELECT_INVOICES,
  type InvoiceRow,
} from './invoice-row.ts';

type Table = Pick<
  typeof ACCOUNTING_ROUTES,
  | 'listOwnInvoices'
  | 'printOwnInvoice'
  | 'getBillingDetails'
  | 'updateBillingDetails'
  | 'listInvoices'
  | 'printInvoice'
>;

export const invoiceHandlers: HandlersOf<Table> = {
  listOwnInvoices: ({ context, query, caller }) =>
    readPage(context.pool, { ...query, accountId: caller.accountId }),
  printOwnInvoice: (call) => print(call, call.caller.accountId),
  getBillingDetails: ({ context, caller }) => readBillingDetails(context.pool, caller.accountId),
  updateBillingDetails,
  listInvoices: ({ context, query }) => readPage(context.pool, query),
  printInvoice: (call) => print(call),
};

async function readPage(
  db: Database,
  query: InvoiceAdminListQuery,
): Promise<InvoicePage | Refusal> {
  const after = readIdCursor(query.cursor);
  if (typeof after === 'object' && after !== null) return after;
  const conditions = new Conditions();
  if (after !== null) conditions.add(`id < ${conditions.place(after)}`);
  conditions.equal('account_id', query.accountId);
  conditions.equal('order_id', query.orderId);
  conditions.equal('kind', query.kind);
  const limit = pageLimit(query);
  const text = `${SELECT_INVOICES} ${conditions.sql} order by id desc limit ${conditions.place(limit + 1)}`;
  const { rows } = await db.query<InvoiceRow>(text, conditions.values);
  return pageOf(rows, { limit, view: invoiceView, sortKey: ({ id }) => [id] });
}

/** @param accountId the account that it must be of; absent: any */
async function print(
  { context, params, reply }: Call<'printOwnInvoice' | 'printInvoice'>,
  accountId?: string,
): Promise<Readable | Refusal> {
  const { rows } = await context.pool.query<InvoiceRow>(`${SELECT_INVOICES} where id = $1`, [
    params.invoiceId,
  ]);
  const [row] = rows;
  if (row === undefined || (accountId !== undefined && row.accountId !== accountId)) {
    return refuse('not_found', 'There is no such invoice.');
  }
  const file = await context.printer.print(issuedInvoice(row));
  if ('refused' in file) return file;
  void reply
    .type('application/pdf')
    .header('content-disposition', `attachment; filename="${numberOf(row)}.pdf"`)
    .header('cache-control', 'no-store');
  return Readable.from([Buffer.from(file)]);
}
