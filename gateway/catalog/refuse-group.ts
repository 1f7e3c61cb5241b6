import type { ProtocolId } from '@weir/shared/catalog/protocols';
import { refuse, type Refusal } from '../platform/errors/refusal.ts';
import { protocolOf } from '../protocols/registry.ts';
import type { Catalog, OfferedTo } from './catalog.ts';
import { mayUse } from './memberships.ts';
import type { GroupEntry } from './snapshot.ts';

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

/** Messages name this many groups; who has more of them finds the others on the price list. */
const GROUPS_NAMED_MAX = 5;

interface AskedProtocol {
  readonly to: OfferedTo;
  readonly protocol: ProtocolId;
  /** The public ID that was asked for; null where none was. */
  readonly model: string | null;
}

/**
 * Refuses a request whose protocol the key's group does not serve, and says in which groups a key
 * works with the same tool: of those that the account may use, first those that have the model.
 */
export function refuseProtocol(
  catalog: Catalog,
  { to: { groupId, memberships }, protocol, model }: AskedProtocol,
): Refusal | undefined {
  const group = catalog.group(groupId);
  if (group === undefined || serves(group, protocol)) return undefined;
  const others = catalog
    .groups()
    .filter((other) => other.active && mayUse(memberships, other) && serves(other, protocol));
  const withModel = others.filter(({ modelIds }) =>
    modelIds.some((id) => catalog.isModel(id, model)),
  );
  const named = (withModel.length > 0 ? withModel : others)
    .slice(0, GROUPS_NAMED_MAX)
    .map(({ name }) => `"${name}"`);
  const served = (group.protocols ?? []).map((id) => protocolOf(id).name).join(', ');
  return refuse(
    'protocol_not_allowed',
    `The model group "${group.name}" of this API key is for tools that use ${served}; this request uses ${protocolOf(protocol).name}. ${remedy(named)}`,
  );
}

export function serves({ protocols }: GroupEntry, protocol: ProtocolId): boolean {
  return protocols === null || protocols.includes(protocol);
}

function remedy(groups: readonly string[]): string {
  if (groups.length === 0) return 'No group is for it yet: ask the operator.';
  const [only] = groups;
  const where =
    groups.length === 1 ? `the group ${only}` : `one of the groups ${groups.join(', ')}`;
  return `Create a key in ${where}.`;
}
