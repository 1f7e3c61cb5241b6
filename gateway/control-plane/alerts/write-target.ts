import { randomUUID } from 'node:crypto';
import { ALERT_TARGETS_MAX, type AlertTargetCreate } from '@weir/shared/alerts';
import { EmailAddress } from '@weir/shared/wire-values';
import { Value } from 'typebox/value';
import { refusePrivateAddress } from '../../data-plane/upstream/address-guard.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { seal } from '../../platform/secrets/secrets.ts';
import type { Answer, Call } from '../api/call.ts';
import { given, setClause } from '../api/column-list.ts';
import type { AdminContext } from '../api/context.ts';
import { newToken } from '../api/opaque-token.ts';
import { inTransaction, isDuplicate } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { unsealWebhook } from '../deliveries/send-deliveries.ts';
import { findTarget, targetView } from './target-row.ts';

/** So that a leaked one is recognised. */
const SECRET_PREFIX = 'weir_whs_';

const INSERT = `
  insert into alert_targets (id, name, kind, address, language, sealed, allow_private, status)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;
const COUNT = 'select count(*)::integer as count from alert_targets';
const SET_SEALED = 'update alert_targets set sealed = $2, updated_at = now() where id = $1';
const DELETE = 'delete from alert_targets where id = $1';
/** A rule that told this target alone would tell everybody once it has none. */
const ONLY_TARGET_OF = `
  select name from alert_rules where target_ids = array[$1::uuid] order by name limit 1`;
const LEAVE_RULES = `
  update alert_rules set target_ids = array_remove(target_ids, $1), updated_at = now() where $1 = any (target_ids)`;

export const NO_TARGET = refuse('not_found', 'There is no such target.');
const param = 'address';

/**
 * What is kept of an address in clear: of a webhook only where it leads, as some carry a secret
 * behind it.
 */
function shownAddress(kind: AlertTargetCreate['kind'], address: string): string {
  return kind === 'mail' ? address : `${new URL(address).origin}/…`;
}

function refuseUrl(address: string): Refusal | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return refuse('invalid_value', 'Write an address that begins with "https://".', { param });
  }
  if (url.username !== '' || url.password !== '') {
    return refuse('invalid_value', 'An address with a password in it is not taken.', { param });
  }
  return undefined;
}

async function refuseAddress(
  { config }: AdminContext,
  { kind, address, allowPrivate }: AlertTargetCreate,
): Promise<Refusal | undefined> {
  if (kind === 'mail') {
    const isAddress: boolean = Value.Check(EmailAddress, address);
    if (isAddress) return undefined;
    return refuse('invalid_value', `"${address}" is not an e-mail address.`, { param });
  }
  const refused = refuseUrl(address);
  if (refused !== undefined) return refused;
  const allowed = allowPrivate === true || config.allowPrivateUpstreams;
  const isPrivate = await refusePrivateAddress(address, allowed);
  if (isPrivate === undefined) return undefined;
  const { hostname } = new URL(address);
  return refuse(
    'address_refused',
    `${hostname} is a loopback, link-local or private address. Use a public address, or allow private addresses for this webhook.`,
    { param },
  );
}

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
  const refused = await refuseAddress(context, body);
  if (refused !== undefined) return refused;
  const secret = body.kind === 'webhook' ? newToken(SECRET_PREFIX) : null;
  const sealed =
    secret === null ? null : seal(context.secrets, JSON.stringify({ url: body.address, secret }));
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
        body.kind,
        shownAddress(body.kind, body.address),
        body.language ?? 'en',
        sealed,
        body.allowPrivate ?? false,
        body.status ?? 'active',
      ]);
      const made = await findTarget(client, id);
      if (made === undefined) throw new Error('a target that was made is gone');
      const after = targetView(made);
      const change = { kind: 'alert_target', id, before: null, after };
      return { view: { ...after, secret }, audit: await audit(client, call, change) };
    }),
  );
}

export async function updateTarget(call: Call<'updateAlertTarget'>): Answer<'updateAlertTarget'> {
  const { context, body, params } = call;
  const known = await findTarget(context.pool, params.alertTargetId);
  if (known === undefined) return NO_TARGET;
  const { kind } = known;
  const allowPrivate = body.allowPrivate ?? known.allowPrivate;
  const { address, ...others } = body;
  const refused =
    address === undefined
      ? undefined
      : await refuseAddress(context, { kind, address, allowPrivate, name: known.name });
  if (refused !== undefined) return refused;
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
          ['address', address === undefined ? undefined : shownAddress(kind, address)],
          ['sealed', address === undefined ? undefined : resealed(context, target.sealed, address)],
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

/** A webhook keeps its secret at another address; what is no webhook has nothing sealed. */
function resealed(context: AdminContext, sealed: string | null, url: string): string | null {
  if (sealed === null) return null;
  const { secret } = unsealWebhook(context, sealed);
  return seal(context.secrets, JSON.stringify({ url, secret }));
}

export function rotateSecret(
  call: Call<'rotateAlertTargetSecret'>,
): Answer<'rotateAlertTargetSecret'> {
  const { context, params } = call;
  return inTransaction(context.pool, async (client) => {
    const target = await findTarget(client, params.alertTargetId, { lock: true });
    if (target === undefined) return NO_TARGET;
    if (target.sealed === null) {
      return refuse('state_conflict', 'A mail address has no secret. Webhooks have one.');
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
