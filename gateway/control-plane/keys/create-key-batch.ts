import { createHash } from 'node:crypto';
import type { KeyBatchCreate, KeyBatchCreated } from '@weir/shared/people/keys';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call } from '../api/call.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { audit, auditOwn, type AuditedChange } from '../audit/audit-log.ts';
import { WRITTEN_EARLIER } from '../audit/audit-receipt.ts';
import { findAccount } from '../accounts/account-row.ts';
import { refuseEnded } from '../sessions/identify.ts';
import { insertKeys, lockAccount, refuseNewKeys } from './insert-keys.ts';
import { readKeyLimits } from './key-limits.ts';
import { readKeyOwner, type KeyOwnership } from './key-owner.ts';
import { keyView, SELECT_KEYS, type KeyRow } from './key-row.ts';

const KNOWN = 'select count(*)::integer as count from keys where id = any ($1)';

/** Newest first, as in every list: the ids are made so that the first name comes first. */
const MADE = `${SELECT_KEYS} where k.id = any ($1) and k.status <> 'deleted' order by k.id desc`;

/** The 12 bits of a UUID version 7 between its version and its variant. */
const SEQUENCE_MAX = 0xfff;

/**
 * The id of one key of a batch. It follows from the operation's id, so that a repeat of the request
 * finds the keys that it made, although nothing of their values was kept.
 */
function batchKeyId(operationId: string, index: number): string {
  const bytes = createHash('sha256')
    .update(`${operationId}:${String(index)}`)
    .digest();
  Buffer.from(operationId.replaceAll('-', '').slice(0, 12), 'hex').copy(bytes);
  bytes.writeUInt16BE(0x7000 | (SEQUENCE_MAX - index), 6);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = bytes.toString('hex', 0, 16);
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** `Team 01` to `Team 12`: as many digits for each, so that they sort as they were made. */
function namedKeys(operationId: string, { namePrefix, count }: KeyBatchCreate) {
  const digits = String(count).length;
  return Array.from({ length: count }, (_value, index) => ({
    id: batchKeyId(operationId, index),
    name: `${namePrefix.trim()} ${String(index + 1).padStart(digits, '0')}`,
  }));
}

interface Batch {
  readonly view: KeyBatchCreated;
  /** Null when a repeat found everything made. */
  readonly change: AuditedChange | null;
}

async function readMade(
  db: Database,
  ids: readonly string[],
  values: ReadonlyMap<string, string>,
): Promise<KeyBatchCreated> {
  const { rows } = await db.query<KeyRow>(MADE, [ids]);
  return { keys: rows.map((row) => ({ ...keyView(row), value: values.get(row.id) ?? null })) };
}

/** Makes all keys of a batch, or finds those that an earlier try of the same request made. */
async function makeBatch(
  db: Database,
  call: Call<'createKeyBatch'> | Call<'createKeyBatchForAccount'>,
  { accountId, owner, teamId }: KeyOwnership & { readonly accountId: string },
): Promise<Batch | Refusal> {
  const { body, context, operationId, reply } = call;
  const { namePrefix, count, groupId } = body;
  const named = namedKeys(operationId, body);
  const ids = named.map(({ id }) => id);
  const change: AuditedChange = {
    kind: 'account',
    id: accountId,
    before: null,
    after: { namePrefix: namePrefix.trim(), count, groupId, keyIds: ids },
  };
  // Before the look: a first try that still runs is waited for.
  await lockAccount(db, accountId);
  const { rows } = await db.query<{ count: number }>(KNOWN, [ids]);
  if (rows[0]?.count !== 0) {
    void reply.header('idempotency-replayed', 'true');
    return { view: await readMade(db, ids, new Map()), change: null };
  }
  const refused = await refuseNewKeys(db, { accountId, groupId, teamId, count });
  if (refused !== undefined) return refused;
  const columns = await readKeyLimits(db, limitsOf(body), groupId);
  if ('refused' in columns) return columns;
  const keys = { accountId, groupId, owner, columns, named };
  const values = await insertKeys(db, context.secrets, keys);
  return { view: await readMade(db, ids, values), change };
}

function limitsOf(body: KeyBatchCreate & { readonly accountId?: string }) {
  const {
    namePrefix: _prefix,
    count: _count,
    groupId: _group,
    accountId: _account,
    owner: _owner,
    teamId: _team,
    ...rest
  } = body;
  return rest;
}

/** Makes several keys of the caller's account. Their values are in the answer and nowhere else. */
export function createKeyBatch(call: Call<'createKeyBatch'>): Answer<'createKeyBatch'> {
  const { caller, context } = call;
  return inTransaction(context.pool, async (client) => {
    const ownership =
      (await refuseEnded(client, caller)) ?? (await readKeyOwner(client, caller, call.body));
    if ('refused' in ownership) return ownership;
    const made = await makeBatch(client, call, { accountId: caller.accountId, ...ownership });
    if ('refused' in made) return made;
    const { view, change } = made;
    return {
      view,
      audit: change === null ? WRITTEN_EARLIER : await auditOwn(client, call, change),
    };
  });
}

/** The same for any account that is not deleted. */
export function createKeyBatchForAccount(
  call: Call<'createKeyBatchForAccount'>,
): Answer<'createKeyBatchForAccount'> {
  const { accountId } = call.body;
  return inTransaction(call.context.pool, async (client) => {
    const account = await findAccount(client, accountId);
    if (account === undefined || account.deletedAt !== null) {
      return refuse('invalid_value', 'There is no such account.', { param: 'accountId' });
    }
    const owner = { memberId: null, serviceTeamId: null, createdBy: call.caller.userId };
    const made = await makeBatch(client, call, { accountId, owner, teamId: null });
    if ('refused' in made) return made;
    const { view, change } = made;
    return { view, audit: change === null ? WRITTEN_EARLIER : await audit(client, call, change) };
  });
}
