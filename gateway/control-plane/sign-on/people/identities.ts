import type { IdentityList, IdentityView, SignOnChoice } from '@weir/shared/people/sign-on';
import { refuse } from '../../../platform/errors/refusal.ts';
import type { Answer, Call } from '../../api/call.ts';
import { inTransaction, lockRow, type Database } from '../../api/transaction.ts';
import { audit } from '../../audit/audit-log.ts';
import { NO_PASSWORD } from '../../users/password-hash.ts';
import { refusePassword } from '../only-sign-on.ts';

interface IdentityRow {
  readonly id: string;
  readonly provider: SignOnChoice | null;
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  /** An account in which the provider manages the person's membership. */
  readonly managedAccount: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

const LIST = `
  select i.id, i.issuer, i.subject, i.email, i.created_at as "createdAt", i.last_used_at as "lastUsedAt",
    case when p.id is not null
      then jsonb_build_object('slug', p.slug, 'name', p.name, 'preset', p.preset) end as provider,
    (select a.name from members m join accounts a on a.id = m.account_id
     where m.user_id = i.user_id and m.managed_by = i.provider_id and m.ended_at is null
     limit 1) as "managedAccount"
  from identities i left join sign_on_providers p on p.id = i.provider_id
  where i.user_id = $1 order by i.created_at, i.id`;

/** By a password, the person can log in without any provider. */
const HAS_PASSWORD = `select email from users where id = $1 and password_hash <> '${NO_PASSWORD}'`;

/** The session that unlinks goes on. */
const KEEP_SESSION = 'update sessions set identity_id = null where id = $1 and identity_id = $2';
const DELETE = 'delete from identities where id = $1';

async function readIdentities(db: Database, userId: string): Promise<IdentityRow[]> {
  return (await db.query<IdentityRow>(LIST, [userId])).rows;
}

async function mayUsePassword(db: Database, userId: string): Promise<boolean> {
  const { rows } = await db.query<{ email: string }>(HAS_PASSWORD, [userId]);
  const [user] = rows;
  return user !== undefined && (await refusePassword(db, user.email)) === undefined;
}

/** Another identity by which the person gets in: one whose provider is there. */
function hasOther(identities: readonly IdentityRow[], id: string): boolean {
  return identities.some((other) => other.id !== id && other.provider !== null);
}

export async function listIdentities({
  context,
  caller,
}: Call<'listIdentities'>): Promise<IdentityList> {
  const { pool } = context;
  const rows = await readIdentities(pool, caller.userId);
  const hasPassword = await mayUsePassword(pool, caller.userId);
  const view = (row: IdentityRow): IdentityView => ({
    id: row.id,
    provider: row.provider,
    issuer: row.issuer,
    email: row.email,
    removable: row.managedAccount === null && (hasPassword || hasOther(rows, row.id)),
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  });
  return { data: rows.map(view) };
}

export function unlinkIdentity(call: Call<'unlinkIdentity'>): Answer<'unlinkIdentity'> {
  const { context, caller, params } = call;
  return inTransaction(context.pool, async (client) => {
    // The user's row orders two removals at once, so that the last way in stays.
    await lockRow(client, 'users', caller.userId);
    const identities = await readIdentities(client, caller.userId);
    const identity = identities.find(({ id }) => id === params.identityId);
    if (identity === undefined) return refuse('not_found', 'There is no such identity.');
    if (identity.managedAccount !== null) {
      return refuse(
        'state_conflict',
        `Your membership of "${identity.managedAccount}" comes from this provider. Leave that account first.`,
      );
    }
    if (!hasOther(identities, identity.id) && !(await mayUsePassword(client, caller.userId))) {
      return refuse(
        'state_conflict',
        'This is your only way to log in. Choose a password by "Forgot password?" on the log-in page first, or link another identity.',
      );
    }
    await client.query(KEEP_SESSION, [caller.sessionId, identity.id]);
    await client.query(DELETE, [identity.id]);
    const { issuer, subject, email } = identity;
    const before = { issuer, subject, email, userId: caller.userId };
    const change = { kind: 'identity', id: identity.id, before, after: null };
    return { view: undefined, audit: await audit(client, call, change) };
  });
}
