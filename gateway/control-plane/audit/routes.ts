import type { MEMBER_ROUTES } from '@weir/shared/admin-routes/members';
import type { OPERATION_ROUTES } from '@weir/shared/admin-routes/operation';
import type {
  AuditEntryListQuery,
  AuditEntryPage,
  AuditEntryView,
} from '@weir/shared/audit-entries';
import type { Refusal } from '../../platform/errors/refusal.ts';
import type { HandlersOf } from '../api/call.ts';
import type { AdminContext } from '../api/context.ts';
import { INTEGER_SHAPE, pageLimit, pageOf, readCursor } from '../api/cursor.ts';
import { refuseBackwards } from '../api/period.ts';
import { UPSTREAM_PRICES_SUBJECT } from '../upstream-prices/routes.ts';
import { idsIn, namesOf } from './subject-names.ts';

type Table = Pick<typeof OPERATION_ROUTES, 'listAuditEntries'> &
  Pick<typeof MEMBER_ROUTES, 'listAccountAuditEntries'>;

export const auditHandlers: HandlersOf<Table> = {
  // Supporters do not learn what upstreams cost.
  listAuditEntries: ({ context, query, caller }) =>
    readPage(context, query, caller.role === 'admin' ? null : UPSTREAM_PRICES_SUBJECT),
  listAccountAuditEntries: ({ context, query, caller }) =>
    readPage(context, { ...query, accountId: caller.accountId }, null),
};

interface AuditRow extends Omit<AuditEntryView, 'at' | 'names'> {
  readonly at: Date;
}

const LIST = `
  select id, at, user_id as "userId", user_email as "userEmail", account_id as "accountId", by, address, request_id as "requestId", action,
    subject_kind as "subjectKind", subject_id as "subjectId", before, after
  from audit_entries
  where ($1::bigint is null or id < $1) and ($2::uuid is null or user_id = $2)
    and ($3::text is null or action = $3) and ($4::text is null or subject_kind = $4)
    and ($5::text is null or subject_id = $5) and ($6::timestamptz is null or at >= $6)
    and ($7::timestamptz is null or at < $7) and subject_kind is distinct from $8
    and ($9::uuid is null or account_id = $9)
  order by id desc limit $10`;

function view(row: AuditRow, known: ReadonlyMap<string, string>): AuditEntryView {
  const names = idsIn(row).flatMap((id) => {
    const name = known.get(id);
    return name === undefined ? [] : [[id, name] as const];
  });
  return { ...row, at: row.at.toISOString(), names: Object.fromEntries(names) };
}

async function readPage(
  context: AdminContext,
  query: AuditEntryListQuery,
  hiddenSubject: string | null,
): Promise<AuditEntryPage | Refusal> {
  const backwards = refuseBackwards(query);
  if (backwards !== undefined) return backwards;
  const after = readCursor(query.cursor, [INTEGER_SHAPE]);
  if (after !== undefined && 'refused' in after) return after;
  const limit = pageLimit(query);
  const { rows } = await context.pool.query<AuditRow>(LIST, [
    after?.[0] ?? null,
    query.userId ?? null,
    query.action ?? null,
    query.subjectKind ?? null,
    query.subjectId ?? null,
    query.from ?? null,
    query.to ?? null,
    hiddenSubject,
    query.accountId ?? null,
    limit + 1,
  ]);
  const names = await namesOf(context.pool, rows);
  return pageOf(rows, {
    limit,
    view: (row) => view(row, names),
    sortKey: ({ id }) => [String(id)],
  });
}
