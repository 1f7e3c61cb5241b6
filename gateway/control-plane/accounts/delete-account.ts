import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call } from '../api/call.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { readBillingDetails } from '../invoices/billing-details.ts';
import { redactAudit } from './redact-audit.ts';

const ACCOUNT = 'select name, deleted_at as "deletedAt" from accounts where id = $1';
/** The people whose own account it is. Other members keep their login. */
const USERS = 'select id, email, role from users where account_id = $1 order by id for update';
const HOME = 'select id from users where account_id = $1';
/** With the accounts of others that these people are members of. */
const LOCK_ACCOUNTS = `
  select 1 from accounts
  where id = $1 or id in (select account_id from members where ended_at is null and user_id in (${HOME}))
  order by id for update`;
const LEFT_WITHOUT_OWNER = `
  select a.name from members m join accounts a on a.id = m.account_id
  where m.user_id in (${HOME}) and m.account_id <> $1 and m.role = 'owner' and m.ended_at is null
    and a.deleted_at is null and not exists (
      select from members o join users u on u.id = o.user_id
      where o.account_id = m.account_id and o.role = 'owner' and o.ended_at is null
        and u.disabled_at is null and o.user_id not in (${HOME}))
  limit 1`;
/** Their own keys in accounts of others. */
const THEIR_KEYS = `
  account_id <> $1 and member_id in (select id from members where user_id in (${HOME}))`;
/**
 * In one order, and in a statement of its own: a change of a key that is under way is waited for
 * and then seen.
 */
const LOCK_KEYS = `select id, name, prefix, ip_allowlist as "ipAllowlist", account_id = $1 as "isOfAccount" from keys
   where account_id = $1 or (${THEIR_KEYS}) order by id for update`;

/** In their order. Each has the account as its only parameter. */
const ERASE = [
  `delete from key_aliases where key_id in (select id from keys where ${THEIR_KEYS})`,
  `update keys set status = 'disabled', updated_at = now() where ${THEIR_KEYS} and status = 'active'`,
  `update members set ended_at = now(), ownership_offered_at = null, updated_at = now()
   where ended_at is null and (account_id = $1) <> (user_id in (${HOME}))`,
  'delete from access_tokens where account_id = $1',
  'update sessions set account_id = null where account_id = $1',
  'delete from member_invitations where account_id = $1',
  'delete from sign_on_rules where account_id = $1',
  `update member_invitations set email = null, mailed = false, withdrawn_at = coalesce(withdrawn_at, now())
   where email in (select email from users where account_id = $1)`,
  `update teams set name = 'Deleted team ' || id, updated_at = now() where account_id = $1`,
  `delete from key_aliases where key_id in (select id from keys where account_id = $1)`,
  `update keys set status = 'deleted', name = prefix, ip_allowlist = '{}', updated_at = now() where account_id = $1`,
  ...[
    'sessions',
    'sign_on_flows',
    'identities',
    'directory_users',
    'access_tokens',
    'link_tokens',
    'recovery_codes',
    'second_factors',
    'idempotency_keys',
  ].map(
    (table) => `delete from ${table} where user_id in (select id from users where account_id = $1)`,
  ),
  `update directories set last_refusal = null, last_refused_at = null
   where exists (select from users where account_id = $1 and strpos(lower(last_refusal), lower(email)) > 0)`,
  // Orders name the user who made them, so the row stays. No mail reaches the address (RFC 2606).
  `update users set email = 'deleted-' || id || '@deleted.invalid', password_hash = '', email_verified_at = null,
     registered_from = null,
     disabled_at = coalesce(disabled_at, now()), language = null, theme = 'system', last_login_at = null, updated_at = now()
   where account_id = $1`,
  'delete from deliveries where account_id = $1',
  // Alerts name whom they are about, and their messages go with them.
  'delete from alert_states where subject = $1::text',
  `delete from alert_events where subjects @> jsonb_build_array(jsonb_build_object('id', $1::text))`,
  'delete from managed_settings where account_id = $1',
  `delete from device_logins where key_id in (select id from keys where account_id = $1 or (${THEIR_KEYS}))`,
  'delete from group_accounts where account_id = $1',
  'delete from account_prices where account_id = $1',
  'delete from notice_settings where account_id = $1',
  'delete from sent_notices where account_id = $1',
  'delete from billing_details where account_id = $1',
  `update subscriptions set status = 'cancelled', renews = false, updated_at = now()
   where account_id = $1 and status = 'active'`,
  `update accounts set name = 'Deleted account', note = '', status = 'suspended', deleted_at = now(), updated_at = now() where id = $1`,
];

/** Ids of the account's subscriptions and orders, whose audit entries name it. */
const NAMED = `
  select id::text from subscriptions where account_id = $1 union all select id::text from orders where account_id = $1`;

/** People of directories, whose audit entries name them. */
const ENTERED = `
  select id::text, user_name as "userName" from directory_users where user_id in (${HOME})`;

interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly role: string;
}

interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly ipAllowlist: readonly string[];
  /** Otherwise a key of theirs in the account of others. */
  readonly isOfAccount: boolean;
}

function refuseStaff(users: readonly UserRow[]): Refusal | undefined {
  const staff = users.find(({ role }) => role !== 'user');
  if (staff === undefined) return undefined;
  return refuse(
    'state_conflict',
    `${staff.email} is an administrator or supporter. Make them an ordinary user first.`,
  );
}

/** Refuses to erase the only owner of an account, which no one could manage afterwards. */
async function refuseOwners(db: Database, accountId: string): Promise<Refusal | undefined> {
  const [left] = (await db.query<{ name: string }>(LEFT_WITHOUT_OWNER, [accountId])).rows;
  if (left === undefined) return undefined;
  return refuse(
    'state_conflict',
    `A person of this account is the only owner of the account "${left.name}". Delete that account first, or let another member become its owner.`,
  );
}

/**
 * Erases the people of an account: addresses, passwords, factors, sessions, tokens, and names of
 * keys, which are revoked. Its books stay: credits, usage, orders, statements, and the ids they
 * name.
 */
export function deleteAccount(call: Call<'deleteAccount'>): Answer<'deleteAccount'> {
  const { context, params } = call;
  const { accountId } = params;
  return inTransaction(context.pool, async (client) => {
    // Users before the account: docs/decisions/0028-lock-order.md.
    const { rows: users } = await client.query<UserRow>(USERS, [accountId]);
    await client.query(LOCK_ACCOUNTS, [accountId]);
    const [account] = (
      await client.query<{ name: string; deletedAt: Date | null }>(ACCOUNT, [accountId])
    ).rows;
    if (account === undefined) return refuse('not_found', 'There is no such account.');
    if (account.deletedAt !== null) {
      return refuse('state_conflict', 'This account was deleted before. Its books stay.');
    }
    const refused = refuseStaff(users) ?? (await refuseOwners(client, accountId));
    if (refused !== undefined) return refused;
    const { rows: locked } = await client.query<KeyRow>(LOCK_KEYS, [accountId]);
    const keys = locked.filter(({ isOfAccount }) => isOfAccount);
    const { rows: named } = await client.query<{ id: string }>(NAMED, [accountId]);
    const printed = Object.values(await readBillingDetails(client, accountId));
    const { rows: entered } = await client.query<{ id: string; userName: string }>(ENTERED, [
      accountId,
    ]);
    await erase(client, accountId);
    await redactAudit(client, {
      subjectIds: [accountId, ...[...users, ...keys, ...named, ...entered].map(({ id }) => id)],
      words: [
        account.name,
        ...printed.filter((text) => text !== ''),
        ...users.map(({ email }) => email),
        ...entered.map(({ userName }) => userName),
        ...keys.flatMap(({ name, ipAllowlist }) => [name, ...ipAllowlist]),
      ],
      everywhere: users.map(({ email }) => email),
    });
    const change = { kind: 'account', id: accountId, before: null, after: { deleted: true } };
    return { view: undefined, audit: await audit(client, call, change) };
  });
}

async function erase(db: Database, accountId: string): Promise<void> {
  for (const statement of ERASE) await db.query(statement, [accountId]);
}
