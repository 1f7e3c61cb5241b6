import type { KeyUpdate, KeyView } from '@weir/shared/people/keys';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call } from '../api/call.ts';
import { given, setClause } from '../api/lists/column-list.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { readKeyLimits } from './key-limits.ts';
import { refuseGroup } from './insert-keys.ts';
import { ANY_KEY, findKey, keyView, ownKeys, type KeyRow } from './key-row.ts';
import { lockOwnKey, NO_KEY } from './read-keys.ts';

const DELETE = `
  update keys set status = 'deleted', updated_at = now()
  where id = $1 and account_id = $2 and status <> 'deleted'`;

const DELETE_ALIASES = 'delete from key_aliases where key_id = $1';

const NOT_YOURS_TO_ENABLE = refuse(
  'state_conflict',
  'An administrator disabled this key. Ask an administrator to enable it.',
  { param: 'status' },
);

const MEMBER_IS_GONE = refuse(
  'state_conflict',
  'The member of this key has left the account, or may not log in. Make a key of the account instead.',
  { param: 'status' },
);

async function writeKey(
  db: Database,
  key: KeyRow,
  change: KeyUpdate & { readonly disabledByAdmin?: boolean },
): Promise<KeyView | Refusal> {
  const { name, status, disabledByAdmin, groupId = key.groupId, ...limits } = change;
  const moves = groupId !== key.groupId;
  const { accountId, teamId } = key;
  const refused = moves ? await refuseGroup(db, { groupId, accountId, teamId }) : undefined;
  if (refused !== undefined) return refused;
  // A list that stays is looked at too: the key would be refused all models of the new group.
  const moved = moves ? { modelAllowlist: key.modelAllowlist, ...limits } : limits;
  const columns = await readKeyLimits(db, moved, groupId);
  if ('refused' in columns) return columns;
  const { sql, values } = setClause(
    [
      ...given([
        ['name', name],
        ['status', status],
        ['disabled_by_admin', disabledByAdmin],
        ['group_id', moves ? groupId : undefined],
      ]),
      ...columns,
    ],
    2,
  );
  await db.query(`update keys set ${sql} where id = $1`, [key.id, ...values]);
  const changed = await findKey(db, { keyId: key.id, ...ANY_KEY });
  return changed === undefined ? NO_KEY : keyView(changed);
}

export function updateKey(call: Call<'updateKey'>): Promise<KeyView | Refusal> {
  const { context, params, caller, body } = call;
  return inTransaction(context.pool, async (client) => {
    const key = await lockOwnKey(client, caller, params.keyId);
    if ('refused' in key) return key;
    if (key.disabledByAdmin && body.status === 'active') return NOT_YOURS_TO_ENABLE;
    if (key.memberGone && body.status === 'active') return MEMBER_IS_GONE;
    return call.refuseStale(keyView(key)) ?? writeKey(client, key, body);
  });
}

export function updateKeyOfAnyone(call: Call<'updateKeyOfAnyone'>): Answer<'updateKeyOfAnyone'> {
  const { context, params, body } = call;
  return inTransaction(context.pool, async (client) => {
    const key = await findKey(client, { keyId: params.keyId, ...ANY_KEY, lock: true });
    if (key === undefined) return NO_KEY;
    const before = keyView(key);
    const stale = call.refuseStale(before);
    if (stale !== undefined) return stale;
    const disabledByAdmin = body.status === 'disabled';
    const after = await writeKey(client, key, { ...body, disabledByAdmin });
    if ('refused' in after) return after;
    return {
      view: after,
      audit: await audit(client, call, { kind: 'key', id: key.id, before, after }),
    };
  });
}

/** The row stays, because records name it; nothing ever makes it work again. */
export function deleteKey(call: Call<'deleteKey'>): Promise<undefined | Refusal> {
  const { context, params, caller } = call;
  return inTransaction(context.pool, async (client) => {
    const key = await findKey(client, { keyId: params.keyId, ...ownKeys(caller), lock: true });
    if (key === undefined) return NO_KEY;
    await client.query(DELETE, [key.id, key.accountId]);
    await client.query(DELETE_ALIASES, [key.id]);
    return undefined;
  });
}

/** The same for anyone's key; its owner sees in the list that it is gone. */
export function deleteKeyOfAnyone(call: Call<'deleteKeyOfAnyone'>): Answer<'deleteKeyOfAnyone'> {
  const { context, params } = call;
  return inTransaction(context.pool, async (client) => {
    const key = await findKey(client, { keyId: params.keyId, ...ANY_KEY, lock: true });
    if (key === undefined) return NO_KEY;
    await client.query(DELETE, [key.id, key.accountId]);
    await client.query(DELETE_ALIASES, [key.id]);
    const before = keyView(key);
    return {
      view: undefined,
      audit: await audit(client, call, { kind: 'key', id: key.id, before, after: null }),
    };
  });
}
