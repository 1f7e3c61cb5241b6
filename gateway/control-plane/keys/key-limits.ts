import type { KeyUpdate } from '@weir/shared/people/keys';
import { databaseNowMs } from '../../platform/clock/store-clock.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { isAddressRange } from '../../platform/network/address.ts';
import { limitFromWire } from '../api/amount.ts';
import { given, type ColumnChange } from '../api/lists/column-list.ts';
import type { Database } from '../api/transaction.ts';

type Limits = Omit<KeyUpdate, 'name' | 'status' | 'groupId'>;

/**
 * A model that is being renamed is waited for: its new name would be missing from this key's list.
 */
const LOCK_MODELS = 'select 1 from models where public_id = any ($1) order by id for key share';

const UNKNOWN_MODELS = `
  select wanted from unnest($1::text[]) wanted
  where not exists (
    select from models m join group_models gm on gm.model_id = m.id
    where m.public_id = wanted and gm.group_id = $2)`;

function refuseRanges(ranges: readonly string[] | undefined): Refusal | undefined {
  const wrong = ranges?.find((range) => !isAddressRange(range));
  if (wrong === undefined) return undefined;
  return refuse(
    'invalid_value',
    `"${wrong}" is neither an address nor a range such as 203.0.113.0/24 or 2001:db8::/32.`,
    { param: 'ipAllowlist' },
  );
}

async function refuseModels(
  db: Database,
  models: readonly string[] | undefined,
  groupId: string,
): Promise<Refusal | undefined> {
  if (models === undefined || models.length === 0) return undefined;
  await db.query(LOCK_MODELS, [models]);
  const { rows } = await db.query<{ wanted: string }>(UNKNOWN_MODELS, [models, groupId]);
  const [unknown] = rows;
  if (unknown === undefined) return undefined;
  return refuse('invalid_value', `The key's group has no model "${unknown.wanted}".`, {
    param: 'modelAllowlist',
  });
}

function refuseExpiry(expiresAt: string | null | undefined): Refusal | undefined {
  if (expiresAt == null || Date.parse(expiresAt) > databaseNowMs()) return undefined;
  return refuse('invalid_value', 'The key would have expired already.', { param: 'expiresAt' });
}

/** The columns that a key's limits change, or which limit cannot be. */
export async function readKeyLimits(
  db: Database,
  limits: Limits,
  groupId: string,
): Promise<ColumnChange[] | Refusal> {
  const refused =
    refuseExpiry(limits.expiresAt) ??
    refuseRanges(limits.ipAllowlist) ??
    (await refuseModels(db, limits.modelAllowlist, groupId));
  if (refused !== undefined) return refused;
  const budgets = {
    total: limitFromWire(limits.budgetTotalUsd, 'budgetTotalUsd'),
    day: limitFromWire(limits.budgetDayUsd, 'budgetDayUsd'),
    month: limitFromWire(limits.budgetMonthUsd, 'budgetMonthUsd'),
  };
  for (const budget of Object.values(budgets)) {
    if (typeof budget === 'object' && budget !== null) return budget;
  }
  return given([
    ['expires_at', limits.expiresAt],
    ['budget_total_nano_usd', budgets.total],
    ['budget_day_nano_usd', budgets.day],
    ['budget_month_nano_usd', budgets.month],
    ['rpm', limits.rpm],
    ['tpm', limits.tpm],
    ['concurrency_max', limits.concurrencyMax],
    ['ip_allowlist', limits.ipAllowlist],
    ['model_allowlist', limits.modelAllowlist],
  ]);
}
