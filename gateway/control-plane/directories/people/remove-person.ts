import { lockRow, type Database } from '../../api/transaction.ts';
import { auditIn } from '../../audit/audit-log.ts';
import { endMembership } from '../../members/end-membership.ts';
import { findMemberOfUser, memberView } from '../../members/member-row.ts';
import { refuseLastOwner } from '../../members/owners.ts';
import type { ProviderRow } from '../../sign-on/providers/provider-row.ts';
import { ScimError } from '../scim/scim-error.ts';
import { directoryActor, type DirectoryCall } from './apply-directory.ts';

const MEMBERSHIPS = `
  select account_id as "accountId" from members
  where user_id = $1 and ended_at is null and (managed_by = $2 or account_id = any ($3::uuid[]))
  order by account_id`;

const END_SESSIONS = 'delete from sessions where user_id = $1';

/**
 * Ends what a person has by a provider whose directory removes them: memberships of every account
 * that the rules name, also those that people made, and all sessions of the login. A person who has
 * left the company would otherwise keep what a colleague once gave them. Refuses for the last owner
 * of an account. The person's user is locked.
 */
export async function removePerson(
  db: Database,
  {
    provider,
    userId,
    call,
  }: {
    readonly provider: ProviderRow;
    readonly userId: string;
    readonly call: DirectoryCall;
  },
): Promise<void> {
  const named = provider.rules.map(({ accountId }) => accountId);
  const values = [userId, provider.id, named];
  const { rows } = await db.query<{ accountId: string }>(MEMBERSHIPS, values);
  for (const { accountId } of rows) {
    await lockRow(db, 'accounts', accountId);
    const member = await findMemberOfUser(db, { accountId, userId });
    if (member === undefined) continue;
    if ((await refuseLastOwner(db, member)) !== undefined) {
      throw new ScimError(
        409,
        `${member.email} is the last owner of the account "${member.accountName}", which no one could manage afterwards. Let another member accept its ownership first.`,
      );
    }
    await endMembership(db, member);
    const change = { kind: 'member', id: member.id, before: memberView(member), after: null };
    await auditIn(accountId, db, { call: { ...call, caller: directoryActor(provider) }, change });
  }
  await db.query(END_SESSIONS, [userId]);
}
