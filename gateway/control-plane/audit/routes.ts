import type { AdminRoute } from '@weir/shared/api/admin-route';
import { ADMIN_ROUTES } from '@weir/shared/api/admin-routes';
import type { MEMBER_ROUTES } from '@weir/shared/api/admin-routes/members';
import type { OPERATION_ROUTES } from '@weir/shared/api/admin-routes/operation';
import type {
  AuditEntryListQuery,
  AuditEntryPage,
  AuditEntryView,
} from '@weir/shared/people/audit-entries';
import type { Refusal } from '../../platform/errors/refusal.ts';
import type { HandlersOf, Identity } from '../api/call.ts';
import type { AdminContext } from '../api/context.ts';
import { INTEGER_SHAPE, pageLimit, pageOf, readCursor } from '../api/lists/cursor.ts';
import { refuseBackwards } from '../api/lists/period.ts';
import { exportAuditEntries } from './export-entries.ts';
import { findEntries, type AuditRow } from './find-entries.ts';
import type { Database } from '../api/transaction.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** In an entry with very many models, ids beyond this number are not resolved. */
const IDS_MAX = 2_000;

const NAMES = `
  select id, name from accounts where id = any ($1)
  union all select id, email from users where id = any ($1)
  union all select id, name from groups where id = any ($1)
  union all select id, public_id from models where id = any ($1)
  union all select id, name from channels where id = any ($1)
  union all select id, name from plans where id = any ($1)
  union all select id, name from keys where id = any ($1)
  union all select id, name from redemption_batches where id = any ($1)`;

interface Entry {
  readonly subjectId: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Finds the ids in an entry; the entry does not say what kind of object each names. */
function idsIn({ subjectId, before, after }: Entry): string[] {
  return JSON.stringify([subjectId, before, after]).match(UUID) ?? [];
}

/** Looks up what the ids of a page of entries are called now. What is gone has no name. */
async function namesOf(
  db: Database,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(entries.flatMap(idsIn))].slice(0, IDS_MAX);
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<{ id: string; name: string }>(NAMES, [ids]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

type Table = Pick<typeof OPERATION_ROUTES, 'listAuditEntries' | 'exportAuditEntries'> &
  Pick<typeof MEMBER_ROUTES, 'listAccountAuditEntries'>;

export const auditHandlers: HandlersOf<Table> = {
  listAuditEntries: readPage,
  listAccountAuditEntries: async ({ context, query, caller }) => {
    const own = { ...query, accountId: caller.accountId };
    const page = await readPage({ context, query: own, caller });
    return 'refused' in page ? page : { ...page, data: page.data.map(withoutOperatorAddress) };
  },
  exportAuditEntries,
};

const OPERATOR_ACTIONS: ReadonlySet<string> = new Set(
  Object.entries<AdminRoute>(ADMIN_ROUTES).flatMap(([id, { caller }]) =>
    caller === 'admin' ? [id] : [],
  ),
);

/** Members see which operator looked at their content, and not from where. */
function withoutOperatorAddress(entry: AuditEntryView): AuditEntryView {
  return OPERATOR_ACTIONS.has(entry.action) ? { ...entry, address: '' } : entry;
}

function view(row: AuditRow, known: ReadonlyMap<string, string>): AuditEntryView {
  const names = idsIn(row).flatMap((id) => {
    const name = known.get(id);
    return name === undefined ? [] : [[id, name] as const];
  });
  return { ...row, at: row.at.toISOString(), names: Object.fromEntries(names) };
}

async function readPage({
  context,
  query,
  caller,
}: {
  readonly context: AdminContext;
  readonly query: AuditEntryListQuery;
  readonly caller: Identity;
}): Promise<AuditEntryPage | Refusal> {
  const backwards = refuseBackwards(query);
  if (backwards !== undefined) return backwards;
  const after = readCursor(query.cursor, [INTEGER_SHAPE]);
  if (after !== undefined && 'refused' in after) return after;
  const limit = pageLimit(query);
  const rows = await findEntries(
    context.pool,
    { query, caller },
    { after: after?.[0] ?? null, limit: limit + 1 },
  );
  const names = await namesOf(context.pool, rows);
  return pageOf(rows, {
    limit,
    view: (row) => view(row, names),
    sortKey: ({ id }) => [String(id)],
  });
}
