import { randomUUID } from 'node:crypto';
import { ALERT_TARGETS_MAX } from '@weir/shared/watch/alerts';
import { refuse, type Refusal } from '../../../platform/errors/refusal.ts';
import { seal } from '../../../platform/secrets/secrets.ts';
import type { Answer, Call } from '../../api/call.ts';
import { given, setClause } from '../../api/lists/column-list.ts';
import type { AdminContext } from '../../api/context.ts';
import { newToken } from '../../api/callers/opaque-token.ts';
import { inTransaction, isDuplicate } from '../../api/transaction.ts';
import { audit } from '../../audit/audit-log.ts';
import { unsealWebhook } from '../../deliveries/send-deliveries.ts';
import { checkAddress, refuseChatFields, shownAddress } from './target-address.ts';
import { findTarget, targetView } from './target-row.ts';

/** Makes a leaked secret recognisable. */
const SECRET_PREFIX = 'weir_whs_';

const INSERT = `
  insert into alert_targets (id, name, kind, address, language, sealed, allow_private, status, chat_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
const COUNT = 'select count(*)::integer as count from alert_targets';
const SET_SEALED = 'update alert_targets set sealed = $2, updated_at = now() where id = $1';
const DELETE = 'delete from alert_targets where id = $1';
/** A rule whose only target this is would notify all targets once it has none. */
const ONLY_TARGET_OF = `
  select name from alert_rules where target_ids = array[$1::uuid] order by name limit 1`;
const LEAVE_RULES = `
  update alert_rules set target_ids = array_remove(target_ids, $1), updated_at = now() where $1 = any (target_ids)`;

export const NO_TARGET = refuse('not_found', 'There is no such target.');
const NO_CHAT = refuse(
  'missing_required_parameter',
  'A Telegram bot needs "chatId": the id of the chat that it writes into.',
  { param: 'chatId' },
);

async function refuseTaken<Result>(write: Promise<Result>): Promise<Result | Refusal> {
  try {
    return await write;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return refuse('already_exists', 'There is a target with this name.', { param: 'name' });
  }
}

export async function createTarget(call: Call<'createAlertTarget'>): Answer<'createAlertTarget'> {
  const { context, body } = call;
  const { kind, allowPrivate = false } = body;
  const unfit = refuseChatFields(kind, body);
  if (unfit !== undefined) return unfit;
  if (kind === 'telegram' && typeof body.chatId !== 'string') return NO_CHAT;
  const address = await checkAddress(context, { kind, address: body.address, allowPrivate });
  if (typeof address !== 'string') return address;
  // Only our own form has a secret that we choose.
  const ownSecret = kind === 'webhook' ? newToken(SECRET_PREFIX) : null;
  const secret = ownSecret ?? body.signingSecret ?? null;
  const sealed =
    kind === 'mail' ? null : seal(context.secrets, JSON.stringify({ url: address, secret }));
  return refuseTaken(
    inTransaction(context.pool, async (client) => {
      const { rows } = await client.query<{ count: number }>(COUNT);
      if ((rows[0]?.count ?? 0) >= ALERT_TARGETS_MAX) {
        return refuse('limit_reached', `There may be ${String(ALERT_TARGETS_MAX)} targets.`);
      }
      const id = randomUUID();
      await client.query(INSERT, [
        id,
        body.name.trim(),
        kind,
        shownAddress(kind, address),
        body.language ?? 'en',
        sealed,
        allowPrivate,
        body.status ?? 'active',
        body.chatId ?? null,
      ]);
      const made = await findTarget(client, id);
      if (made === undefined) throw new Error('a target that was made is gone');
      const after = targetView(made);
      const change = { kind: 'alert_target', id, before: null, after };
      return { view: { ...after, secret: ownSecret }, audit: await audit(client, call, change) };
    }),
  );
}

export async function updateTarget(call: Call<'updateAlertTarget'>): Answer<'updateAlertTarget'> {
  const { context, body, params } = call;
  const known = await findTarget(context.pool, params.alertTargetId);
  if (known === undefined) return NO_TARGET;
  const { kind } = known;
  const allowPrivate = body.allowPrivate ?? known.allowPrivate;
  const { signingSecret, ...others } = body;
  const unfit = refuseChatFields(kind, body);
  if (unfit !== undefined) return unfit;
  if (kind === 'telegram' && others.chatId === null) return NO_CHAT;
  const address =
    body.address === undefined
      ? undefined
      : await checkAddress(context, { kind, address: body.address, allowPrivate });
  if (address !== undefined && typeof address !== 'string') return address;
  return refuseTaken(
    inTransaction(context.pool, async (client) => {
      const target = await findTarget(client, known.id, { lock: true });
      if (target === undefined) return NO_TARGET;
      const before = targetView(target);
      const stale = call.refuseStale(before);
      if (stale !== undefined) return stale;
      const { sql, values } = setClause(
        given([
          ['name', others.name?.trim()],
          ['language', others.language],
          ['allow_private', others.allowPrivate],
          ['status', others.status],
          ['chat_id', others.chatId],
          ['address', address === undefined ? undefined : shownAddress(kind, address)],
          ['sealed', resealed(context, target.sealed, { url: address, secret: signingSecret })],
        ]),
        2,
      );
      await client.query(`update alert_targets set ${sql} where id = $1`, [target.id, ...values]);
      const changed = await findTarget(client, target.id);
      if (changed === undefined) return NO_TARGET;
      const after = targetView(changed);
      const change = { kind: 'alert_target', id: target.id, before, after };
      return { view: after, audit: await audit(client, call, change) };
    }),
  );
}

/** Undefined where nothing that is sealed changes. What is not sent stays as it is. */
function resealed(
  context: AdminContext,
  sealed: string | null,
  sent: { readonly url: string | undefined; readonly secret: string | undefined },
): string | undefined {
  if (sealed === null || (sent.url === undefined && sent.secret === undefined)) return undefined;
  const known = unsealWebhook(context, sealed);
  const { url = known.url, secret = known.secret } = sent;
  return seal(context.secrets, JSON.stringify({ url, secret }));
}

export function rotateSecret(
  call: Call<'rotateAlertTargetSecret'>,
): Answer<'rotateAlertTargetSecret'> {
  const { context, params } = call;
  return inTransaction(context.pool, async (client) => {
    const target = await findTarget(client, params.alertTargetId, { lock: true });
    if (target === undefined) return NO_TARGET;
    if (target.kind !== 'webhook' || target.sealed === null) {
      return refuse('state_conflict', 'Only a webhook has a secret that Weir chooses.');
    }
    const { url } = unsealWebhook(context, target.sealed);
    const secret = newToken(SECRET_PREFIX);
    await client.query(SET_SEALED, [
      target.id,
      seal(context.secrets, JSON.stringify({ url, secret })),
    ]);
    const changed = await findTarget(client, target.id);
    if (changed === undefined) return NO_TARGET;
    const after = targetView(changed);
    const change = { kind: 'alert_target', id: target.id, before: targetView(target), after };
    return { view: { ...after, secret }, audit: await audit(client, call, change) };
  });
}

export function deleteTarget(call: Call<'deleteAlertTarget'>): Answer<'deleteAlertTarget'> {
  const { context, params } = call;
  return inTransaction(context.pool, async (client) => {
    const target = await findTarget(client, params.alertTargetId, { lock: true });
    if (target === undefined) return NO_TARGET;
    const { rows } = await client.query<{ name: string }>(ONLY_TARGET_OF, [target.id]);
    const [rule] = rows;
    if (rule !== undefined) {
      return refuse(
        'in_use',
        `The rule "${rule.name}" notifies this target only. Add another target first, or delete the rule.`,
      );
    }
    await client.query(LEAVE_RULES, [target.id]);
    await client.query(DELETE, [target.id]);
    const change = { kind: 'alert_target', id: target.id, before: targetView(target), after: null };
    return { view: undefined, audit: await audit(client, call, change) };
  });
}
