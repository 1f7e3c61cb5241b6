import type { OPERATION_ROUTES } from '@weir/shared/admin-routes/operation';
import type { AuditEntryPage, AuditEntryView } from '@weir/shared/audit-entries';
import type { Refusal } from '../../platform/errors/refusal.ts';
import type { Call, HandlersOf } from '../api/call.ts';
import { INTEGER_SHAPE, pageLimit, pageOf, readCursor } from '../api/cursor.ts';
import { refuseBackwards } from '../api/period.ts';
import { exportAuditEntries } from './export-entries.ts';
import { findEntries, type AuditRow } from './find-entries.ts';
import { idsIn, namesOf } from './subject-names.ts';

export const auditHandlers: HandlersOf<
  Pick<typeof OPERATION_ROUTES, 'listAuditEntries' | 'exportAuditEntries'>
> = {
  listAuditEntries,
  exportAuditEntries,
};

function view(row: AuditRow, known: ReadonlyMap<string, string>): AuditEntryView {
  const names = idsIn(row).flatMap((id) => {
    const name = known.get(id);
    return name === undefined ? [] : [[id, name] as const];
  });
  return { ...row, at: row.at.toISOString(), names: Object.fromEntries(names) };
}

async function listAuditEntries(call: Call<'listAuditEntries'>): Promise<AuditEntryPage | Refusal> {
  const { context, query } = call;
  const backwards = refuseBackwards(query);
  if (backwards !== undefined) return backwards;
  const after = readCursor(query.cursor, [INTEGER_SHAPE]);
  if (after !== undefined && 'refused' in after) return after;
  const limit = pageLimit(query);
  const rows = await findEntries(context.pool, call, {
    after: after?.[0] ?? null,
    limit: limit + 1,
  });
  const names = await namesOf(context.pool, rows);
  return pageOf(rows, {
    limit,
    view: (row) => view(row, names),
    sortKey: ({ id }) => [String(id)],
  });
}
