import type { DirectoryAct } from '@weir/shared/people/directories';
import { newRequestId } from '../../../platform/ids/request-id.ts';
import { isJsonObject } from '../../../platform/json/json-value.ts';
import { runTransaction } from '../../../stores/postgres/run-transaction.ts';
import { onlyRow, type Database } from '../../api/transaction.ts';
import { audit } from '../../audit/audit-log.ts';
import { applyStale, directoryActor } from '../people/apply-directory.ts';
import { applyPatch } from '../scim/patch.ts';
import { readResource } from '../scim/read-resource.ts';
import { fieldIn, GROUP_KIND } from '../scim/schema.ts';
import type { ScimCall, ScimHandler, ScimReply } from '../scim/scim-call.ts';
import { ScimError } from '../scim/scim-error.ts';
import { selectAttributes, wants } from '../scim/select-attributes.ts';
import {
  findDirectoryGroup,
  FROM_GROUPS,
  GROUP_FILTER,
  groupResource,
  selectGroups,
  splitGroup,
  writtenGroup,
  type GroupRow,
  type WrittenGroup,
} from './group-row.ts';
import { markMembers, writeMembers, type ChangedMembers } from './group-members.ts';
import { refuseDuplicate } from './refuse-duplicate.ts';
import { listResources } from './resource-page.ts';

/** Groups of one directory. */
const GROUPS_MAX = 2_000;

const COUNT = 'select count(*)::integer as count from directory_groups where provider_id = $1';
const LOCK = 'select 1 from directory_groups where provider_id = $1 and id = $2 for update';
const INSERT = `
  insert into directory_groups (id, provider_id, display_name, external_id) values ($1, $2, $3, $4)`;
const UPDATE = `
  update directory_groups set display_name = $2, external_id = $3, updated_at = now() where id = $1`;
const DELETE = 'delete from directory_groups where id = $1';

const NO_GROUP = new ScimError(404, 'There is no such group.');

/** A first sync may add thousands, whose memberships are noted one by one. */
const NOTED_MEMBERS_MAX = 50;

function notedMembers({ added, removed, leftOut }: ChangedMembers): object {
  return {
    addedCount: added.length,
    added: added.slice(0, NOTED_MEMBERS_MAX),
    removedCount: removed.length,
    removed: removed.slice(0, NOTED_MEMBERS_MAX),
    ...(leftOut.length === 0 ? {} : { leftOut: leftOut.slice(0, NOTED_MEMBERS_MAX) }),
  };
}

interface Noted {
  readonly act: DirectoryAct;
  readonly id: string;
  readonly before: object | null;
  readonly after: object | null;
}

async function note(db: Database, call: ScimCall, { act, ...change }: Noted): Promise<void> {
  const { address, requestId, provider } = call;
  const audited = { address, requestId, route: act, caller: directoryActor(provider) };
  await audit(db, audited, { kind: 'directory_group', ...change });
}

const viewOf = (call: ScimCall, row: GroupRow) =>
  selectAttributes(GROUP_KIND, groupResource(row, call.root), call.selection);

/** The group of a request's path. */
async function findGroup(
  db: Database,
  { provider, id }: ScimCall,
  withMembers: boolean,
): Promise<GroupRow> {
  const found = await findDirectoryGroup(db, { providerId: provider.id, id, withMembers });
  if (found === undefined) throw NO_GROUP;
  return found;
}

const getGroup: ScimHandler = async (call) =>
  viewOf(
    call,
    await findGroup(call.context.pool, call, wants(GROUP_KIND, call.selection, 'members')),
  );

/** Brings the memberships of people to what the change of a group leads to. */
async function applyChanges(call: ScimCall, act: DirectoryAct): Promise<void> {
  const { context, provider, address, requestId } = call;
  await applyStale(context, provider.id, { address, requestId, route: act });
}

async function refuseTooMany(db: Database, providerId: string): Promise<void> {
  const { rows } = await db.query<{ count: number }>(COUNT, [providerId]);
  if (onlyRow(rows).count < GROUPS_MAX) return;
  throw new ScimError(400, `A directory has at most ${String(GROUPS_MAX)} groups.`, {
    scimType: 'tooMany',
  });
}

async function createGroup(call: ScimCall): Promise<ScimReply> {
  const { context, provider } = call;
  const act = 'scimCreateGroup';
  const { displayName, externalId, members } = splitGroup(readResource(GROUP_KIND, call.body));
  const id = newRequestId(Date.now());
  await refuseDuplicate(
    runTransaction(context.pool, async (client) => {
      await refuseTooMany(client, provider.id);
      await client.query(INSERT, [id, provider.id, displayName, externalId]);
      const scope = { providerId: provider.id, groupId: id };
      const changed = await writeMembers(client, scope, { known: [], wanted: members });
      const after = { displayName, externalId, ...notedMembers(changed) };
      await note(client, call, { act, id, before: null, after });
    }),
  );
  await applyChanges(call, act);
  return getGroup({ ...call, id });
}

function memberIds({ members = [] }: GroupRow): string[] {
  return members.map(({ value }) => value);
}

async function write(
  db: Database,
  call: ScimCall,
  { row, next }: { readonly row: GroupRow; readonly next: WrittenGroup },
): Promise<void> {
  const { provider } = call;
  const { id } = row;
  const { displayName, externalId } = next;
  const scope = { providerId: provider.id, groupId: id };
  const changed = await writeMembers(db, scope, { known: memberIds(row), wanted: next.members });
  const isRenamed = displayName !== row.displayName || externalId !== row.externalId;
  if (!isRenamed && changed.added.length === 0 && changed.removed.length === 0) return;
  if (isRenamed) await markMembers(db, id);
  await db.query(UPDATE, [id, displayName, externalId]);
  const before = { displayName: row.displayName, externalId: row.externalId };
  const after = { displayName, externalId, ...notedMembers(changed) };
  await note(db, call, { act: 'scimUpdateGroup', id, before, after });
}

/** Changes a group to what `next` returns for the group as it is. */
async function change(call: ScimCall, next: (row: GroupRow) => WrittenGroup): Promise<void> {
  const { context, provider, id } = call;
  await refuseDuplicate(
    runTransaction(context.pool, async (client) => {
      await findGroup(client, call, false);
      await client.query(LOCK, [provider.id, id]);
      const row = await findGroup(client, call, true);
      await write(client, call, { row, next: next(row) });
    }),
  );
  await applyChanges(call, 'scimUpdateGroup');
}

/** Keeps the members if the body does not name them: a client that omits them means no removal. */
async function replaceGroup(call: ScimCall): Promise<ScimReply> {
  const written = splitGroup(readResource(GROUP_KIND, call.body));
  const namesMembers = isJsonObject(call.body) && fieldIn(call.body, 'members');
  await change(call, (row) => (namesMembers ? written : { ...written, members: memberIds(row) }));
  return getGroup(call);
}

/** Replies without the group, which may have thousands of members, unless a part is asked for. */
async function patchGroup(call: ScimCall): Promise<ScimReply> {
  await change(call, (row) => splitGroup(applyPatch(GROUP_KIND, writtenGroup(row), call.body)));
  return call.selection.attributes === undefined ? undefined : getGroup(call);
}

async function deleteGroup(call: ScimCall): Promise<undefined> {
  const { context, provider, id } = call;
  const act = 'scimDeleteGroup';
  await runTransaction(context.pool, async (client) => {
    await findGroup(client, call, false);
    await client.query(LOCK, [provider.id, id]);
    const { displayName, externalId } = await findGroup(client, call, false);
    await markMembers(client, id);
    await client.query(DELETE, [id]);
    await note(client, call, { act, id, before: { displayName, externalId }, after: null });
  });
  await applyChanges(call, act);
}

/** Groups of a directory. */
export const GROUPS: Readonly<
  Record<'list' | 'create' | 'get' | 'replace' | 'patch' | 'remove', ScimHandler>
> = {
  list: (call) =>
    listResources<GroupRow>(call.context.pool, call.query, {
      columns: GROUP_FILTER,
      select: selectGroups(wants(GROUP_KIND, call.selection, 'members')),
      from: FROM_GROUPS,
      providerId: call.provider.id,
      view: (row) => viewOf(call, row),
    }),
  create: createGroup,
  get: getGroup,
  replace: replaceGroup,
  patch: patchGroup,
  remove: deleteGroup,
};
