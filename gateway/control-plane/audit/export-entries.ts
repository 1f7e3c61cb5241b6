import type { Readable } from 'node:stream';
import { csvHeader, csvLine } from '@weir/shared/csv';
import type { Refusal } from '../../platform/errors/refusal.ts';
import type { Call } from '../api/call.ts';
import { sendCsv } from '../api/lists/csv.ts';
import { refuseBackwards } from '../api/lists/period.ts';
import { findEntries, type AuditRow } from './find-entries.ts';

/** Entries that are read at a time. */
const PAGE_ROWS = 500;

const HEAD = [
  'at_utc',
  'user_email',
  'by',
  'address',
  'action',
  'subject_kind',
  'subject_id',
  'before',
  'after',
  'request_id',
];

function jsonOf(view: unknown): string {
  return view === null ? '' : JSON.stringify(view);
}

function lineOf(row: AuditRow): string {
  return csvLine([
    row.at.toISOString(),
    row.userEmail ?? '',
    row.by,
    row.address,
    row.action,
    row.subjectKind,
    row.subjectId,
    jsonOf(row.before),
    jsonOf(row.after),
    row.requestId,
  ]);
}

async function* pages(call: Call<'exportAuditEntries'>): AsyncGenerator<string> {
  yield csvHeader(HEAD);
  for (let after: string | null = null; ;) {
    const rows: AuditRow[] = await findEntries(call.context.pool, call, {
      after,
      limit: PAGE_ROWS,
    });
    if (rows.length > 0) yield rows.map(lineOf).join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = String(last.id);
  }
}

/** The entries that a filter finds, newest first, as a file. */
export async function exportAuditEntries(
  call: Call<'exportAuditEntries'>,
): Promise<Readable | Refusal> {
  return (
    refuseBackwards(call.query) ?? (await sendCsv(call.reply, 'weir-audit-log.csv', pages(call)))
  );
}
