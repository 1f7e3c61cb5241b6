import type { AccountsBulkChange, BulkReason } from '@weir/shared/api/bulk-changes';
import { decimalFromNanoUsd } from '@weir/shared/money/money';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { amountFromWire, multiplierFromPpm, ppmFromMultiplier } from '../api/amount.ts';
import type { Answer, Call } from '../api/call.ts';
import type { Database } from '../api/transaction.ts';
import {
  dividePlan,
  linesOf,
  refuseUnlessOne,
  runBulkChange,
  type BulkPlan,
} from '../bulk-changes/run-bulk-change.ts';
import { ACCOUNT_LIST } from './account-list.ts';

const LOCK = 'select 1 from accounts where id = any ($1) order by id for no key update';

const READ = `
  select id, name, status, concurrency_max as "concurrencyMax", deleted_at as "deletedAt",
    balance_nano_usd as "balanceNanoUsd"
  from accounts where id = any ($1) order by id`;

const GROUP = 'select name from groups where id = $1';
const IN_GROUP = `
  select account_id as id, multiplier_ppm as "multiplierPpm" from group_accounts
  where group_id = $2 and account_id = any ($1)`;
const GIVE = `
  insert into group_accounts as known (group_id, account_id, multiplier_ppm, joined_by)
  select $2, wanted, $4, 'operator' from unnest($1::uuid[]) wanted
  on conflict (account_id, group_id) do update
    set multiplier_ppm = case when $3 then excluded.multiplier_ppm else known.multiplier_ppm end`;
const TAKE = 'delete from group_accounts where group_id = $2 and account_id = any ($1)';

const SET_STATUS = 'update accounts set status = $2, updated_at = now() where id = any ($1)';
const SET_CONCURRENCY =
  'update accounts set concurrency_max = $2, updated_at = now() where id = any ($1)';

/** The ledger gets them from the change feed, within a second. */
const ADD_CREDITS = `
  select add_credit('credit:' || $2 || ':' || wanted, wanted, $3, 'adjustment', $4, $5)
  from (select wanted from unnest($1::uuid[]) wanted order by wanted) sorted`;

interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'suspended';
  readonly concurrencyMax: number | null;
  readonly deletedAt: Date | null;
  readonly balanceNanoUsd: number;
}

type BulkCall = Call<'changeAccountsInBulk'>;

const idsOf = (rows: readonly AccountRow[]): string[] => rows.map(({ id }) => id);

/** Accounts that are not deleted, and for which `reasonOf` finds nothing. */
function divide(
  rows: readonly AccountRow[],
  reasonOf: (row: AccountRow) => BulkReason | undefined,
): { readonly changing: AccountRow[]; readonly notChanged: BulkPlan['notChanged'] } {
  return dividePlan(rows, (row) => (row.deletedAt === null ? reasonOf(row) : 'account_deleted'));
}

function planStatus(
  rows: readonly AccountRow[],
  status: AccountRow['status'],
  ownAccountId: string,
): BulkPlan {
  const { changing, notChanged } = divide(rows, (row) => {
    if (row.status === status) return 'unchanged';
    return status === 'suspended' && row.id === ownAccountId ? 'own_account' : undefined;
  });
  return {
    lines: linesOf(changing, (row) => ({ before: { status: row.status }, after: { status } })),
    notChanged,
    write: (db) => db.query(SET_STATUS, [idsOf(changing), status]),
  };
}

function planConcurrency(rows: readonly AccountRow[], concurrencyMax: number | null): BulkPlan {
  const { changing, notChanged } = divide(rows, (row) =>
    row.concurrencyMax === concurrencyMax ? 'unchanged' : undefined,
  );
  return {
    lines: linesOf(changing, (row) => ({
      before: { concurrencyMax: row.concurrencyMax },
      after: { concurrencyMax },
    })),
    notChanged,
    write: (db) => db.query(SET_CONCURRENCY, [idsOf(changing), concurrencyMax]),
  };
}

async function planGroup(
  db: Database,
  rows: readonly AccountRow[],
  { groupId, multiplier, take }: NonNullable<AccountsBulkChange['group']>,
): Promise<BulkPlan | Refusal> {
  const [group] = (await db.query<{ name: string }>(GROUP, [groupId])).rows;
  if (group === undefined) {
    return refuse('invalid_value', 'There is no such group.', { param: 'group.groupId' });
  }
  const found = await db.query<{ id: string; multiplierPpm: number | null }>(IN_GROUP, [
    idsOf(rows),
    groupId,
  ]);
  const has = new Map(found.rows.map(({ id, multiplierPpm }) => [id, multiplierPpm]));
  const wantedPpm = multiplier == null ? null : ppmFromMultiplier(multiplier);
  const isSame = (id: string): boolean =>
    take === true
      ? !has.has(id)
      : has.has(id) && (multiplier === undefined || has.get(id) === wantedPpm);
  const { changing, notChanged } = divide(rows, ({ id }) => (isSame(id) ? 'unchanged' : undefined));
  const priceOf = (ppm: number | null | undefined): string | null =>
    ppm == null ? null : multiplierFromPpm(ppm);
  const own = (id: string): object =>
    has.has(id) ? { group: group.name, multiplier: priceOf(has.get(id)) } : { group: null };
  return {
    lines: linesOf(changing, ({ id }) => ({
      before: own(id),
      after:
        take === true
          ? { group: null }
          : {
              group: group.name,
              multiplier: priceOf(multiplier === undefined ? has.get(id) : wantedPpm),
            },
    })),
    notChanged,
    write: (client) =>
      take === true
        ? client.query(TAKE, [idsOf(changing), groupId])
        : client.query(GIVE, [idsOf(changing), groupId, multiplier !== undefined, wantedPpm]),
  };
}

function planCredit(
  rows: readonly AccountRow[],
  credit: { readonly amountNanoUsd: number; readonly reason: string },
  { operationId, caller }: BulkCall,
): BulkPlan {
  const { changing, notChanged } = divide(rows, () => undefined);
  const { amountNanoUsd, reason } = credit;
  return {
    lines: linesOf(changing, ({ balanceNanoUsd }) => ({
      before: { bookBalanceUsd: decimalFromNanoUsd(balanceNanoUsd) },
      after: { bookBalanceUsd: decimalFromNanoUsd(balanceNanoUsd + amountNanoUsd) },
    })),
    notChanged,
    write: (db) =>
      db.query(ADD_CREDITS, [idsOf(changing), operationId, amountNanoUsd, reason, caller.userId]),
  };
}

/** The amount of a credit; null without one. */
function readAmount(credit: AccountsBulkChange['credit']): number | Refusal | null {
  if (credit === undefined) return null;
  const param = 'credit.amountUsd';
  const amount = amountFromWire(credit.amountUsd, param);
  if (amount !== 0) return amount;
  return refuse('invalid_value', 'An amount of 0 changes nothing.', { param });
}

export async function changeAccountsInBulk(call: BulkCall): Answer<'changeAccountsInBulk'> {
  const { body, caller } = call;
  const { status, concurrencyMax, group, credit } = body;
  const amountNanoUsd = readAmount(credit);
  const refused = refuseUnlessOne({ status, concurrencyMax, group, credit });
  if (refused !== undefined) return refused;
  if (typeof amountNanoUsd === 'object' && amountNanoUsd !== null) return amountNanoUsd;
  return runBulkChange(call, {
    kind: 'account',
    body,
    matching: ACCOUNT_LIST,
    lock: LOCK,
    read: async (db, ids) => (await db.query<AccountRow>(READ, [ids])).rows,
    plan: (db, rows) => {
      if (status !== undefined) return planStatus(rows, status, caller.accountId);
      if (group !== undefined) return planGroup(db, rows, group);
      if (credit === undefined || amountNanoUsd === null) {
        return planConcurrency(rows, concurrencyMax ?? null);
      }
      return planCredit(rows, { amountNanoUsd, reason: credit.reason }, call);
    },
    change: { status, concurrencyMax, group, credit },
  });
}
