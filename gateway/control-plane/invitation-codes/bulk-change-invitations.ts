import type { Answer, Call } from '../api/call.ts';
import { planCodes } from '../bulk-changes/plan-codes.ts';
import { refuseUnlessOne, runBulkChange } from '../bulk-changes/run-bulk-change.ts';
import { INVITATION_LIST } from './invitation-list.ts';

const LOCK = 'select 1 from invitation_codes where id = any ($1) order by id for update';

/** The code itself is secret: an invitation is named by its note, or by its id. */
const READ = `
  select id, coalesce(nullif(left(note, 100), ''), id::text) as name, status
  from invitation_codes where id = any ($1) order by id`;

const SET_STATUS = 'update invitation_codes set status = $2 where id = any ($1)';
const DELETE = 'delete from invitation_codes where id = any ($1)';

interface InvitationRow {
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'disabled';
}

export async function changeInvitationCodesInBulk(
  call: Call<'changeInvitationCodesInBulk'>,
): Answer<'changeInvitationCodesInBulk'> {
  const { body } = call;
  const { status } = body;
  const refused = refuseUnlessOne({ status, delete: body.delete });
  if (refused !== undefined) return refused;
  return runBulkChange(call, {
    kind: 'invitation_code',
    body,
    matching: INVITATION_LIST,
    lock: LOCK,
    read: async (db, ids) => (await db.query<InvitationRow>(READ, [ids])).rows,
    plan: (_db, rows) => planCodes(rows, { status, setStatus: SET_STATUS, remove: DELETE }),
    change: { status, delete: body.delete },
  });
}
