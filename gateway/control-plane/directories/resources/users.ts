import { isDeepStrictEqual } from 'node:util';
import type { DirectoryAct } from '@weir/shared/people/directories';
import { newRequestId } from '../../../platform/ids/request-id.ts';
import { runTransaction } from '../../../stores/postgres/run-transaction.ts';
import { lockRow, onlyRow, type Database } from '../../api/transaction.ts';
import { audit } from '../../audit/audit-log.ts';
import { applyDirectory, directoryActor, type DirectoryCall } from '../people/apply-directory.ts';
import { findLogin, requireAddress } from '../people/find-login.ts';
import { removePerson } from '../people/remove-person.ts';
import { renameLogin } from '../people/rename-login.ts';
import { applyPatch } from '../scim/patch.ts';
import { USER_KIND } from '../scim/schema.ts';
import type { ScimCall, ScimHandler, ScimReply } from '../scim/scim-call.ts';
import { ScimError } from '../scim/scim-error.ts';
import { selectAttributes } from '../scim/select-attributes.ts';
import { refuseDuplicate } from './refuse-duplicate.ts';
import { listResources } from './resource-page.ts';
import {
  findDirectoryUser,
  FROM_USERS,
  readUser,
  SELECT_USERS,
  splitUser,
  USER_FILTER,
  userResource,
  writtenOf,
  type UserRow,
  type WrittenUser,
} from './user-row.ts';

/** People of one directory, those who were removed for now included. */
const USERS_MAX = 20_000;

const COUNT = 'select count(*)::integer as count from directory_users where provider_id = $1';
const INSERT = `
  insert into directory_users (id, provider_id, user_id, user_name, external_id, active, attributes)
  values ($1, $2, $3, $4, $5, $6, $7)`;
/** The person who comes back, by the provider's id; by the name if one of both has no id. */
const REMOVED = `
  select id from directory_users
  where provider_id = $1 and not active and (external_id = $2 or
    lower(user_name) = lower($3) and (external_id is null or $2::text is null))
  order by external_id = $2 desc nulls last limit 1`;
const UPDATE = `
  update directory_users set user_name = $2, external_id = $3, active = $4, attributes = $5, updated_at = now()
  where id = $1`;
const DELETE = 'delete from directory_users where id = $1';

const NO_USER = new ScimError(404, 'There is no such user.');

const auditedBy = ({ address, requestId }: ScimCall, route: DirectoryAct): DirectoryCall => ({
  address,
  requestId,
  route,
});

const viewOf = (call: ScimCall, row: UserRow) =>
  selectAttributes(USER_KIND, userResource(row, call.root), call.selection);

/** A user as the audit log shows them, without what else is known of a person. */
function noted({ userName, externalId, active }: WrittenUser): object {
  return { userName, externalId, active };
}

async function note(
  db: Database,
  call: ScimCall,
  change: {
    readonly act: DirectoryAct;
    readonly id: string;
    readonly before: WrittenUser | null;
    readonly after: WrittenUser | null;
  },
): Promise<void> {
  const { act, id, before, after } = change;
  const caller = directoryActor(call.provider);
  await audit(
    db,
    { ...auditedBy(call, act), caller },
    {
      kind: 'directory_user',
      id,
      before: before && noted(before),
      after: after && noted(after),
    },
  );
}

async function readBack(db: Database, call: ScimCall, id: string): Promise<UserRow> {
  const row = await findDirectoryUser(db, { providerId: call.provider.id, id });
  if (row === undefined) throw new Error('a user who was written is gone');
  return row;
}

async function refuseTooMany(db: Database, providerId: string): Promise<void> {
  const { rows } = await db.query<{ count: number }>(COUNT, [providerId]);
  if (onlyRow(rows).count < USERS_MAX) return;
  throw new ScimError(400, `A directory has at most ${String(USERS_MAX)} users.`, {
    scimType: 'tooMany',
  });
}

/** Locks the login of a person, and finds them. */
async function lockPerson(db: Database, { provider, id }: ScimCall): Promise<UserRow> {
  const scope = { providerId: provider.id, id };
  const known = await findDirectoryUser(db, scope);
  if (known === undefined) throw NO_USER;
  await lockRow(db, 'users', known.userId);
  const row = await findDirectoryUser(db, scope);
  if (row === undefined) throw NO_USER;
  return row;
}

async function write(
  db: Database,
  call: ScimCall,
  { row, next }: { readonly row: UserRow; readonly next: WrittenUser },
): Promise<void> {
  if (isDeepStrictEqual(writtenOf(row), writtenOf(next))) return;
  const act = 'scimUpdateUser';
  const audited = auditedBy(call, act);
  const { provider } = call;
  const { id, userId } = row;
  const email = requireAddress(next);
  if (row.active && !next.active) await removePerson(db, { provider, userId, call: audited });
  await renameLogin(db, provider, { userId, email });
  const { userName, externalId, active, attributes } = next;
  await db.query(UPDATE, [id, userName, externalId, active, attributes]);
  await applyDirectory(db, id, audited);
  await note(db, call, { act, id, before: row, after: next });
}

/** Enters a person. */
async function insert(db: Database, call: ScimCall, person: WrittenUser): Promise<string> {
  const { context, provider } = call;
  const act = 'scimCreateUser';
  await refuseTooMany(db, provider.id);
  const finding = { provider, person, call: auditedBy(call, act) };
  const userId = await findLogin(db, context, finding);
  const id = newRequestId(Date.now());
  const { userName, externalId, active, attributes } = person;
  await db.query(INSERT, [id, provider.id, userId, userName, externalId, active, attributes]);
  await applyDirectory(db, id, finding.call);
  await note(db, call, { act, id, before: null, after: person });
  return id;
}

/**
 * Enters a person, or brings back one who was removed for now: Okta enters those again who were
 * deactivated as a whole, and would be refused for ever by their own former entry.
 */
async function createUser(call: ScimCall): Promise<ScimReply> {
  const { context, provider } = call;
  const person = readUser(call.body, true);
  const made = await refuseDuplicate(
    runTransaction(context.pool, async (client) => {
      const values = [provider.id, person.externalId, person.userName];
      const [removed] = (await client.query<{ id: string }>(REMOVED, values)).rows;
      if (removed === undefined) {
        return readBack(client, call, await insert(client, call, person));
      }
      const row = await lockPerson(client, { ...call, id: removed.id });
      await write(client, call, { row, next: person });
      return readBack(client, call, row.id);
    }),
  );
  return viewOf(call, made);
}

/** Changes a user to what `next` returns for the user as they are. */
async function change(call: ScimCall, next: (row: UserRow) => WrittenUser): Promise<ScimReply> {
  const changed = await refuseDuplicate(
    runTransaction(call.context.pool, async (client) => {
      const row = await lockPerson(client, call);
      await write(client, call, { row, next: next(row) });
      return readBack(client, call, row.id);
    }),
  );
  return viewOf(call, changed);
}

async function deleteUser(call: ScimCall): Promise<undefined> {
  const { context, provider } = call;
  const act = 'scimDeleteUser';
  await runTransaction(context.pool, async (client) => {
    const row = await lockPerson(client, call);
    await removePerson(client, { provider, userId: row.userId, call: auditedBy(call, act) });
    await client.query(DELETE, [row.id]);
    await note(client, call, { act, id: row.id, before: row, after: null });
  });
}

/** People of a directory. */
export const USERS: Readonly<
  Record<'list' | 'create' | 'get' | 'replace' | 'patch' | 'remove', ScimHandler>
> = {
  list: (call) =>
    listResources<UserRow>(call.context.pool, call.query, {
      columns: USER_FILTER,
      select: SELECT_USERS,
      from: FROM_USERS,
      providerId: call.provider.id,
      view: (row) => viewOf(call, row),
    }),
  create: createUser,
  get: async (call) => {
    const { context, provider, id } = call;
    const row = await findDirectoryUser(context.pool, { providerId: provider.id, id });
    if (row === undefined) throw NO_USER;
    return viewOf(call, row);
  },
  replace: (call) => change(call, (row) => readUser(call.body, row.active)),
  patch: (call) =>
    change(call, (row) => splitUser(applyPatch(USER_KIND, writtenOf(row), call.body), row.active)),
  remove: deleteUser,
};
