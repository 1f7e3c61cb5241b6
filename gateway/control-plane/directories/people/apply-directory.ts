import { newRequestId } from '../../../platform/ids/request-id.ts';
import { runTransaction } from '../../../stores/postgres/run-transaction.ts';
import type { AdminContext } from '../../api/context.ts';
import { lockRow, type Database } from '../../api/transaction.ts';
import type { Actor, AuditedCall } from '../../audit/audit-log.ts';
import { applyRules } from '../../sign-on/people/apply-rules.ts';
import { mappedBy } from '../../sign-on/people/claims.ts';
import { findProvider, type ProviderRow } from '../../sign-on/providers/provider-row.ts';
import { directoryClaims, PERSON_COLUMNS, type DirectoryPerson } from './directory-claims.ts';

export type DirectoryCall = Omit<AuditedCall, 'caller'>;

/** Before groups and rules are read: one that is changed afterwards marks the person again. */
const TAKE = `
  update directory_users u set stale = false where u.id = $1 returning ${PERSON_COLUMNS}`;

const STALE = `
  select id, user_id as "userId" from directory_users
  where stale and ($1::uuid is null or provider_id = $1) and ($2::uuid is null or id > $2)
  order by id limit 200`;

/** A directory as an actor in the audit log. */
export function directoryActor({ name }: Pick<ProviderRow, 'name'>): Actor {
  const none = { userId: null, accountId: null, email: null, sessionId: null, accessToken: null };
  return { ...none, role: 'user', directory: name };
}

/**
 * Brings the memberships of a person to what the directory and the rules lead to. The person's user
 * is locked.
 */
export async function applyDirectory(
  db: Database,
  directoryUserId: string,
  call: DirectoryCall,
): Promise<void> {
  const [person] = (await db.query<DirectoryPerson>(TAKE, [directoryUserId])).rows;
  if (person === undefined) return;
  const provider = await findProvider(db, person.providerId);
  if (provider === undefined) return;
  const mapped = person.active ? mappedBy(provider.rules, await directoryClaims(db, person)) : [];
  const { userId } = person;
  await applyRules(
    db,
    { provider, userId, call: { ...call, caller: directoryActor(provider) } },
    mapped,
  );
}

/**
 * Applies what groups and rules have changed, each person in a transaction of its own: a change of
 * a large group locks no two people at once. A process that dies in between leaves the marks, and
 * the job goes on with them.
 * @param providerId null for those of all providers
 */
export async function applyStale(
  { pool }: Pick<AdminContext, 'pool'>,
  providerId: string | null,
  call: DirectoryCall,
): Promise<void> {
  let after: string | null = null;
  for (;;) {
    const found: { rows: { id: string; userId: string }[] } = await pool.query(STALE, [
      providerId,
      after,
    ]);
    const last = found.rows.at(-1);
    if (last === undefined) return;
    for (const { id, userId } of found.rows) {
      await runTransaction(pool, async (client) => {
        await lockRow(client, 'users', userId);
        await applyDirectory(client, id, call);
      });
    }
    after = last.id;
  }
}

/** The job: changed rules, and what a process that died has left. */
export function applyDirectories(context: AdminContext): Promise<void> {
  const requestId = newRequestId(Date.now());
  return applyStale(context, null, { route: 'scimApplyRules', address: '', requestId });
}
