import type { SubscriptionView, SubscriptionWindowView } from '@weir/shared/money/subscriptions';
import { ALLOWANCE_WINDOWS } from '@weir/shared/money/plans';
import { decimalFromNanoUsd } from '@weir/shared/money/money';
import type { AllowanceWindow } from '../../ledger/ledger.ts';
import type { Database } from '../api/transaction.ts';
import { openTo } from '../groups/open-to.ts';

interface WindowRow {
  readonly window: AllowanceWindow;
  readonly limitNanoUsd: number;
  readonly usedNanoUsd: number;
  readonly startsAt: string;
  readonly resetsAt: string;
}

export interface SubscriptionRow {
  readonly id: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly planId: string;
  readonly planName: string;
  readonly status: SubscriptionView['status'];
  readonly startedAt: Date;
  readonly endsAt: Date;
  readonly renews: boolean;
  readonly groups: { readonly id: string; readonly name: string }[];
  readonly windows: WindowRow[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/**
 * Groups are those that it pays for and the account may use. Windows as they are now; of a
 * subscription that is over, as they stood at its end.
 */
export const SUBSCRIPTION_COLUMNS = `
  s.id, s.account_id as "accountId",
    (select name from accounts where id = s.account_id) as "accountName",
    s.plan_id as "planId", p.name as "planName", s.status,
    s.started_at as "startedAt", s.ends_at as "endsAt", s.renews, s.created_at as "createdAt", s.updated_at as "updatedAt",
    coalesce((select jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by g.sort_order, g.name)
              from groups g where g.id = any (s.group_ids) and ${openTo('s.account_id')}), '[]') as groups,
    coalesce((
      select jsonb_agg(jsonb_build_object(
        'window', a."window", 'limitNanoUsd', a."limitNanoUsd", 'startsAt', w.starts_at, 'resetsAt', w.resets_at,
        'usedNanoUsd', coalesce((select used_nano_usd from subscription_windows u
           where u.subscription_id = s.id and u.allowance_window = a."window" and u.period_start = w.starts_at), 0)))
      from jsonb_to_recordset(s.allowances) as a("window" text, "limitNanoUsd" bigint)
      cross join lateral (select least(now(), s.ends_at - interval '1 millisecond') as at) m
      cross join lateral (select window_start(a."window", s.started_at, m.at) as starts_at,
                                 window_end(a."window", s.started_at, m.at) as resets_at) w
    ), '[]') as windows`;

export const SUBSCRIPTION_TABLES = 'subscriptions s join plans p on p.id = s.plan_id';

export const SELECT_SUBSCRIPTIONS = `select ${SUBSCRIPTION_COLUMNS} from ${SUBSCRIPTION_TABLES}`;

export async function findSubscription(
  db: Database,
  subscriptionId: string,
  options: { readonly lock: boolean } = { lock: false },
): Promise<SubscriptionRow | undefined> {
  const text = `${SELECT_SUBSCRIPTIONS} where s.id = $1 ${options.lock ? 'for update of s' : ''}`;
  return (await db.query<SubscriptionRow>(text, [subscriptionId])).rows[0];
}

function windowView(row: WindowRow): SubscriptionWindowView {
  return {
    window: row.window,
    limitUsd: decimalFromNanoUsd(row.limitNanoUsd),
    usedUsd: decimalFromNanoUsd(row.usedNanoUsd),
    remainingUsd: decimalFromNanoUsd(Math.max(0, row.limitNanoUsd - row.usedNanoUsd)),
    startsAt: new Date(row.startsAt).toISOString(),
    resetsAt: new Date(row.resetsAt).toISOString(),
  };
}

export function subscriptionView(row: SubscriptionRow): SubscriptionView {
  const order = (window: AllowanceWindow) => ALLOWANCE_WINDOWS.indexOf(window);
  const windows = row.windows.toSorted((one, other) => order(one.window) - order(other.window));
  return {
    id: row.id,
    accountId: row.accountId,
    accountName: row.accountName,
    planId: row.planId,
    planName: row.planName,
    status: row.status,
    startedAt: row.startedAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    renews: row.renews,
    groups: row.groups,
    windows: windows.map(windowView),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
