import type { BULK_ROUTES } from '@weir/shared/api/admin-routes/bulk-changes';
import type { CODE_ROUTES } from '@weir/shared/api/admin-routes/codes';
import type { InvitationCodeView } from '@weir/shared/people/registrations';
import { refuse } from '../../platform/errors/refusal.ts';
import { newRequestId } from '../../platform/ids/request-id.ts';
import { seal, unseal, type Secrets } from '../../platform/secrets/secrets.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { digestOfCode, newCode } from '../api/callers/opaque-token.ts';
import { readCounted } from '../api/lists/sorted-list.ts';
import { inTransaction, onlyRow } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { changeInvitationCodesInBulk } from './bulk-change-invitations.ts';
import { INVITATION_COLUMNS, INVITATION_LIST, type InvitationRow } from './invitation-list.ts';

type Table = Pick<
  typeof CODE_ROUTES,
  'listInvitationCodes' | 'createInvitationCode' | 'updateInvitationCode'
> &
  Pick<typeof BULK_ROUTES, 'changeInvitationCodesInBulk'>;

export const invitationHandlers: HandlersOf<Table> = {
  listInvitationCodes: ({ context, query }) =>
    readCounted(context.pool, INVITATION_LIST, query, (row: InvitationRow) =>
      view(row, context.secrets),
    ),
  createInvitationCode,
  updateInvitationCode,
  changeInvitationCodesInBulk,
};

/** Four groups of five letters carry 100 bits. */
const CODE_GROUPS = 4;

const INSERT = `
  insert into invitation_codes (id, digest, sealed, uses_max, expires_at, note)
  values ($1, $2, $3, $4, $5, $6) returning ${INVITATION_COLUMNS}`;

const FIND = `select ${INVITATION_COLUMNS} from invitation_codes where id = $1 for update`;

const CHANGE = `
  update invitation_codes set status = $2 where id = $1 returning ${INVITATION_COLUMNS}`;

function view(row: InvitationRow, secrets: Secrets): InvitationCodeView {
  return {
    id: row.id,
    code: unseal(secrets, row.sealed),
    usesMax: row.usesMax,
    usesCount: row.usesCount,
    status: row.status,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    note: row.note,
    createdAt: row.createdAt.toISOString(),
  };
}

/** The audit log names a code without revealing it. */
function audited(invitation: InvitationCodeView): object {
  return { ...invitation, code: undefined };
}

function createInvitationCode(call: Call<'createInvitationCode'>): Answer<'createInvitationCode'> {
  const { context, body } = call;
  const code = newCode(CODE_GROUPS);
  return inTransaction(context.pool, async (client) => {
    const { rows } = await client.query<InvitationRow>(INSERT, [
      newRequestId(Date.now()),
      digestOfCode(code),
      seal(context.secrets, code),
      body.usesMax,
      body.expiresAt ?? null,
      body.note ?? '',
    ]);
    const after = view(onlyRow(rows), context.secrets);
    return {
      view: after,
      audit: await audit(client, call, {
        kind: 'invitation_code',
        id: after.id,
        before: null,
        after: audited(after),
      }),
    };
  });
}

function updateInvitationCode(call: Call<'updateInvitationCode'>): Answer<'updateInvitationCode'> {
  const { context, params, body } = call;
  const { pool, secrets } = context;
  const id = params.invitationCodeId;
  return inTransaction(pool, async (client) => {
    const [known] = (await client.query<InvitationRow>(FIND, [id])).rows;
    if (known === undefined) return refuse('not_found', 'There is no such code.');
    const { rows } = await client.query<InvitationRow>(CHANGE, [id, body.status]);
    const after = view(onlyRow(rows), secrets);
    return {
      view: after,
      audit: await audit(client, call, {
        kind: 'invitation_code',
        id,
        before: audited(view(known, secrets)),
        after: audited(after),
      }),
    };
  });
}
