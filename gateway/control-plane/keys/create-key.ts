import type { KeyCreated } from '@weir/shared/people/keys';
import type { Refusal } from '../../platform/errors/refusal.ts';
import { newRequestId } from '../../platform/ids/request-id.ts';
import type { Call } from '../api/call.ts';
import { inTransaction } from '../api/transaction.ts';
import { refuseEnded } from '../sessions/identify.ts';
import { insertKeys, refuseNewKeys } from './insert-keys.ts';
import { readKeyOwner } from './key-owner.ts';
import { ANY_KEY, findKey, keyView } from './key-row.ts';
import { readKeyLimits } from './key-limits.ts';

/** Makes a key. Its value is in the answer and nowhere else. */
export async function createKey(call: Call<'createKey'>): Promise<KeyCreated | Refusal> {
  const { body, caller, context } = call;
  const { name, groupId, owner: _owner, teamId: _team, ...limits } = body;
  const { accountId } = caller;
  return inTransaction(context.pool, async (client) => {
    const ownership = await readKeyOwner(client, caller, body);
    if ('refused' in ownership) return ownership;
    const { owner, teamId } = ownership;
    const refused =
      (await refuseNewKeys(client, { accountId, groupId, teamId, count: 1 })) ??
      (await refuseEnded(client, caller));
    if (refused !== undefined) return refused;
    const columns = await readKeyLimits(client, limits, groupId);
    if ('refused' in columns) return columns;
    const id = newRequestId(Date.now());
    const keys = { accountId, groupId, owner, columns, named: [{ id, name }] };
    const values = await insertKeys(client, context.secrets, keys);
    const created = await findKey(client, { keyId: id, ...ANY_KEY });
    const value = values.get(id);
    if (created === undefined || value === undefined)
      throw new Error('a key that was made is gone');
    return { ...keyView(created), value };
  });
}
