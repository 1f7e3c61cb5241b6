import type { CreditExportQuery } from '@weir/shared/money/accounting';
import { csvHeader, csvLine } from '@weir/shared/csv';
import { decimalFromNanoUsd } from '@weir/shared/money/money';
import { Conditions } from '../api/lists/conditions.ts';
import type { Database } from '../api/transaction.ts';
import { SELECT_CREDITS, type CreditRow } from './credit-row.ts';

/** Credits that are read at a time. */
const PAGE_ROWS = 500;

const HEAD = [
  'created_at',
  'account_id',
  'account_name',
  'sequence',
  'kind',
  'amount_usd',
  'reason',
  'actor',
];

function lineOf(credit: CreditRow): string {
  return csvLine([
    credit.createdAt.toISOString(),
    credit.accountId,
    credit.accountName,
    String(credit.sequence),
    credit.kind,
    decimalFromNanoUsd(credit.amountNanoUsd),
    credit.reason,
    credit.actor,
  ]);
}

async function readPage(
  db: Database,
  query: CreditExportQuery,
  after: CreditRow | undefined,
): Promise<CreditRow[]> {
  const conditions = new Conditions();
  const { accountId, kind, from, to } = query;
  if (after !== undefined) {
    const at = `timestamptz '1970-01-01 00:00:00+00' + ${conditions.place(after.atUs)}::bigint * interval '1 microsecond'`;
    const [account, sequence] = [after.accountId, after.sequence].map((key) =>
      conditions.place(key),
    );
    conditions.add(
      `(created_at, account_id, sequence) < (${at}, ${account ?? ''}, ${sequence ?? ''})`,
    );
  }
  conditions.equal('account_id', accountId);
  conditions.equal('kind', kind);
  if (from !== undefined) conditions.add(`created_at >= ${conditions.place(from)}`);
  if (to !== undefined) conditions.add(`created_at < ${conditions.place(to)}`);
  const limit = conditions.place(PAGE_ROWS);
  const text = `${SELECT_CREDITS} ${conditions.sql} order by created_at desc, account_id desc, sequence desc limit ${limit}`;
  return (await db.query<CreditRow>(text, conditions.values)).rows;
}

/** Credits as CSV, newest first, read page by page as the reader takes them. */
export async function* creditFile(db: Database, query: CreditExportQuery): AsyncGenerator<string> {
  yield csvHeader(HEAD);
  for (let last: CreditRow | undefined; ;) {
    const rows: CreditRow[] = await readPage(db, query, last);
    if (rows.length > 0) yield rows.map(lineOf).join('');
    last = rows.at(-1);
    if (rows.length < PAGE_ROWS) return;
  }
}
