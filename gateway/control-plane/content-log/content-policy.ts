import {
  CONTENT_SUPPORT_DAYS_MAX,
  type ContentPolicyUpdate,
  type ContentPolicyView,
} from '@weir/shared/watch/content-log';
import { databaseNowMs } from '../../platform/clock/store-clock.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call } from '../api/call.ts';
import type { AdminContext } from '../api/context.ts';
import { inTransaction, lockRow, onlyRow, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';

const DAY_MS = 86_400_000;

const FIND = `
  select content_log_allowed as allowed,
    case when content_support_until > now() then content_support_until end as "supportUntil"
  from accounts where id = $1`;

const CHANGE = `
  update accounts set content_log_allowed = $2, content_support_until = $3, updated_at = now()
  where id = $1`;

/** In an order that all changes of several keys have. */
const LOCK_KEYS = `
  select 1 from keys where account_id = $1 and content_log_member_id is not null
  order by id for update`;

const FORBID = `
  update keys set content_log = false, content_erased_before = now(), updated_at = now()
  where account_id = $1 and content_log_member_id is not null`;

interface PolicyRow {
  readonly allowed: boolean;
  readonly supportUntil: Date | null;
}

async function findPolicy(db: Database, accountId: string): Promise<PolicyRow> {
  return onlyRow((await db.query<PolicyRow>(FIND, [accountId])).rows);
}

function policyView(
  { allowed, supportUntil }: PolicyRow,
  { config }: Pick<AdminContext, 'config'>,
): ContentPolicyView {
  return {
    allowed,
    supportUntil: supportUntil?.toISOString() ?? null,
    daysMax: config.contentLogDaysMax,
    bytesMax: config.contentLogBytesMax,
  };
}

export async function getContentPolicy({
  context,
  caller,
}: Call<'getContentPolicy'>): Promise<ContentPolicyView> {
  return policyView(await findPolicy(context.pool, caller.accountId), context);
}

function refuseTime({ supportUntil }: ContentPolicyUpdate): Refusal | undefined {
  if (supportUntil === undefined || supportUntil === null) return undefined;
  const fromNowMs = Date.parse(supportUntil) - databaseNowMs();
  if (fromNowMs > 0 && fromNowMs <= CONTENT_SUPPORT_DAYS_MAX * DAY_MS) return undefined;
  return refuse(
    'invalid_value',
    `Operators can be let in until a time within the next ${CONTENT_SUPPORT_DAYS_MAX} days.`,
    { param: 'supportUntil' },
  );
}

export function updateContentPolicy(
  call: Call<'updateContentPolicy'>,
): Answer<'updateContentPolicy'> {
  const { context, caller, body } = call;
  const { accountId } = caller;
  return inTransaction(context.pool, async (client) => {
    const refused = refuseTime(body);
    if (refused !== undefined) return refused;
    await lockRow(client, 'accounts', accountId);
    const before = await findPolicy(client, accountId);
    const allowed = body.allowed ?? before.allowed;
    const until = body.supportUntil === undefined ? before.supportUntil : body.supportUntil;
    await client.query(CHANGE, [accountId, allowed, until]);
    if (!allowed) {
      await client.query(LOCK_KEYS, [accountId]);
      await client.query(FORBID, [accountId]);
    }
    const after = policyView(await findPolicy(client, accountId), context);
    const change = { kind: 'account', id: accountId, before: policyView(before, context), after };
    return { view: after, audit: await audit(client, call, change) };
  });
}

/** Returns the refusal of an account whose owner forbids content logs. */
export async function refuseForbidden(
  db: Database,
  accountId: string,
): Promise<Refusal | undefined> {
  const { allowed } = await findPolicy(db, accountId);
  if (allowed) return undefined;
  return refuse(
    'state_conflict',
    'An owner of this account has forbidden content logs. Ask an owner to allow them on the account page.',
  );
}
