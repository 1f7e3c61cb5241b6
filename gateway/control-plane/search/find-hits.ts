import { wholeKeyIn } from '@weir/shared/people/key-text';
import { permits, type MemberPermission } from '@weir/shared/api/permissions';
import { timeOfRequestId, uuidIn } from '@weir/shared/watch/request-ids';
import { SEARCH_HITS_MAX, type SearchHit, type SearchKind } from '@weir/shared/api/search';
import { keyDigests } from '../../platform/secrets/api-key.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import type { Identity } from '../api/call.ts';
import { likePattern } from '../api/lists/like-pattern.ts';
import { digestOfCode } from '../api/callers/opaque-token.ts';
import type { Database } from '../api/transaction.ts';
import { openTo } from '../groups/open-to.ts';
import { cameAt } from '../requests/came-at.ts';
import { keyOfMember } from '../usage/whose-usage.ts';

/** The text of a search, in all forms in which a column may contain it. */
interface Wanted {
  /** A pattern that finds the text anywhere. */
  readonly pattern: string;
  readonly lowerPattern: string;
  /** The id in the text, null where there is none. */
  readonly id: string | null;
  readonly keyDigests: readonly Buffer[];
  readonly codeDigest: Buffer;
  /** Null for administrators, who find everyone's. */
  readonly accountId: string | null;
  /** The member whose own keys and requests are found; null: those of the whole account. */
  readonly memberId: string | null;
}

interface Finder {
  readonly kind: SearchKind;
  readonly sql: string;
  readonly values: (wanted: Wanted) => readonly unknown[];
  readonly forAdmins?: true;
  /** The permission that a member of the account needs to find these. */
  readonly permission?: MemberPermission;
}

const ACCOUNTS: Finder = {
  kind: 'account',
  forAdmins: true,
  sql: `
    select a.id, a.name as title, '' as find, a.id as "accountId",
      coalesce((select string_agg(u.email, ', ' order by u.email) from members m join users u on u.id = m.user_id
                where m.account_id = a.id and m.ended_at is null and u.email <> a.name), '') as detail
    from accounts a
    where a.id = $3 or a.name ilike $1
      or exists (select from members m join users u on u.id = m.user_id
        where m.account_id = a.id and m.ended_at is null and (u.email like $2 or u.id = $3))
    order by a.id desc`,
  values: ({ pattern, lowerPattern, id }) => [pattern, lowerPattern, id],
};

const KEYS: Finder = {
  kind: 'key',
  permission: 'keys.read',
  sql: `
    select k.id, k.name as title, k.prefix as find, k.account_id as "accountId",
      k.prefix || '… · ' || (select name from accounts a where a.id = k.account_id) as detail
    from keys k
    where k.status <> 'deleted' and ($4::uuid is null or k.account_id = $4)
      and (k.id = $2 or k.name ilike $1 or k.prefix like $1 or k.digest = any ($3)
           or exists (select from key_aliases a where a.key_id = k.id and a.digest = any ($3)))
      and ($5::bigint is null or k.member_id = $5)
    order by k.id desc`,
  values: ({ pattern, id, keyDigests: digests, accountId, memberId }) => [
    pattern,
    id,
    digests,
    accountId,
    memberId,
  ],
};

const MODELS: Finder = {
  kind: 'model',
  sql: `
    select m.id, m.public_id as title, m.public_id as find, null as "accountId",
      case when m.display_name = m.public_id then m.vendor else m.display_name end as detail
    from models m
    where ($3::uuid is null or m.status = 'active' and exists (
        select from group_models gm join groups g on g.id = gm.group_id
        where gm.model_id = m.id and g.status = 'active' and ${openTo('$3::uuid')}))
      and (m.id = $2 or m.public_id ilike $1 or m.display_name ilike $1)
    order by m.sort_order, m.public_id`,
  values: ({ pattern, id, accountId }) => [pattern, id, accountId],
};

const CHANNELS: Finder = {
  kind: 'channel',
  forAdmins: true,
  sql: `
    select c.id, c.name as title, '' as find, c.base_url as detail, null as "accountId" from channels c
    where c.id = $2 or c.name ilike $1 or c.base_url ilike $1
    order by c.name`,
  values: ({ pattern, id }) => [pattern, id],
};

const ORDERS: Finder = {
  kind: 'order',
  permission: 'billing.read',
  sql: `
    select o.id, o.id::text as title, '' as find, o.account_id as "accountId",
      (select name from accounts a where a.id = o.account_id) as detail
    from orders o
    where ($3::uuid is null or o.account_id = $3)
      and (o.id = $2 or (length($1) > 8 and (o.id::text like $1 or o.payment_intent_id like $1
                                             or o.checkout_session_id like $1)))
    order by o.id desc`,
  values: ({ pattern, id, accountId }) => [pattern, id, accountId],
};

const CODES: Finder = {
  kind: 'code',
  forAdmins: true,
  sql: `
    select b.id, b.name as title, '' as find, c.redeemed_by as "accountId",
      coalesce('…' || c.hint, '') as detail
    from redemption_batches b left join redemption_codes c on c.batch_id = b.id and c.digest = $3
    where b.id = $2 or b.name ilike $1 or c.digest = $3
    order by c.digest is null, b.id desc`,
  values: ({ pattern, id, codeDigest }) => [pattern, id, codeDigest],
};

const INVITATIONS: Finder = {
  kind: 'invitation',
  forAdmins: true,
  sql: `
    select i.id, case when i.note = '' then i.id::text else i.note end as title, '' as find,
      i.uses_count || ' / ' || i.uses_max as detail, null as "accountId"
    from invitation_codes i
    where i.id = $2 or i.note ilike $1 or i.digest = $3
    order by i.id desc`,
  values: ({ pattern, id, codeDigest }) => [pattern, id, codeDigest],
};

/** Requests that failed or were refused have no bill: they are in the request log alone. */
const REQUESTS: Finder = {
  kind: 'request',
  sql: `
    select r.request_id as id, r.request_id::text as title, '' as find, r.account_id as "accountId",
      concat_ws(' · ', r.model, r.code, (select name from accounts a where a.id = r.account_id)) as detail
    from requests r
    where ${cameAt('$3')} and r.request_id = $1 and ($2::uuid is null or r.account_id = $2)
      and ($4::bigint is null or ${keyOfMember('r.key_id', '$4')})`,
  // The time in the id is that of its partition.
  values: ({ id, accountId, memberId }) => [
    id,
    accountId,
    id === null ? null : timeOfRequestId(id),
    memberId,
  ],
};

const RECORDS: Finder = {
  kind: 'record',
  sql: `
    select r.request_id as id, r.request_id::text as title, '' as find, r.account_id as "accountId",
      r.model || ' · ' || (select name from accounts a where a.id = r.account_id) as detail
    from usage_records r
    where r.request_id = $1 and ($2::uuid is null or r.account_id = $2)
      and ($3::bigint is null or ${keyOfMember('r.key_id', '$3')})`,
  values: ({ id, accountId, memberId }) => [id, accountId, memberId],
};

const FINDERS: readonly Finder[] = [
  REQUESTS,
  RECORDS,
  ACCOUNTS,
  KEYS,
  ORDERS,
  CODES,
  INVITATIONS,
  CHANNELS,
  MODELS,
];

interface SearchOptions {
  readonly text: string;
  readonly secrets: Secrets;
  readonly caller: Identity;
}

/**
 * Finds what a text belongs to: a few of each kind, in the order in which people look for them.
 * One statement after the other, so that a search takes one connection from the pool.
 */
export async function findHits(db: Database, options: SearchOptions): Promise<SearchHit[]> {
  const { secrets, caller } = options;
  const isOperator = permits(caller, 'operate');
  const text = options.text.trim();
  const pattern = likePattern(text);
  if (pattern === null) return [];
  const id = uuidIn(text) ?? null;
  const wanted: Wanted = {
    pattern,
    lowerPattern: pattern.toLowerCase(),
    id,
    keyDigests: keyDigests(secrets, wholeKeyIn(text) ?? text),
    codeDigest: digestOfCode(text),
    accountId: isOperator ? null : caller.accountId,
    memberId: isOperator || permits(caller, 'usage.all') ? null : caller.memberId,
  };
  const hits: SearchHit[] = [];
  for (const { kind, sql, values, forAdmins, permission } of FINDERS) {
    if (forAdmins === true && !isOperator) continue;
    if (permission !== undefined && !isOperator && !permits(caller, permission)) continue;
    if ((kind === 'request' || kind === 'record') && id === null) continue;
    const { rows } = await db.query<Omit<SearchHit, 'kind'>>(
      `${sql} limit ${String(SEARCH_HITS_MAX)}`,
      [...values(wanted)],
    );
    hits.push(...rows.map((row) => ({ kind, ...row })));
  }
  return hits;
}
