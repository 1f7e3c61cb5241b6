import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { queryWithin } from '../../../stores/postgres/connect.ts';
import type { Payer, SpendScope } from '../../ledger.ts';
import { scopeField, spendLevelsOf } from '../../spend-scopes.ts';
import { partitionOf } from '../../partition.ts';
import { encodeLoad, type LoadHead } from './encode.ts';
import { encodeAccount } from './encode-payer.ts';

const LOAD_ACCOUNT = readFileSync(new URL('./sql/load-account.sql', import.meta.url), 'utf8');

/** The data that a call found missing in the store. */
export interface LoadRequest {
  readonly accountId: string;
  readonly keyIds: readonly string[];
  readonly subscriptions: readonly { readonly id: string; readonly startedAtMs: number }[];
  /** Scopes that have a budget (spend-scopes.ts). */
  readonly scopes: readonly SpendScope[];
}

/** A load as the script reads it (lua/load.lua). */
export interface EncodedLoad {
  readonly partition: number;
  readonly head: string;
  readonly rows: string;
}

/** Start of the period (epoch milliseconds) and the nanodollars counted in it. */
type Counted = readonly [number, number];

interface SpentRow<Id extends string = string> {
  readonly id: Id;
  readonly periods: Partial<Record<'total' | 'day' | 'month', Counted>> | null;
}

interface LoadRow extends LoadHead {
  /** See account_calendar (functions/account-calendar.sql); null in UTC. */
  readonly calendar: readonly number[] | null;
  /** Position of the partition's usage stream up to which Postgres has it. */
  readonly entered: string | null;
  readonly keys: readonly SpentRow[];
  readonly scopes: readonly SpentRow<SpendScope>[];
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
    scopes: spendLevelsOf(payer)
      .filter(({ budgets }) => budgets.length > 0)
      .map(({ scope }) => scope),
  };
}

const NOTHING: Counted = [0, 0];

function encodeSpent({ periods }: SpentRow): string {
  const [, total] = periods?.total ?? NOTHING;
  const [dayStartMs, day] = periods?.day ?? NOTHING;
  const [monthStartMs, month] = periods?.month ?? NOTHING;
  return `${total},${dayStartMs},${day},${monthStartMs},${month}`;
}

/** The calendar, unless it is UTC, and what the rows of scopes need. */
function encodeContext({ calendar, entered, scopes }: LoadRow): string {
  const zone = calendar === null ? '' : `;z${calendar.join(',')}`;
  return scopes.length === 0 ? zone : `${zone};@${entered ?? '0-0'}`;
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
      request.scopes,
    ]),
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    partition,
    head: encodeLoad(row),
    rows:
      encodeAccount(request.accountId).text +
      encodeContext(row) +
      row.keys.map((key) => `;k${key.id},${encodeSpent(key)}`).join('') +
      row.scopes.map((scope) => `;${scopeField(scope.id)},${encodeSpent(scope)}`).join('') +
      row.subscriptions.map(encodeSubscription).join(''),
  };
}
