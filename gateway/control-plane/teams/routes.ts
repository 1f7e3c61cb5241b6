import type { MEMBER_ROUTES } from '@weir/shared/api/admin-routes/members';
import { TEAMS_PER_ACCOUNT_MAX } from '@weir/shared/people/members';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { inTransaction, isDuplicate, lockRow, onlyRow, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { openTo } from '../groups/open-to.ts';
import { findTeam, readTeams, teamView, type TeamRow } from './team-row.ts';

type Table = Pick<typeof MEMBER_ROUTES, 'listTeams' | 'createTeam' | 'updateTeam' | 'deleteTeam'>;

export const teamHandlers: HandlersOf<Table> = {
  listTeams: async ({ context, caller }) => ({
    data: (await readTeams(context.pool, caller.accountId)).map(teamView),
  }),
  createTeam,
  updateTeam,
  deleteTeam,
};

const INSERT = 'insert into teams (account_id, name) values ($1, $2) returning id::text as id';
const RENAME = 'update teams set name = $2, updated_at = now() where id = $1::bigint';
const LIMIT = `
  update teams set all_groups = $2, updated_at = now() where id = $1::bigint and all_groups <> $2`;
const REMOVE_GROUPS = `
  delete from team_groups where team_id = $1::bigint and group_id <> all ($2::uuid[])`;
const ADD_GROUPS = `
  insert into team_groups (account_id, team_id, group_id)
  select $1, $2::bigint, wanted from unnest($3::uuid[]) wanted on conflict do nothing`;

/** A group that the account may not use is refused as one that does not exist. */
const MISSING = `
  select wanted from unnest($2::uuid[]) wanted
  where not exists (select from groups g where g.id = wanted and ${openTo('$1::uuid')})`;

const USES = `
  select exists (select from members where team_id = $1::bigint and ended_at is null)
    or exists (select from keys where team_id = $1::bigint and status <> 'deleted')
    or exists (select from member_invitations where team_id = $1::bigint
        and accepted_at is null and withdrawn_at is null and expires_at > now())
    or exists (select from sign_on_rules where team_id = $1::bigint) as used`;
/** In their order. The row stays for the records that name the team; who left may come back. */
const DELETE = [
  'update members set team_id = null where team_id = $1::bigint',
  'delete from team_groups where team_id = $1::bigint',
  `delete from spend_budgets b using teams t
   where t.id = $1::bigint and b.account_id = t.account_id and b.scope = 'team:' || t.id`,
  'update teams set deleted_at = now(), updated_at = now() where id = $1::bigint',
];

const NO_TEAM = refuse('not_found', 'There is no such team.');
const NAME_TAKEN = refuse('already_exists', 'There is a team with this name.', { param: 'name' });

async function unlessTaken<Result>(work: () => Promise<Result>): Promise<Result | Refusal> {
  try {
    return await work();
  } catch (error) {
    if (isDuplicate(error)) return NAME_TAKEN;
    throw error;
  }
}

async function setGroups(
  db: Database,
  { accountId, teamId }: { readonly accountId: string; readonly teamId: string },
  groupIds: readonly string[] | undefined,
): Promise<Refusal | undefined> {
  if (groupIds === undefined) return undefined;
  const { rows } = await db.query(MISSING, [accountId, groupIds]);
  if (rows.length > 0) {
    return refuse('invalid_value', 'The account may not use one of the groups.', {
      param: 'groupIds',
    });
  }
  await db.query(LIMIT, [teamId, groupIds.length === 0]);
  await db.query(REMOVE_GROUPS, [teamId, groupIds]);
  await db.query(ADD_GROUPS, [accountId, teamId, groupIds]);
  return undefined;
}

function createTeam(call: Call<'createTeam'>): Answer<'createTeam'> {
  const { context, caller, body } = call;
  const { accountId } = caller;
  return unlessTaken(() =>
    inTransaction(context.pool, async (client) => {
      await lockRow(client, 'accounts', accountId);
      if ((await readTeams(client, accountId)).length >= TEAMS_PER_ACCOUNT_MAX) {
        return refuse(
          'limit_reached',
          `An account has at most ${String(TEAMS_PER_ACCOUNT_MAX)} teams. Delete one that is not needed.`,
        );
      }
      const { rows } = await client.query<{ id: string }>(INSERT, [accountId, body.name]);
      const scope = { accountId, teamId: onlyRow(rows).id };
      const refused = await setGroups(client, scope, body.groupIds);
      if (refused !== undefined) return refused;
      const team = await findTeam(client, scope);
      if (team === undefined) throw new Error('a team that was made is gone');
      const view = teamView(team);
      const change = { kind: 'team', id: team.id, before: null, after: view };
      return { view, audit: await audit(client, call, change) };
    }),
  );
}

async function lockTeam(
  db: Database,
  scope: { readonly accountId: string; readonly teamId: string },
): Promise<TeamRow | Refusal> {
  await lockRow(db, 'accounts', scope.accountId);
  return (await findTeam(db, scope)) ?? NO_TEAM;
}

function updateTeam(call: Call<'updateTeam'>): Answer<'updateTeam'> {
  const { context, caller, body, params } = call;
  const scope = { accountId: caller.accountId, teamId: params.teamId };
  return unlessTaken(() =>
    inTransaction(context.pool, async (client) => {
      const team = await lockTeam(client, scope);
      if ('refused' in team) return team;
      if (body.name !== undefined) await client.query(RENAME, [team.id, body.name]);
      const refused = await setGroups(client, scope, body.groupIds);
      if (refused !== undefined) return refused;
      const after = await findTeam(client, scope);
      if (after === undefined) return NO_TEAM;
      const view = teamView(after);
      const change = { kind: 'team', id: team.id, before: teamView(team), after: view };
      return { view, audit: await audit(client, call, change) };
    }),
  );
}

function deleteTeam(call: Call<'deleteTeam'>): Answer<'deleteTeam'> {
  const { context, caller, params } = call;
  const scope = { accountId: caller.accountId, teamId: params.teamId };
  return inTransaction(context.pool, async (client) => {
    const team = await lockTeam(client, scope);
    if ('refused' in team) return team;
    const { rows } = await client.query<{ used: boolean }>(USES, [team.id]);
    // Without the team its keys could be for all groups of the account.
    if (onlyRow(rows).used) {
      return refuse(
        'in_use',
        'The team has members, keys, open invitations, or people whom sign-on rules of the operator lead to it. Move them to another team first.',
      );
    }
    for (const statement of DELETE) await client.query(statement, [team.id]);
    const change = { kind: 'team', id: team.id, before: teamView(team), after: null };
    return { view: undefined, audit: await audit(client, call, change) };
  });
}
