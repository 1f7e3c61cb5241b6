import { dividePlan, linesOf, type BulkObject, type BulkPlan } from './run-bulk-change.ts';

interface CodeRow extends BulkObject {
  readonly status: 'active' | 'disabled';
  readonly isRedeemed?: boolean;
}

interface CodeChange {
  /** Undefined: the codes are deleted. */
  readonly status: CodeRow['status'] | undefined;
  /** SQL; $1 the ids, $2 the status. */
  readonly setStatus: string;
  /** SQL; $1 the ids. */
  readonly remove: string;
}

/** Plans a new status of codes or their deletion; one that was redeemed stays as it is. */
export function planCodes(
  rows: readonly CodeRow[],
  { status, setStatus, remove }: CodeChange,
): BulkPlan {
  const { changing, notChanged } = dividePlan(rows, (row) => {
    if (row.isRedeemed === true) return 'redeemed';
    return row.status === status ? 'unchanged' : undefined;
  });
  const ids = changing.map(({ id }) => id);
  return {
    lines: linesOf(changing, (row) => ({
      before: { status: row.status },
      after: status === undefined ? null : { status },
    })),
    notChanged,
    write: (db) =>
      status === undefined ? db.query(remove, [ids]) : db.query(setStatus, [ids, status]),
  };
}
