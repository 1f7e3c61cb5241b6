import type { RedemptionBatchView, RedemptionCodeView } from '@weir/shared/money/redemption-codes';
import { refuse } from '../../platform/errors/refusal.ts';
import { decimalOrNull } from '../api/amount.ts';
import type { Database } from '../api/transaction.ts';

export interface BatchRow {
  readonly id: string;
  readonly name: string;
  readonly kind: RedemptionBatchView['kind'];
  readonly amountNanoUsd: number | null;
  readonly planId: string | null;
  readonly planName: string | null;
  readonly expiresAt: Date | null;
  readonly count: number;
  readonly redeemedCount: number;
  readonly disabledCount: number;
  readonly createdAt: Date;
}

/** The columns of a `BatchRow`, of `BATCH_TABLES`. */
export const BATCH_COLUMNS = `
  b.id, b.name, b.kind, b.amount_nano_usd as "amountNanoUsd", b.plan_id as "planId", p.name as "planName",
    b.expires_at as "expiresAt", b.created_at as "createdAt", c.count, c.redeemed as "redeemedCount",
    c.disabled as "disabledCount"`;

export const BATCH_TABLES = `
  redemption_batches b
  left join plans p on p.id = b.plan_id
  cross join lateral (
    select count(*)::integer as count, count(redeemed_at)::integer as redeemed,
      count(*) filter (where redeemed_at is null and status = 'disabled')::integer as disabled
    from redemption_codes where batch_id = b.id) c`;

export const NO_BATCH = refuse('not_found', 'There is no such batch.');

export async function findBatch(db: Database, batchId: string): Promise<BatchRow | undefined> {
  return (
    await db.query<BatchRow>(`select ${BATCH_COLUMNS} from ${BATCH_TABLES} where b.id = $1`, [
      batchId,
    ])
  ).rows[0];
}

export function batchView(row: BatchRow): RedemptionBatchView {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    amountUsd: decimalOrNull(row.amountNanoUsd),
    planId: row.planId,
    planName: row.planName,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    count: row.count,
    redeemedCount: row.redeemedCount,
    disabledCount: row.disabledCount,
    createdAt: row.createdAt.toISOString(),
  };
}

export interface CodeRow {
  readonly id: string;
  readonly batchId: string;
  readonly hint: string;
  readonly kind: RedemptionCodeView['kind'];
  readonly amountNanoUsd: number | null;
  readonly planId: string | null;
  readonly status: RedemptionCodeView['status'];
  readonly expiresAt: Date | null;
  readonly redeemedAt: Date | null;
  readonly redeemedBy: string | null;
  readonly createdAt: Date;
}

/**
 * The status of a code `c` of a batch `b`: a redeemed one stays redeemed, whatever else happened to
 * it.
 */
export const CODE_STATUS = `
  case when c.redeemed_at is not null then 'redeemed'
       when c.status = 'disabled' then 'disabled'
       when b.expires_at <= now() then 'expired'
       else 'active' end`;

/** The columns of a `CodeRow`, of `CODE_TABLES`. */
export const CODE_COLUMNS = `
  c.id, c.batch_id as "batchId", c.hint, b.kind, b.amount_nano_usd as "amountNanoUsd", b.plan_id as "planId",
    ${CODE_STATUS} as status, b.expires_at as "expiresAt", c.redeemed_at as "redeemedAt", c.redeemed_by as "redeemedBy",
    c.created_at as "createdAt"`;

export const CODE_TABLES = 'redemption_codes c join redemption_batches b on b.id = c.batch_id';

export const SELECT_CODES = `select ${CODE_COLUMNS} from ${CODE_TABLES}`;

export function codeView(row: CodeRow): RedemptionCodeView {
  return {
    id: row.id,
    batchId: row.batchId,
    hint: row.hint,
    kind: row.kind,
    amountUsd: decimalOrNull(row.amountNanoUsd),
    planId: row.planId,
    status: row.status,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    redeemedAt: row.redeemedAt?.toISOString() ?? null,
    redeemedByAccountId: row.redeemedBy,
    createdAt: row.createdAt.toISOString(),
  };
}
