import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Principal } from './principal.ts';

const MEMBER_GONE = refuse(
  'membership_ended',
  'The person whose API key this is has left the account, or may not log in any more. Ask an owner of the account for another key.',
);

const NOT_OF_TEAM = refuse(
  'group_not_allowed',
  'The team of this API key may not use its model group any more. Choose another group for the key on the console’s API Keys page, or ask an owner of the account.',
);

/**
 * Refuses a key that has stopped with its member, or whose team has lost its group. Clients do not
 * repeat a 403.
 */
export function refuseMember({ memberGone, teamMayUse }: Principal): Refusal | undefined {
  if (memberGone) return MEMBER_GONE;
  return teamMayUse ? undefined : NOT_OF_TEAM;
}
