import type { ContentLogUpdate } from '@weir/shared/watch/content-log';
import { permits } from '@weir/shared/api/permissions';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call } from '../api/call.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { ANY_KEY, findKey, keyView, type KeyRow } from '../keys/key-row.ts';
import { lockOwnKey, NO_KEY } from '../keys/read-keys.ts';
import { refuseForbidden } from './content-policy.ts';

const NOT_YOURS = refuse(
  'role_required',
  'Only the owner of a key keeps its content: the member whose key it is, or for a key of the account the person who created it. You may switch the content log off.',
  { param: 'enabled' },
);

/** Waits for a change of the policy, so that no key is switched on behind a prohibition. */
const LOCK_POLICY = 'select 1 from accounts where id = $1 for share';

const CREATED_BY = 'select 1 from keys where id = $1 and created_by = $2';

const SWITCH_ON = `
  update keys set content_log = true, content_log_days = $2, content_log_member_id = $3::bigint,
    content_erased_before = case when $4 then now() else content_erased_before end, updated_at = now()
  where id = $1`;

const SWITCH_OFF = `
  update keys set content_log = false,
    content_erased_before = case when $2 then now() else content_erased_before end, updated_at = now()
  where id = $1`;

/** Refuses everyone but the owner of a key, whatever their role. */
async function refuseOthers(
  db: Database,
  { caller }: Call<'setContentLog'>,
  key: KeyRow,
): Promise<Refusal | undefined> {
  if (key.memberId !== null) return key.memberId === caller.memberId ? undefined : NOT_YOURS;
  const isCreator = (await db.query(CREATED_BY, [key.id, caller.userId])).rowCount !== 0;
  return isCreator && permits(caller, 'keys.all') ? undefined : NOT_YOURS;
}

function refuseDays(days: number | undefined, daysMax: number): Refusal | undefined {
  if (daysMax === 0) {
    return refuse('state_conflict', 'The operator of this gateway allows no content logs.', {
      param: 'enabled',
    });
  }
  if (days === undefined) {
    return refuse('missing_required_parameter', 'Say for how many days content is to be kept.', {
      param: 'days',
    });
  }
  if (days <= daysMax) return undefined;
  return refuse('invalid_value', `Content is kept for at most ${daysMax} days here.`, {
    param: 'days',
  });
}

async function switchOn(
  db: Database,
  call: Call<'setContentLog'>,
  { key, change }: { readonly key: KeyRow; readonly change: ContentLogUpdate },
): Promise<Refusal | undefined> {
  const { context, caller } = call;
  const refused =
    (await refuseOthers(db, call, key)) ??
    refuseDays(change.days, context.config.contentLogDaysMax) ??
    (await refuseForbidden(db, key.accountId));
  if (refused !== undefined) return refused;
  await db.query(SWITCH_ON, [key.id, change.days, caller.memberId, change.erase === true]);
  return undefined;
}

/**
 * Switches the content log of a key. Everyone who may change the key may switch it off, and delete
 * what is kept.
 */
export function setContentLog(call: Call<'setContentLog'>): Answer<'setContentLog'> {
  const { context, params, caller, body } = call;
  return inTransaction(context.pool, async (client) => {
    if (body.enabled) await client.query(LOCK_POLICY, [caller.accountId]);
    const key = await lockOwnKey(client, caller, params.keyId);
    if ('refused' in key) return key;
    if (body.enabled) {
      const refused = await switchOn(client, call, { key, change: body });
      if (refused !== undefined) return refused;
    } else await client.query(SWITCH_OFF, [key.id, body.erase === true]);
    const changed = await findKey(client, { keyId: key.id, ...ANY_KEY });
    if (changed === undefined) return NO_KEY;
    const view = keyView(changed);
    const before = { contentLog: keyView(key).contentLog };
    const after = { contentLog: view.contentLog, erased: body.erase === true };
    const change = { kind: 'key', id: key.id, before, after };
    return { view, audit: await audit(client, call, change) };
  });
}
