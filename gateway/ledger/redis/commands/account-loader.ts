import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { queryWithin } from '../../../stores/postgres/connect.ts';
import type { Payer } from '../../ledger.ts';
import { partitionOf } from '../../partition.ts';
import { encodeLoad, type LoadHead } from './encode.ts';
import { encodeAccount } from './encode-payer.ts';

const LOAD_ACCOUNT = readFileSync(new URL('./sql/load-account.sql', import.meta.url), 'utf8');

/** What a call has found missing in the store. */
export interface LoadRequest {
  readonly accountId: string;
  readonly keyIds: readonly string[];
  readonly subscriptions: readonly { readonly id: string; readonly startedAtMs: number }[];
}

/** A load as the script reads it (lua/load.lua). */
export interface EncodedLoad {
  readonly partition: number;
  readonly head: string;
  readonly rows: string;
}

/** Start of the period (epoch milliseconds) and the nanodollars counted in it. */
type Counted = readonly [number, number];

interface LoadRow extends LoadHead {
  readonly keys: readonly {
    readonly id: string;
    readonly periods: Partial<Record<'total' | 'day' | 'month', Counted>> | null;
  }[];
  readonly subscriptions: readonly {
    readonly id: string;
    readonly startedAtMs: number;
    readonly windows: Partial<Record<'5h' | 'day' | 'week' | 'month', Counted>> | null;
  }[];
}

export function loadRequestOf(payer: Payer): LoadRequest {
  return {
    accountId: payer.account.id,
    keyIds: [payer.key.id],
    subscriptions: payer.subscriptions.map(({ id, startedAtMs }) => ({ id, startedAtMs })),
  };
}

const NOTHING: Counted = [0, 0];

function encodeKey({ id, periods }: LoadRow['keys'][number]): string {
  const [, total] = periods?.total ?? NOTHING;
  const [dayStartMs, day] = periods?.day ?? NOTHING;
  const [monthStartMs, month] = periods?.month ?? NOTHING;
  return `;k${id},${total},${dayStartMs},${day},${monthStartMs},${month}`;
}

function encodeSubscription(row: LoadRow['subscriptions'][number]): string {
  const windows = (['5h', 'day', 'week', 'month'] as const).map((window) =>
    (row.windows?.[window] ?? NOTHING).join(','),
  );
  return `;s${row.id},${row.startedAtMs},${windows.join(',')}`;
}

/**
 * Reads an account from Postgres; `undefined` when it does not exist. Rejects when Postgres does
 * not answer in time.
 */
export async function readAccount(
  pool: pg.Pool,
  request: LoadRequest,
  timeoutMs: number,
): Promise<EncodedLoad | undefined> {
  const partition = partitionOf(request.accountId);
  const { rows } = await pool.query<LoadRow>(
    queryWithin(timeoutMs, LOAD_ACCOUNT, [
      request.accountId,
      request.keyIds,
      JSON.stringify(request.subscriptions),
      partition,
    ]),
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    partition,
    head: encodeLoad(row),
    rows:
      encodeAccount(request.accountId).text +
      row.keys.map(encodeKey).join('') +
      row.subscriptions.map(encodeSubscription).join(''),
  };
}
