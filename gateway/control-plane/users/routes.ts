import type { ACCOUNT_ROUTES } from '@weir/shared/api/admin-routes/accounts';
import type { UserView } from '@weir/shared/people/users';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { refuseRoleByToken } from '../api/callers/authorize.ts';
import type { Answer, Call, HandlersOf, Identity } from '../api/call.ts';
import { given, setClause } from '../api/lists/column-list.ts';
import { readSorted } from '../api/lists/sorted-list.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { REMOVE_SECOND_FACTOR } from '../second-factors/routes.ts';
import { changePassword } from './change-password.ts';
import { changeEmailOfUser, NO_USER, refuseErased, resetPasswordOfUser } from './help-user.ts';
import { USER_LIST } from './user-list.ts';
import { findUser, userView, type UserRow } from './user-row.ts';

type Table = Pick<
  typeof ACCOUNT_ROUTES,
  | 'getOwnUser'
  | 'updateOwnUser'
  | 'changePassword'
  | 'listUsers'
  | 'getUser'
  | 'updateUser'
  | 'resetSecondFactor'
  | 'resetPasswordOfUser'
  | 'changeEmailOfUser'
>;

export const userHandlers: HandlersOf<Table> = {
  getOwnUser: ({ context, caller }) => viewOf(context.pool, caller.userId),
  updateOwnUser,
  changePassword,
  listUsers: ({ context, query }) => readSorted(context.pool, USER_LIST, query, userView),
  getUser: ({ context, params }) => viewOf(context.pool, params.userId),
  updateUser,
  resetSecondFactor,
  resetPasswordOfUser,
  changeEmailOfUser,
};

const OTHER_ADMINS = `
  select 1 from users where role = 'admin' and disabled_at is null and id <> $1 limit 1`;

async function viewOf(db: Database, userId: string): Promise<UserView | Refusal> {
  const user = await findUser(db, userId);
  return user === undefined ? NO_USER : userView(user);
}

async function updateOwnUser(call: Call<'updateOwnUser'>): Promise<UserView | Refusal> {
  const { context, caller, body } = call;
  const { sql, values } = setClause(
    given([
      ['language', body.language],
      ['theme', body.theme],
    ]),
    2,
  );
  await context.pool.query(`update users set ${sql} where id = $1`, [caller.userId, ...values]);
  return viewOf(context.pool, caller.userId);
}

/** Someone must be left who can undo it. */
async function refuseLastAdmin(
  db: Database,
  user: UserRow,
  body: Call<'updateUser'>['body'],
): Promise<Refusal | undefined> {
  const losesAdmin =
    user.role === 'admin' && ((body.role ?? 'admin') !== 'admin' || body.disabled === true);
  if (!losesAdmin) return undefined;
  const { rowCount } = await db.query(OTHER_ADMINS, [user.id]);
  if (rowCount !== 0) return undefined;
  return refuse('state_conflict', 'This is the last administrator. Make another one first.');
}

/**
 * Disabled administrators and supporters have no role: enabling or disabling one is a change of the
 * role.
 */
function refuseTokenForAdmin(
  caller: Identity,
  user: UserView,
  body: Call<'updateUser'>['body'],
): Refusal | undefined {
  if (body.role !== undefined && body.role !== user.role) return refuseRoleByToken(caller);
  const disables = body.disabled !== undefined && body.disabled !== user.disabled;
  return user.role !== 'user' && disables ? refuseRoleByToken(caller, 'disabled') : undefined;
}

async function updateUser(call: Call<'updateUser'>): Answer<'updateUser'> {
  const { context, params, body, caller } = call;
  return inTransaction(context.pool, async (client) => {
    // One at a time: two administrators who disable each other must not both succeed.
    await client.query(`select 1 from users where role = 'admin' order by id for update`);
    const user = await findUser(client, params.userId, { lock: true });
    if (user === undefined) return NO_USER;
    const before = userView(user);
    const refused =
      (await refuseErased(client, user)) ??
      refuseTokenForAdmin(caller, before, body) ??
      call.refuseStale(before) ??
      (await refuseLastAdmin(client, user, body));
    if (refused !== undefined) return refused;
    const disabledAt = body.disabled === true ? (user.disabledAt ?? new Date()) : null;
    const { sql, values } = setClause(
      given([
        ['role', body.role],
        ['disabled_at', body.disabled === undefined ? undefined : disabledAt],
      ]),
      2,
    );
    await client.query(`update users set ${sql} where id = $1`, [user.id, ...values]);
    if (body.disabled === true) {
      await client.query('delete from sessions where user_id = $1', [user.id]);
    }
    const after = await viewOf(client, user.id);
    if ('refused' in after) return after;
    return {
      view: after,
      audit: await audit(client, call, { kind: 'user', id: user.id, before, after }),
    };
  });
}

async function resetSecondFactor(call: Call<'resetSecondFactor'>): Answer<'resetSecondFactor'> {
  const { context, caller, params } = call;
  // A thief of a session must not be able to remove the factor with it.
  if (params.userId === caller.userId) {
    return refuse(
      'state_conflict',
      'Remove your own second factor with password and code, on your security page. If you lost it, ask another administrator.',
    );
  }
  return inTransaction(context.pool, async (client) => {
    const user = await findUser(client, params.userId, { lock: true });
    if (user === undefined) return NO_USER;
    await client.query(REMOVE_SECOND_FACTOR, [user.id]);
    const before = userView(user);
    const after = { ...before, secondFactor: false };
    return {
      view: undefined,
      audit: await audit(client, call, { kind: 'user', id: user.id, before, after }),
    };
  });
}
