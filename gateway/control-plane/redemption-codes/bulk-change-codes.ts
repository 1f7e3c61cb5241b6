import type { RedemptionCodeView } from '@weir/shared/money/redemption-codes';
import type { Answer, Call } from '../api/call.ts';
import { planCodes } from '../bulk-changes/plan-codes.ts';
import { refuseUnlessOne, runBulkChange } from '../bulk-changes/run-bulk-change.ts';
import { CODE_LIST } from './code-lists.ts';

const LOCK = 'select 1 from redemption_codes where id = any ($1) order by id for update';

/** A code is named by its last characters, as in its list. */
const READ = `
  select id, '…' || hint as name, status, redeemed_at is not null as "isRedeemed"
  from redemption_codes where id = any ($1) order by id`;

const SET_STATUS = 'update redemption_codes set status = $2 where id = any ($1)';
const DELETE = 'delete from redemption_codes where id = any ($1)';

interface CodeRow {
  readonly id: string;
  readonly name: string;
  readonly status: Extract<RedemptionCodeView['status'], 'active' | 'disabled'>;
  readonly isRedeemed: boolean;
}

export async function changeRedemptionCodesInBulk(
  call: Call<'changeRedemptionCodesInBulk'>,
): Answer<'changeRedemptionCodesInBulk'> {
  const { body } = call;
  const { status } = body;
  const refused = refuseUnlessOne({ status, delete: body.delete });
  if (refused !== undefined) return refused;
  return runBulkChange(call, {
    kind: 'redemption_code',
    body,
    matching: CODE_LIST,
    lock: LOCK,
    read: async (db, ids) => (await db.query<CodeRow>(READ, [ids])).rows,
    plan: (_db, rows) => planCodes(rows, { status, setStatus: SET_STATUS, remove: DELETE }),
    change: { status, delete: body.delete },
  });
}
