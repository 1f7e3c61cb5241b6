import type { TeamView } from '@weir/shared/people/members';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Database } from '../api/transaction.ts';

export interface TeamRow {
  readonly id: string;
  readonly name: string;
  readonly allGroups: boolean;
  readonly groupIds: string[];
  readonly membersCount: number;
  readonly keysCount: number;
  readonly createdAt: Date;
}

const SELECT = `
  select t.id::text as id, t.name, t.all_groups as "allGroups", t.created_at as "createdAt",
    array(select g.group_id::text from team_groups g where g.team_id = t.id order by g.group_id) as "groupIds",
    (select count(*)::integer from members m where m.team_id = t.id and m.ended_at is null) as "membersCount",
    (select count(*)::integer from keys k where k.team_id = t.id and k.status <> 'deleted') as "keysCount"
  from teams t where t.account_id = $1 and t.deleted_at is null`;

const LIST = `${SELECT} order by lower(t.name)`;
const FIND = `${SELECT} and t.id = $2::bigint`;
const EXISTS = `
  select 1 from teams where account_id = $1 and id = $2::bigint and deleted_at is null`;

export async function readTeams(db: Database, accountId: string): Promise<TeamRow[]> {
  return (await db.query<TeamRow>(LIST, [accountId])).rows;
}

export async function findTeam(
  db: Database,
  { accountId, teamId }: { readonly accountId: string; readonly teamId: string },
): Promise<TeamRow | undefined> {
  return (await db.query<TeamRow>(FIND, [accountId, teamId])).rows[0];
}

/** Refuses a team that the account does not have. */
export async function refuseTeam(
  db: Database,
  {
    accountId,
    teamId,
  }: { readonly accountId: string; readonly teamId?: string | null | undefined },
): Promise<Refusal | undefined> {
  if (teamId == null) return undefined;
  if ((await db.query(EXISTS, [accountId, teamId])).rowCount !== 0) return undefined;
  return refuse('invalid_value', 'The account has no such team.', { param: 'teamId' });
}

/**
 * Returns the SQL condition that keys of a team may be for a group. Without a team, or with one
 * that is not limited to groups of its own, all groups of the account are allowed.
 * @param team SQL of the team's id, perhaps null
 * @param group the alias of `groups`
 */
export function openToTeam(team: string, group = 'g'): string {
  return `(coalesce((select all_groups from teams limited where limited.id = ${team}), true)
    or exists (select from team_groups own_group
      where own_group.team_id = ${team} and own_group.group_id = ${group}.id))`;
}

export function teamView(row: TeamRow): TeamView {
  return { ...row, createdAt: row.createdAt.toISOString() };
}
