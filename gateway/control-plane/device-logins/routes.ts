import type { DEVICE_LOGIN_ROUTES } from '@weir/shared/api/admin-routes/device-logins';
import type { DeviceLoginPreview } from '@weir/shared/people/device-logins';
import { newRequestId } from '../../platform/ids/request-id.ts';
import type { Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { inTransaction } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { insertKeys, refuseNewKeys } from '../keys/insert-keys.ts';
import { readKeyOwner } from '../keys/key-owner.ts';
import { ANY_KEY, findKey, keyView } from '../keys/key-row.ts';
import { refuseEnded } from '../sessions/identify.ts';
import { deviceLoginPreview, findDeviceLogin } from './device-login-row.ts';
import { refuseAnswered, withCode } from './refuse-code.ts';

type Table = Pick<
  typeof DEVICE_LOGIN_ROUTES,
  'lookUpDeviceLogin' | 'allowDeviceLogin' | 'denyDeviceLogin'
>;

export const deviceLoginHandlers: HandlersOf<Table> = {
  lookUpDeviceLogin,
  allowDeviceLogin,
  denyDeviceLogin,
};

const ALLOW = `update device_logins set status = 'allowed', key_id = $2 where id = $1`;
const DENY = `update device_logins set status = 'denied' where id = $1`;

function lookUpDeviceLogin(call: Call<'lookUpDeviceLogin'>): Promise<DeviceLoginPreview | Refusal> {
  const { context, body } = call;
  return withCode(call, async () => {
    const row = await findDeviceLogin(context.pool, context.secrets, { typed: body.userCode });
    const refused = refuseAnswered(row);
    if (refused !== undefined || row === undefined) return refused ?? noRow();
    return deviceLoginPreview(row, body.userCode);
  });
}

function noRow(): never {
  throw new Error('a login without a row is refused');
}

/**
 * Makes the key whose values the tool will hold. Its own value is known to no one: the tool's are
 * further ones, which expire.
 */
function allowDeviceLogin(call: Call<'allowDeviceLogin'>): Answer<'allowDeviceLogin'> {
  const { context, caller, body } = call;
  const { accountId } = caller;
  return withCode(call, () =>
    inTransaction(context.pool, async (client) => {
      const ownership = await readKeyOwner(client, caller, {});
      if ('refused' in ownership) return ownership;
      const { owner, teamId } = ownership;
      const keys = { accountId, groupId: body.groupId, teamId, count: 1 };
      const row = await findDeviceLogin(client, context.secrets, {
        typed: body.userCode,
        lock: true,
      });
      const refused =
        refuseAnswered(row) ??
        (await refuseNewKeys(client, keys)) ??
        (await refuseEnded(client, caller));
      if (refused !== undefined || row === undefined) return refused ?? noRow();
      const id = newRequestId(Date.now());
      const named = [{ id, name: body.name }];
      await insertKeys(client, context.secrets, { ...keys, owner, columns: [], named });
      await client.query(ALLOW, [row.id, id]);
      const key = await findKey(client, { keyId: id, ...ANY_KEY });
      if (key === undefined) throw new Error('a key that was made is gone');
      const view = keyView(key);
      const after = { allowed: true, keyId: id, tool: row.tool, address: row.address };
      const change = { kind: 'device_login', id: row.id, before: null, after };
      return { view, audit: await audit(client, call, change) };
    }),
  );
}

function denyDeviceLogin(call: Call<'denyDeviceLogin'>): Answer<'denyDeviceLogin'> {
  const { context, body } = call;
  return withCode(call, () =>
    inTransaction(context.pool, async (client) => {
      const code = { typed: body.userCode, lock: true };
      const row = await findDeviceLogin(client, context.secrets, code);
      const refused = refuseAnswered(row);
      if (refused !== undefined || row === undefined) return refused ?? noRow();
      await client.query(DENY, [row.id]);
      const after = { allowed: false, tool: row.tool, address: row.address };
      const change = { kind: 'device_login', id: row.id, before: null, after };
      return { view: undefined, audit: await audit(client, call, change) };
    }),
  );
}
