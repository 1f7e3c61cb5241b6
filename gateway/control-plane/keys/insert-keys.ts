import { KEYS_PER_ACCOUNT_MAX } from '@weir/shared/people/keys';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { generateKey, keyDigest } from '../../platform/secrets/api-key.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import type { ColumnChange } from '../api/lists/column-list.ts';
import { onlyRow, type Database } from '../api/transaction.ts';
import { openTo } from '../groups/open-to.ts';
import { openToTeam } from '../teams/team-row.ts';
import type { OwnerColumns } from './key-owner.ts';

const COUNT = `
  select count(*)::integer as count from keys where account_id = $1 and status <> 'deleted'`;

const CAN_CHOOSE = `
  select 1 from groups g
  where g.id = $1 and g.status = 'active' and ${openTo('$2::uuid')} and ${openToTeam('$3::bigint')}`;

/**
 * Refuses a group that the account's keys cannot be for. One that it may not use is refused as one
 * that does not exist, so that guessing reveals nothing.
 */
export async function refuseGroup(
  db: Database,
  { groupId, accountId, teamId }: Pick<NewKeys, 'groupId' | 'accountId' | 'teamId'>,
): Promise<Refusal | undefined> {
  const { rows } = await db.query(CAN_CHOOSE, [groupId, accountId, teamId]);
  if (rows.length > 0) return undefined;
  return refuse('invalid_value', 'There is no such group to choose.', { param: 'groupId' });
}

/** The keys to be made, before their limits are read. */
interface NewKeys {
  readonly accountId: string;
  readonly groupId: string;
  /** The team that the keys are for; null: none. */
  readonly teamId: string | null;
  readonly count: number;
}

/** Locks the account, so that two creations at once cannot pass the limit together. */
export async function lockAccount(db: Database, accountId: string): Promise<void> {
  await db.query('select 1 from accounts where id = $1 for no key update', [accountId]);
}

async function refuseTooMany(
  db: Database,
  { accountId, count }: NewKeys,
): Promise<Refusal | undefined> {
  await lockAccount(db, accountId);
  const { rows } = await db.query<{ count: number }>(COUNT, [accountId]);
  const room = Math.max(0, KEYS_PER_ACCOUNT_MAX - onlyRow(rows).count);
  if (count <= room) return undefined;
  const limit = `An account has at most ${String(KEYS_PER_ACCOUNT_MAX)} keys.`;
  return refuse(
    'limit_reached',
    room === 0
      ? `${limit} Delete one that is not needed.`
      : `${limit} There is room for ${String(room)} more.`,
  );
}

/** Refuses keys for a group that cannot be chosen, and more than an account may have. */
export async function refuseNewKeys(db: Database, keys: NewKeys): Promise<Refusal | undefined> {
  return (await refuseGroup(db, keys)) ?? (await refuseTooMany(db, keys));
}

/** Keys that differ in id, name and value alone. */
export interface KeysToInsert {
  readonly accountId: string;
  readonly groupId: string;
  readonly owner: OwnerColumns;
  /** The result of `readKeyLimits`. */
  readonly columns: readonly ColumnChange[];
  readonly named: readonly { readonly id: string; readonly name: string }[];
}

/** Inserts keys and returns their values by id: the only place where these are. */
export async function insertKeys(
  db: Database,
  secrets: Secrets,
  { accountId, groupId, owner, columns, named }: KeysToInsert,
): Promise<ReadonlyMap<string, string>> {
  const made = named.map((key) => ({ ...key, ...generateKey(secrets) }));
  const own = made.map((key) => [key.id, key.name, keyDigest(secrets, key.key), key.prefix]);
  const shared: readonly ColumnChange[] = [
    ['account_id', accountId],
    ['group_id', groupId],
    ['member_id', owner.memberId],
    ['team_id', owner.serviceTeamId],
    ['created_by', owner.createdBy],
    ['has_check_letters', true],
    ...columns,
  ];
  const names = shared.map(([column]) => column).join(', ');
  // Four of the parameters are the arrays.
  const places = shared.map((_column, index) => `$${String(index + 5)}`).join(', ');
  await db.query(
    `insert into keys (id, name, digest, prefix, ${names})
     select id, name, digest, prefix, ${places}
     from unnest($1::uuid[], $2::text[], $3::bytea[], $4::text[]) as n(id, name, digest, prefix)`,
    [...[0, 1, 2, 3].map((at) => own.map((cells) => cells[at])), ...shared.map(([, cell]) => cell)],
  );
  return new Map(made.map(({ id, key }) => [id, key]));
}
