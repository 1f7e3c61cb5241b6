import { refuse, type Refusal } from '../platform/errors/refusal.ts';
import type { Catalog, OfferedTo } from './catalog.ts';
import { mayUse } from './memberships.ts';

/** Refuses a key whose account may not use its group any more. Clients do not repeat a 403. */
export function refuseGroup(
  catalog: Catalog,
  { groupId, memberships }: OfferedTo,
): Refusal | undefined {
  const group = catalog.group(groupId);
  if (group === undefined || mayUse(memberships, group)) return undefined;
  return refuse(
    'group_not_allowed',
    `The account of this API key may not use its model group "${group.name}" any more. Choose another group for the key on the console’s API Keys page, or ask the operator.`,
  );
}
