import type pg from 'pg';
import {
  BULK_LINES_SHOWN,
  BULK_NOT_CHANGED_SHOWN,
  type BulkChangeLine,
  type BulkChangeReport,
  type BulkReason,
} from '@weir/shared/api/bulk-changes';
import { BULK_OBJECTS_MAX } from '@weir/shared/api/pages';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Audited, Call, Identity } from '../api/call.ts';
import { idsMatching, type Matching } from '../api/lists/sorted-list.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { audit, type AuditedCall, type AuditedChange } from '../audit/audit-log.ts';
import { NOTHING_CHANGED, WRITTEN_EARLIER, type AuditReceipt } from '../audit/audit-receipt.ts';
import { findBulkChange, findLines, insertBulkChange, type BulkSummary } from './bulk-lines.ts';

/** An object that a bulk change may concern. */
export interface BulkObject {
  readonly id: string;
  readonly name: string;
}

/** An object that stays as it is. */
export interface NotChanged extends BulkObject {
  readonly reason: BulkReason;
}

/** The rows to write. Nothing is written before all of them are known. */
export interface BulkPlan {
  readonly lines: readonly BulkChangeLine[];
  readonly notChanged: readonly NotChanged[];
  /** Writes the lines, and nothing else. */
  readonly write: (db: Database) => Promise<unknown>;
}

/** The members of a body that say which objects a change is for. */
interface TargetBody<Filter> {
  readonly ids?: string[];
  readonly matching?: Filter & { readonly count: number };
  readonly dryRun?: boolean;
}

export interface BulkWork<Row extends BulkObject, Filter> {
  /** The subject kind of single changes: `key`, `model`. */
  readonly kind: string;
  readonly body: TargetBody<Filter>;
  readonly matching: Matching<Filter>;
  /** Adds what the caller may see to the filter. */
  readonly own?: Partial<Filter>;
  /** Locks rows in the order of their ids. It is a statement of its own: see `lockRow`. */
  readonly lock: string;
  /** Reads rows, without those that are deleted. */
  readonly read: (db: Database, ids: readonly string[]) => Promise<readonly Row[]>;
  /** Decides what becomes of each object. A refusal refuses all. */
  readonly plan: (db: Database, rows: readonly Row[]) => Promise<BulkPlan | Refusal> | BulkPlan;
  /** The change as the audit log quotes it. */
  readonly change: object;
  readonly undoes?: string;
  /** Another way to write the audit entry than as an act of an administrator. */
  readonly audit?: (
    db: Database,
    call: AuditedCall,
    change: AuditedChange,
  ) => Promise<AuditReceipt>;
}

type BulkCall = Pick<
  Call,
  'context' | 'address' | 'requestId' | 'route' | 'operationId' | 'reply'
> & { readonly caller: Identity };

const TARGET = refuse(
  'invalid_value',
  'Send either "ids" or "matching": the objects, or the filter that finds them with their number.',
  { param: 'ids' },
);

/** The objects that a change is for: those that were named, or all that match. */
async function targetIds<Filter>(
  db: Database,
  { body, matching: list, own }: Pick<BulkWork<BulkObject, Filter>, 'body' | 'matching' | 'own'>,
): Promise<readonly string[] | Refusal> {
  const { ids, matching } = body;
  if ((ids === undefined) === (matching === undefined)) return TARGET;
  if (matching === undefined) return [...new Set(ids)];
  const found = await idsMatching(db, list, { ...matching, ...own });
  if (found.length === matching.count) return found;
  const now =
    found.length > BULK_OBJECTS_MAX ? `more than ${String(BULK_OBJECTS_MAX)}` : found.length;
  return refuse(
    'state_conflict',
    `${String(now)} match the filter now, and the change was for ${String(matching.count)}. Nothing was changed. Load the list again, look at it, and repeat the change.`,
    { param: 'matching.count' },
  );
}

function reportOf(
  summary: BulkSummary,
  options: Pick<BulkChangeReport, 'id' | 'dryRun'> & {
    readonly lines: readonly BulkChangeLine[];
    readonly notChanged: readonly NotChanged[];
  },
): BulkChangeReport {
  return {
    id: options.id,
    dryRun: options.dryRun,
    ...summary,
    notChanged: options.notChanged.slice(0, BULK_NOT_CHANGED_SHOWN),
    lines: options.lines.slice(0, BULK_LINES_SHOWN),
  };
}

/** Returns the result of an earlier try of the same request whose reply was lost. */
async function doneBefore(
  db: Database,
  { operationId, reply }: BulkCall,
): Promise<Audited<BulkChangeReport> | undefined> {
  const known = await findBulkChange(db, operationId);
  if (known === undefined) return undefined;
  void reply.header('idempotency-replayed', 'true');
  const lines = await findLines(db, operationId, { after: 0, limit: BULK_LINES_SHOWN });
  const shown = lines.map(({ id, name, before, after }) => ({ id, name, before, after }));
  const options = { id: operationId, dryRun: false, lines: shown, notChanged: [] };
  return { view: reportOf(known.summary, options), audit: WRITTEN_EARLIER };
}

async function run<Row extends BulkObject, Filter>(
  db: pg.PoolClient,
  call: BulkCall,
  work: BulkWork<Row, Filter>,
): Promise<Audited<BulkChangeReport> | Refusal> {
  const { operationId, caller } = call;
  const dryRun = work.body.dryRun === true;
  const before = await doneBefore(db, call);
  if (before !== undefined) return before;
  const ids = await targetIds(db, work);
  if ('refused' in ids) return ids;
  await db.query(work.lock, [ids]);
  const rows = await work.read(db, ids);
  const known = new Set(rows.map(({ id }) => id));
  const gone = ids.filter((id) => !known.has(id));
  const plan = await work.plan(db, rows);
  if ('refused' in plan) return plan;
  const notChanged = [
    ...plan.notChanged,
    ...gone.map((id) => ({ id, name: id, reason: 'not_found' as const })),
  ];
  const summary = {
    matched: ids.length,
    changed: plan.lines.length,
    notChangedCount: notChanged.length,
  };
  const isWritten = !dryRun && plan.lines.length > 0;
  const view = reportOf(summary, {
    id: isWritten ? operationId : null,
    dryRun,
    lines: plan.lines,
    notChanged,
  });
  if (!isWritten) return { view, audit: NOTHING_CHANGED };
  await plan.write(db);
  const { kind, undoes = null } = work;
  await insertBulkChange(db, {
    id: operationId,
    kind,
    userId: caller.userId,
    undoes,
    summary,
    lines: plan.lines,
  });
  const entry = {
    kind: 'bulk_change',
    id: operationId,
    before: null,
    after: { of: kind, ...work.change, ...summary },
  };
  return { view, audit: await (work.audit ?? audit)(db, call, entry) };
}

/**
 * Changes many objects in one transaction, with one audit entry that has a line for each. A repeat
 * of the request changes nothing again, also if the process ended before it could reply.
 */
export function runBulkChange<Row extends BulkObject, Filter>(
  call: BulkCall,
  work: BulkWork<Row, Filter>,
): Promise<Audited<BulkChangeReport> | Refusal> {
  return inTransaction(call.context.pool, (client) => run(client, call, work));
}

/** Divides objects by a reason for which some stay as they are. */
export function dividePlan<Row extends BulkObject>(
  rows: readonly Row[],
  reasonOf: (row: Row) => BulkReason | undefined,
): { readonly changing: Row[]; readonly notChanged: NotChanged[] } {
  const changing: Row[] = [];
  const notChanged: NotChanged[] = [];
  for (const row of rows) {
    const reason = reasonOf(row);
    if (reason === undefined) changing.push(row);
    else notChanged.push({ id: row.id, name: row.name, reason });
  }
  return { changing, notChanged };
}

/** Refuses a body that says nothing, or several things that exclude each other. */
export function refuseUnlessOne(changes: Readonly<Record<string, unknown>>): Refusal | undefined {
  const names = Object.keys(changes);
  const sent = names.filter((name) => changes[name] !== undefined);
  if (sent.length === 1) return undefined;
  return refuse('invalid_value', `Send exactly one of ${names.join(', ')}.`, {
    param: sent[1] ?? names[0] ?? '',
  });
}

/** One line for each object: the fields of the change before and after. */
export function linesOf<Row extends BulkObject>(
  rows: readonly Row[],
  fields: (row: Row) => { readonly before: object; readonly after: object | null },
): BulkChangeLine[] {
  return rows.map((row) => ({ id: row.id, name: row.name, ...fields(row) }));
}
