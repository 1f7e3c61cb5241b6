import { decimalFromNanoUsd } from '@weir/shared/money/money';
import type {
  BalanceApi,
  BalanceCurrency,
  UpstreamBalanceView,
} from '@weir/shared/prices/upstream-balances';
import type { Database } from '../api/transaction.ts';
import type { BalanceAnswer } from './ask-balance.ts';

/** A balance as it is stored; without an answer yet the first three are null. */
export interface BalanceRow {
  readonly balanceNano: number | null;
  readonly currency: BalanceCurrency | null;
  readonly readAt: Date | null;
  readonly askedAt: Date | null;
  readonly error: string | null;
}

export const BALANCE_COLUMNS = `
  b.balance_nano as "balanceNano", b.currency, b.read_at as "readAt", b.asked_at as "askedAt", b.error`;

/** Keeps the last balance while a later attempt fails. */
const STORE = `
  insert into upstream_balances as b (channel_id, balance_nano, currency, read_at, asked_at, error)
  values ($1, $2, $3, case when $2::bigint is not null then now() end, now(), $4)
  on conflict (channel_id) do update set
    balance_nano = coalesce(excluded.balance_nano, b.balance_nano), currency = coalesce(excluded.currency, b.currency),
    read_at = coalesce(excluded.read_at, b.read_at), asked_at = excluded.asked_at, error = excluded.error
  returning ${BALANCE_COLUMNS}`;

/** Stores an answer; undefined when the channel is gone. */
export async function storeBalance(
  db: Database,
  channelId: string,
  answer: BalanceAnswer,
): Promise<BalanceRow | undefined> {
  const values =
    'error' in answer ? [null, null, answer.error] : [answer.nano, answer.currency, null];
  return (await db.query<BalanceRow>(STORE, [channelId, ...values])).rows[0];
}

export function balanceView(
  channelId: string,
  api: BalanceApi,
  { balanceNano, currency, readAt, askedAt, error }: BalanceRow,
): UpstreamBalanceView {
  return {
    channelId,
    api,
    balance: balanceNano === null ? null : decimalFromNanoUsd(balanceNano),
    currency,
    readAt: readAt?.toISOString() ?? null,
    error,
    askedAt: askedAt?.toISOString() ?? null,
  };
}
