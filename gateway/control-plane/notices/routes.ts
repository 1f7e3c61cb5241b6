import type { ALERT_ROUTES } from '@weir/shared/api/admin-routes/alerts';
import { NOTICE_DEFAULTS, type NoticeSettings } from '@weir/shared/people/notices';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { decimalOrNull, limitFromWire } from '../api/amount.ts';
import type { Call, HandlersOf } from '../api/call.ts';
import type { Database } from '../api/transaction.ts';

type Table = Pick<typeof ALERT_ROUTES, 'getNoticeSettings' | 'updateNoticeSettings'>;

export const noticeHandlers: HandlersOf<Table> = {
  getNoticeSettings: ({ context, caller }) => readNoticeSettings(context.pool, caller.accountId),
  updateNoticeSettings,
};

const READ = `
  select low_balance_nano_usd as "lowBalanceNanoUsd", budget_percent as "budgetPercent",
    plan_ending_days as "planEndingDays"
  from notice_settings where account_id = $1`;

const WRITE = `
  insert into notice_settings (account_id, low_balance_nano_usd, budget_percent, plan_ending_days)
  values ($1, $2, $3, $4)
  on conflict (account_id) do update
    set low_balance_nano_usd = excluded.low_balance_nano_usd, budget_percent = excluded.budget_percent,
      plan_ending_days = excluded.plan_ending_days, updated_at = now()`;

interface SettingsRow {
  readonly lowBalanceNanoUsd: number | null;
  readonly budgetPercent: number | null;
  readonly planEndingDays: number | null;
}

async function readNoticeSettings(db: Database, accountId: string): Promise<NoticeSettings> {
  const [row] = (await db.query<SettingsRow>(READ, [accountId])).rows;
  if (row === undefined) return NOTICE_DEFAULTS;
  const { lowBalanceNanoUsd, ...others } = row;
  return { ...others, lowBalanceUsd: decimalOrNull(lowBalanceNanoUsd) };
}

async function updateNoticeSettings(
  call: Call<'updateNoticeSettings'>,
): Promise<NoticeSettings | Refusal> {
  const { context, caller, body } = call;
  const { lowBalanceUsd, budgetPercent, planEndingDays } = {
    ...(await readNoticeSettings(context.pool, caller.accountId)),
    ...body,
  };
  const threshold = limitFromWire(lowBalanceUsd, 'lowBalanceUsd') ?? null;
  if (typeof threshold === 'object' && threshold !== null) return threshold;
  if (threshold === 0) {
    return refuse(
      'invalid_value',
      'A balance is never below zero. Leave the amount out for no notice.',
      { param: 'lowBalanceUsd' },
    );
  }
  await context.pool.query(WRITE, [caller.accountId, threshold, budgetPercent, planEndingDays]);
  return readNoticeSettings(context.pool, caller.accountId);
}
