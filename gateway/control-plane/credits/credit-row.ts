import type { CreditKind, CreditView } from '@weir/shared/money/credits';
import { decimalFromNanoUsd } from '@weir/shared/money/money';

export interface CreditRow {
  readonly accountId: string;
  readonly accountName: string;
  readonly sequence: number;
  readonly amountNanoUsd: number;
  readonly kind: CreditKind;
  readonly reason: string;
  readonly actor: string;
  readonly createdAt: Date;
  /** Microseconds since 1970, exact: what the list is sorted by. */
  readonly atUs: string;
}

export const SELECT_CREDITS = `
  select account_id as "accountId",
    (select name from accounts where id = credits.account_id) as "accountName",
    sequence, amount_nano_usd as "amountNanoUsd", kind, reason, actor,
    created_at as "createdAt", (extract(epoch from created_at) * 1000000)::bigint::text as "atUs"
  from credits`;

export function creditView(row: CreditRow): CreditView {
  return {
    accountId: row.accountId,
    accountName: row.accountName,
    sequence: row.sequence,
    amountUsd: decimalFromNanoUsd(row.amountNanoUsd),
    kind: row.kind,
    reason: row.reason,
    actor: row.actor,
    createdAt: row.createdAt.toISOString(),
  };
}
