import type { KeyView } from '@weir/shared/people/keys';
import { decimalFromNanoUsd } from '@weir/shared/money/money';
import { permits } from '@weir/shared/api/permissions';
import { decimalOrNull } from '../api/amount.ts';
import type { Identity } from '../api/call.ts';
import type { Database } from '../api/transaction.ts';
import { openTo } from '../groups/open-to.ts';
import { openToTeam } from '../teams/team-row.ts';

export interface KeyRow {
  readonly id: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly groupId: string;
  readonly groupName: string;
  readonly groupState: KeyView['groupState'];
  readonly memberId: string | null;
  readonly memberEmail: string | null;
  readonly memberGone: boolean;
  readonly teamId: string | null;
  readonly teamName: string | null;
  readonly createdBy: string | null;
  readonly name: string;
  readonly prefix: string;
  readonly status: KeyView['status'];
  readonly disabledByAdmin: boolean;
  readonly expiresAt: Date | null;
  readonly budgetTotal: number | null;
  readonly budgetDay: number | null;
  readonly budgetMonth: number | null;
  readonly rpm: number | null;
  readonly tpm: number | null;
  readonly concurrencyMax: number | null;
  readonly ipAllowlist: string[];
  readonly modelAllowlist: string[];
  /** Null while the content log is off. */
  readonly contentLogDays: number | null;
  readonly spendTotal: number;
  readonly spendDay: number;
  readonly spendMonth: number;
  readonly lastUsedAt: Date | null;
  readonly formerValueWorksUntil: Date | null;
  readonly login: KeyView['login'];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

function spend(period: 'total' | 'day' | 'month'): string {
  return `coalesce((
    select s.spent_nano_usd from key_spend s
    where s.key_id = k.id and s.period = '${period}'
      and s.period_start = (select period_start('${period}', account_local(k.account_id, now())))
  ), 0)`;
}

/** The columns of a `KeyRow`, of `KEY_TABLES`. */
export const KEY_COLUMNS = `
    k.id, k.account_id as "accountId", (select name from accounts where id = k.account_id) as "accountName", k.group_id as "groupId", g.name as "groupName",
    case when not (${openTo('k.account_id')} and ${openToTeam('t.id')}) then 'closed' when g.status = 'active' then 'open' else 'disabled' end as "groupState", k.name, k.prefix, k.status,
    k.member_id::text as "memberId", u.email as "memberEmail", t.id::text as "teamId", t.name as "teamName",
    coalesce(m.ended_at, u.disabled_at) is not null as "memberGone",
    (select c.email from users c join members by on by.user_id = c.id and by.account_id = k.account_id
     where c.id = k.created_by) as "createdBy",
    k.disabled_by_admin as "disabledByAdmin",
    k.expires_at as "expiresAt", k.budget_total_nano_usd as "budgetTotal", k.budget_day_nano_usd as "budgetDay",
    k.budget_month_nano_usd as "budgetMonth", k.rpm, k.tpm, k.concurrency_max as "concurrencyMax",
    k.ip_allowlist as "ipAllowlist", k.model_allowlist as "modelAllowlist",
    case when k.content_log then k.content_log_days end as "contentLogDays", k.last_used_at as "lastUsedAt",
    k.created_at as "createdAt", k.updated_at as "updatedAt",
    (select max(works_until) from key_aliases a
     where a.key_id = k.id and a.purpose = 'rotation' and a.works_until > now()) as "formerValueWorksUntil",
    (select jsonb_build_object('tool', d.tool, 'device', d.device, 'address', d.address, 'loggedInAt', d.created_at)
     from device_logins d where d.key_id = k.id) as login,
    ${spend('total')} as "spendTotal", ${spend('day')} as "spendDay", ${spend('month')} as "spendMonth"`;

export const KEY_TABLES = `keys k join groups g on g.id = k.group_id
    left join members m on m.id = k.member_id left join users u on u.id = m.user_id
    left join teams t on t.id = coalesce(k.team_id, m.team_id)`;

export const SELECT_KEYS = `select ${KEY_COLUMNS} from ${KEY_TABLES}`;

export interface KeyScope {
  /** Null for operators, who see everyone's. */
  readonly accountId: string | null;
  /** Null for everyone who sees all keys of the account. */
  readonly memberId: string | null;
}

/** All keys of all accounts. */
export const ANY_KEY: KeyScope = { accountId: null, memberId: null };

/** The keys that a member may see: all of the account, or the member's own. */
export function ownKeys(caller: Identity): KeyScope {
  const memberId = permits(caller, 'keys.all') ? null : caller.memberId;
  return { accountId: caller.accountId, memberId };
}

interface WantedKey extends KeyScope {
  readonly keyId: string;
  readonly lock?: boolean;
}

const FIND = `${SELECT_KEYS}
  where k.id = $1 and ($2::uuid is null or k.account_id = $2)
    and ($3::bigint is null or k.member_id = $3) and k.status <> 'deleted'`;

export async function findKey(
  db: Database,
  { keyId, accountId, memberId, lock }: WantedKey,
): Promise<KeyRow | undefined> {
  const text = lock === true ? `${FIND} for update of k` : FIND;
  const { rows } = await db.query<KeyRow>(text, [keyId, accountId, memberId]);
  return rows[0];
}

/** A time in JSON of PostgreSQL has another form. */
function loginOf({ login }: KeyRow): KeyView['login'] {
  return login && { ...login, loggedInAt: new Date(login.loggedInAt).toISOString() };
}

export function keyView(row: KeyRow): KeyView {
  return {
    id: row.id,
    accountId: row.accountId,
    accountName: row.accountName,
    name: row.name,
    prefix: row.prefix,
    groupId: row.groupId,
    groupName: row.groupName,
    groupState: row.groupState,
    owner: row.memberId === null ? 'account' : 'member',
    memberId: row.memberId,
    memberEmail: row.memberEmail,
    memberGone: row.memberGone,
    teamId: row.teamId,
    teamName: row.teamName,
    createdBy: row.createdBy,
    status: row.status,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    budgetTotalUsd: decimalOrNull(row.budgetTotal),
    budgetDayUsd: decimalOrNull(row.budgetDay),
    budgetMonthUsd: decimalOrNull(row.budgetMonth),
    rpm: row.rpm,
    tpm: row.tpm,
    concurrencyMax: row.concurrencyMax,
    ipAllowlist: row.ipAllowlist,
    modelAllowlist: row.modelAllowlist,
    contentLog: row.contentLogDays === null ? null : { days: row.contentLogDays },
    spend: {
      totalUsd: decimalFromNanoUsd(row.spendTotal),
      dayUsd: decimalFromNanoUsd(row.spendDay),
      monthUsd: decimalFromNanoUsd(row.spendMonth),
    },
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    formerValueWorksUntil: row.formerValueWorksUntil?.toISOString() ?? null,
    login: loginOf(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
