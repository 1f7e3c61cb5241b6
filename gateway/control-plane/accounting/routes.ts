import type { Readable } from 'node:stream';
import { ACCOUNTING_ROWS_MAX, type AccountingView } from '@weir/shared/money/accounting';
import type { ACCOUNTING_ROUTES } from '@weir/shared/api/admin-routes/accounting';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { sendCsv } from '../api/lists/csv.ts';
import { refuseBackwards } from '../api/lists/period.ts';
import { inTransaction, onlyRow } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { creditFile } from '../credits/credit-file.ts';
import { orderFile } from '../orders/order-file.ts';
import { accountingMailView, MAIL_COLUMNS, type AccountingMailRow } from './mail-row.ts';
import { monthFile } from './month-file.ts';
import { readPeriod } from './month-period.ts';
import { readMonthSums } from './month-sums.ts';
import { rowView, totalView } from './month-view.ts';
import { readAccountingSettings } from './settings-row.ts';
import { accountingSettingsView, updateAccountingSettings } from './update-settings.ts';

type Table = Pick<
  typeof ACCOUNTING_ROUTES,
  | 'getAccounting'
  | 'exportAccounting'
  | 'exportOrders'
  | 'exportCredits'
  | 'getAccountingSettings'
  | 'updateAccountingSettings'
  | 'listAccountingMails'
  | 'repeatAccountingMail'
>;

export const accountingHandlers: HandlersOf<Table> = {
  getAccounting,
  exportAccounting,
  exportOrders,
  exportCredits,
  getAccountingSettings: async ({ context }) =>
    accountingSettingsView(await readAccountingSettings(context.pool)),
  updateAccountingSettings,
  listAccountingMails: async ({ context }) => {
    const { rows } = await context.pool.query<AccountingMailRow>(MAILS);
    return { data: rows.map(accountingMailView) };
  },
  repeatAccountingMail,
};

/** A year for two addresses. */
const MAILS = `select ${MAIL_COLUMNS} from accounting_mails order by month desc, address limit 24`;

const LOCK_MAIL = `select ${MAIL_COLUMNS} from accounting_mails where id = $1 for update`;

const REPEAT = `
  update accounting_mails set status = 'waiting', attempts = 0, due_at = now(), error = null
  where id = $1 returning ${MAIL_COLUMNS}`;

async function getAccounting({
  context,
  query,
}: Call<'getAccounting'>): Promise<AccountingView | Refusal> {
  const period = await readPeriod(context.pool, query.month);
  if ('refused' in period) return period;
  const { total, rows } = await readMonthSums(context.pool, period, ACCOUNTING_ROWS_MAX);
  return {
    month: period.month,
    timeZone: period.timeZone,
    from: period.from.toISOString(),
    to: period.to.toISOString(),
    customers: Number(total.customers),
    data: rows.map(rowView),
    total: totalView(total),
  };
}

async function exportAccounting({
  context,
  query,
  reply,
}: Call<'exportAccounting'>): Promise<Readable | Refusal> {
  const period = await readPeriod(context.pool, query.month);
  if ('refused' in period) return period;
  const file = monthFile(context.pool, period);
  return await sendCsv(reply, `weir-customers-${period.month}.csv`, file);
}

async function exportOrders({
  context,
  query,
  reply,
}: Call<'exportOrders'>): Promise<Readable | Refusal> {
  const { paidFrom, paidTo } = query;
  const backwards = refuseBackwards({
    ...(paidFrom === undefined ? {} : { from: paidFrom }),
    ...(paidTo === undefined ? {} : { to: paidTo }),
  });
  return backwards ?? (await sendCsv(reply, 'weir-orders.csv', orderFile(context.pool, query)));
}

async function exportCredits({
  context,
  query,
  reply,
}: Call<'exportCredits'>): Promise<Readable | Refusal> {
  const file = creditFile(context.pool, query);
  return refuseBackwards(query) ?? (await sendCsv(reply, 'weir-credits.csv', file));
}

/** A mail that arrived or is on its way is not sent a second time. */
function repeatAccountingMail(call: Call<'repeatAccountingMail'>): Answer<'repeatAccountingMail'> {
  const { context, params } = call;
  const id = params.accountingMailId;
  return inTransaction(context.pool, async (client) => {
    const [row] = (await client.query<AccountingMailRow>(LOCK_MAIL, [id])).rows;
    if (row === undefined) return refuse('not_found', 'There is no such mail.');
    if (row.status === 'sent' || row.status === 'sending') {
      return refuse('state_conflict', 'This mail was sent, or is being sent.');
    }
    const repeated = (await client.query<AccountingMailRow>(REPEAT, [id])).rows;
    const [before, after] = [accountingMailView(row), accountingMailView(onlyRow(repeated))];
    const change = { kind: 'accounting_mail', id, before, after };
    return { view: after, audit: await audit(client, call, change) };
  });
}
