import { KEYS_PER_ACCOUNT_MAX, type KeyCreated } from '@weir/shared/keys';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { newRequestId } from '../../platform/ids/request-id.ts';
import { generateKey, keyDigest } from '../../platform/secrets/api-key.ts';
import type { Call } from '../api/call.ts';
import { inTransaction, onlyRow, type Database } from '../api/transaction.ts';
import { refuseEnded } from '../sessions/identify.ts';
import { findKey, keyView } from './key-row.ts';
import { readKeyLimits } from './key-limits.ts';

const COUNT = `
  select count(*)::integer as count from keys where account_id = $1 and status <> 'deleted'`;

async function refuseGroup(db: Database, groupId: string): Promise<Refusal | undefined> {
  const { rows } = await db.query<{ status: string }>('select status from groups where id = $1', [
    groupId,
  ]);
  if (rows[0]?.status === 'active') return undefined;
  return refuse('invalid_value', 'There is no such group to choose.', { param: 'groupId' });
}

/** The account's row orders two creations at once, so that neither passes the limit. */
async function refuseTooMany(db: Database, accountId: string): Promise<Refusal | undefined> {
  await db.query('select 1 from accounts where id = $1 for no key update', [accountId]);
  const { rows } = await db.query<{ count: number }>(COUNT, [accountId]);
  if (onlyRow(rows).count < KEYS_PER_ACCOUNT_MAX) return undefined;
  return refuse(
    'limit_reached',
    `An account has at most ${String(KEYS_PER_ACCOUNT_MAX)} keys. Delete one that is not needed.`,
  );
}

/** Makes a key. Its value is in the answer and nowhere else. */
export async function createKey(call: Call<'createKey'>): Promise<KeyCreated | Refusal> {
  const { body, caller, context } = call;
  const { name, groupId, ...limits } = body;
  const { key: value, prefix } = generateKey(context.secrets);
  return inTransaction(context.pool, async (client) => {
    const refused =
      (await refuseGroup(client, groupId)) ??
      (await refuseTooMany(client, caller.accountId)) ??
      (await refuseEnded(client, caller));
    if (refused !== undefined) return refused;
    const columns = await readKeyLimits(client, limits, groupId);
    if ('refused' in columns) return columns;
    const id = newRequestId(Date.now());
    const row = [
      ['id', id],
      ['account_id', caller.accountId],
      ['group_id', groupId],
      ['name', name],
      ['digest', keyDigest(context.secrets, value)],
      ['prefix', prefix],
      ['has_check_letters', true],
      ...columns,
    ] as const;
    const names = row.map(([column]) => column).join(', ');
    const places = row.map((_column, index) => `$${String(index + 1)}`).join(', ');
    await client.query(
      `insert into keys (${names}) values (${places})`,
      row.map(([, cell]) => cell),
    );
    const created = await findKey(client, { keyId: id, accountId: caller.accountId });
    if (created === undefined) throw new Error('a key that was made is gone');
    return { ...keyView(created), value };
  });
}
