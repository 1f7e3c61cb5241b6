import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { USAGE_ROUTES } from '@weir/shared/api/admin-routes/usage';
import type {
  UsageDayList,
  UsageRecordAdminListQuery,
  UsageRecordAdminView,
  UsageRecordView,
} from '@weir/shared/watch/usage';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Call, HandlersOf } from '../api/call.ts';
import { sendCsv, startCsv } from '../api/lists/csv.ts';
import { readNewestFirst } from '../api/lists/newest-first.ts';
import { refuseBackwards } from '../api/lists/period.ts';
import type { Database } from '../api/transaction.ts';
import { getOwnStatement, getStatement, listOwnStatements } from '../statements/statement.ts';
import { ADMIN_CSV, OWN_CSV, type CsvForm } from './csv-page.ts';
import { exportDays } from './export-days.ts';
import { recordFile } from './record-file.ts';
import { findRecord, findRecords, type RecordFilter } from './find-records.ts';
import { recordAdminView, recordView, type RecordRow } from './record-row.ts';
import { readUsageDays, readUsageSummary } from './usage-days.ts';
import { isOwnUsage, ownUsage, type UsageScope } from './whose-usage.ts';

export const usageHandlers: HandlersOf<typeof USAGE_ROUTES> = {
  listOwnUsageRecords: ({ context, query, caller }) =>
    readPage(context.pool, { ...query, ...ownUsage(caller) }, recordView),
  getOwnUsageRecord,
  exportOwnUsage,
  listOwnUsageDays,
  exportOwnUsageDays,
  getOwnUsageSummary: ({ context, caller }) => readUsageSummary(context.pool, ownUsage(caller)),
  listOwnStatements,
  getOwnStatement,
  getUsageRecord,
  listUsageRecords: ({ context, query }) => readPage(context.pool, query, recordAdminView),
  exportUsage,
  listUsageDays: ({ context, query }) => readUsageDays(context.pool, query),
  getStatement,
};

const NO_RECORD = refuse(
  'not_found',
  'There is no record of this request. A request appears a second or so after its end.',
);

function readPage<View>(
  db: Database,
  query: UsageRecordAdminListQuery & UsageScope,
  view: (row: RecordRow) => View,
) {
  const { cursor: _cursor, limit: _limit, ...filter } = query;
  return readNewestFirst(query, (page) => findRecords(db, filter, page), view);
}

async function getOwnUsageRecord(
  call: Call<'getOwnUsageRecord'>,
): Promise<UsageRecordView | Refusal> {
  const { context, caller, params } = call;
  const row = await findRecord(context.pool, params.requestId);
  const isOwn = row !== undefined && (await isOwnUsage(context.pool, caller, row));
  return isOwn ? recordView(row) : NO_RECORD;
}

async function getUsageRecord({
  context,
  params,
}: Call<'getUsageRecord'>): Promise<UsageRecordAdminView | Refusal> {
  const row = await findRecord(context.pool, params.requestId);
  return row === undefined ? NO_RECORD : recordAdminView(row);
}

function exportOwnUsage({
  context,
  query,
  caller,
  reply,
}: Call<'exportOwnUsage'>): Promise<Readable | Refusal> {
  const filter = { ...query, ...ownUsage(caller) };
  return sendExport(context.pool, filter, { reply, name: 'weir-usage.csv', form: OWN_CSV });
}

function exportUsage({ context, query, reply }: Call<'exportUsage'>): Promise<Readable | Refusal> {
  return sendExport(context.pool, query, {
    reply,
    name: exportName(query),
    form: ADMIN_CSV,
  });
}

/** The month of a file that has one alone: `weir-usage-2026-11.csv`. */
function exportName({ from, to }: RecordFilter): string {
  const month = from && new Date(from).toISOString().slice(0, 7);
  // The end is exclusive.
  const last = to === undefined ? undefined : new Date(Date.parse(to) - 1).toISOString();
  const isOfMonth = month !== undefined && last?.startsWith(month) === true;
  return isOfMonth ? `weir-usage-${month}.csv` : 'weir-usage.csv';
}

async function sendExport(
  db: Database,
  filter: RecordFilter,
  options: { readonly reply: FastifyReply; readonly name: string; readonly form: CsvForm },
): Promise<Readable | Refusal> {
  const { reply, name, form } = options;
  return refuseBackwards(filter) ?? (await sendCsv(reply, name, recordFile(db, filter, form)));
}

function listOwnUsageDays(call: Call<'listOwnUsageDays'>): Promise<UsageDayList | Refusal> {
  return readUsageDays(call.context.pool, { ...call.query, ...ownUsage(call.caller) });
}

async function exportOwnUsageDays({
  context,
  query,
  caller,
  reply,
}: Call<'exportOwnUsageDays'>): Promise<Readable | Refusal> {
  const file = await exportDays(context.pool, { ...query, ...ownUsage(caller) });
  if ('refused' in file) return file;
  startCsv(reply, `weir-usage-by-${query.by ?? 'day'}.csv`);
  return file;
}
