import type { KeyCreate } from '@weir/shared/people/keys';
import { permits } from '@weir/shared/api/permissions';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Identity } from '../api/call.ts';
import type { Database } from '../api/transaction.ts';
import { findMember } from '../members/member-row.ts';
import { refuseTeam } from '../teams/team-row.ts';

/** The columns that name the owner of new keys. */
export interface OwnerColumns {
  /** Null for keys of the account. */
  readonly memberId: string | null;
  /** The team of keys of the account; those of a member have the member's. */
  readonly serviceTeamId: string | null;
  readonly createdBy: string;
}

/** The owner of new keys, and the team whose groups they may be for. */
export interface KeyOwnership {
  readonly owner: OwnerColumns;
  readonly teamId: string | null;
}

/** Reads whose new keys are to be: the caller's, or the account's, which survive people. */
export async function readKeyOwner(
  db: Database,
  caller: Identity,
  { owner = 'member', teamId = null }: Pick<KeyCreate, 'owner' | 'teamId'>,
): Promise<KeyOwnership | Refusal> {
  const { accountId, memberId, userId: createdBy } = caller;
  if (owner === 'account') {
    if (!permits(caller, 'keys.all')) {
      return refuse(
        'role_required',
        'Only owners and administrators of the account make keys that are not their own.',
        { param: 'owner' },
      );
    }
    const refused = await refuseTeam(db, { accountId, teamId });
    return refused ?? { owner: { memberId: null, serviceTeamId: teamId, createdBy }, teamId };
  }
  if (teamId !== null) {
    return refuse('invalid_value', 'Your own keys are for your team. Leave the team out.', {
      param: 'teamId',
    });
  }
  const member = await findMember(db, { accountId, memberId });
  return {
    owner: { memberId, serviceTeamId: null, createdBy },
    teamId: member?.teamId ?? null,
  };
}
