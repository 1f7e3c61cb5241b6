import type { OrderExportQuery } from '@weir/shared/money/accounting';
import { csvHeader, csvLine } from '@weir/shared/csv';
import { decimalFromNanoUsd } from '@weir/shared/money/money';
import { Conditions } from '../api/lists/conditions.ts';
import type { Database } from '../api/transaction.ts';
import { invoiceNumber } from '../invoices/invoice-document.ts';
import { SELECT_ORDERS, type OrderRow } from './order-row.ts';

/** Orders that are read at a time. */
const PAGE_ROWS = 500;

const HEAD = [
  'order_id',
  'created_at',
  'paid_at',
  'account_id',
  'account_name',
  'kind',
  'plan',
  'amount_usd',
  'refunded_usd',
  'charged_back_usd',
  'status',
  'payment_id',
  'invoice_number',
];

const NUMBERS = `
  select order_id as "orderId", prefix, year, sequence from invoices
  where order_id = any ($1) and kind = 'invoice' and refund_id is null`;

interface NumberRow {
  readonly orderId: string;
  readonly prefix: string;
  readonly year: number;
  readonly sequence: number;
}

/** The numbers of the orders' invoices, by order. */
async function readNumbers(
  db: Database,
  orders: readonly OrderRow[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<NumberRow>(NUMBERS, [orders.map(({ id }) => id)]);
  return new Map(
    rows.map(({ orderId, prefix, year, sequence }) => [
      orderId,
      invoiceNumber(prefix, year, sequence),
    ]),
  );
}

function lineOf(order: OrderRow, invoice: string): string {
  return csvLine([
    order.id,
    order.createdAt.toISOString(),
    order.paidAt?.toISOString() ?? '',
    order.accountId,
    order.accountName,
    order.kind,
    order.planName ?? '',
    decimalFromNanoUsd(order.amountNanoUsd),
    decimalFromNanoUsd(order.refundedNanoUsd),
    decimalFromNanoUsd(order.chargedBackNanoUsd),
    order.status,
    order.paymentIntentId ?? '',
    invoice,
  ]);
}

async function readPage(
  db: Database,
  query: OrderExportQuery,
  after: string | undefined,
): Promise<OrderRow[]> {
  const conditions = new Conditions();
  if (after !== undefined) conditions.add(`o.id < ${conditions.place(after)}`);
  conditions.equal('o.account_id', query.accountId);
  conditions.equal('o.status', query.status);
  const { paidFrom, paidTo } = query;
  if (paidFrom !== undefined) conditions.add(`o.paid_at >= ${conditions.place(paidFrom)}`);
  if (paidTo !== undefined) conditions.add(`o.paid_at < ${conditions.place(paidTo)}`);
  const limit = conditions.place(PAGE_ROWS);
  const text = `${SELECT_ORDERS} ${conditions.sql} order by o.id desc limit ${limit}`;
  return (await db.query<OrderRow>(text, conditions.values)).rows;
}

/** Orders as CSV, newest first, read page by page as the reader takes them. */
export async function* orderFile(db: Database, query: OrderExportQuery): AsyncGenerator<string> {
  yield csvHeader(HEAD);
  for (let after: string | undefined; ;) {
    const rows: OrderRow[] = await readPage(db, query, after);
    const numbers = await readNumbers(db, rows);
    if (rows.length > 0) yield rows.map((row) => lineOf(row, numbers.get(row.id) ?? '')).join('');
    after = rows.at(-1)?.id;
    if (rows.length < PAGE_ROWS) return;
  }
}
