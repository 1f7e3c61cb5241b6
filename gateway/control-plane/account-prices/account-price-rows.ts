import type { AccountPriceView } from '@weir/shared/prices/account-prices';
import type { ModelPrices } from '../../pricing/model-prices.ts';
import type { Database } from '../api/transaction.ts';
import { modelPricesView } from '../models/model-row.ts';
import { findPricesAt, priceColumns } from '../prices/write-price.ts';

export interface AccountPriceRow {
  readonly accountId: string;
  readonly accountName: string;
  readonly modelId: string;
  readonly publicId: string;
  readonly prices: ModelPrices | null;
  readonly effectiveFrom: Date;
  readonly state: AccountPriceView['state'];
  readonly createdAt: Date;
}

/** An account's list has the rows that began last: those of past contracts are kept for good. */
const ROWS_MAX = 1_000;

const SELECT = `
  select p.account_id as "accountId", a.name as "accountName", p.model_id as "modelId",
    m.public_id as "publicId", p.prices,
    p.effective_from as "effectiveFrom", p.created_at as "createdAt",
    case when p.effective_from > now() then 'future'
         when p.effective_from = (
           select max(q.effective_from) from account_prices q
           where q.account_id = p.account_id and q.model_id = p.model_id and q.effective_from <= now()) then 'in_force'
         else 'past' end as state
  from account_prices p join models m on m.id = p.model_id join accounts a on a.id = p.account_id`;
const OF_ACCOUNT = `${SELECT} where p.account_id = $1`;

const LIST = `
  select * from (${OF_ACCOUNT} order by p.effective_from desc limit ${String(ROWS_MAX)}) latest
  order by "publicId", "effectiveFrom" desc`;
const CURRENT = `
  select * from (${OF_ACCOUNT}) dated where state <> 'past' order by "modelId", "effectiveFrom"`;
const ONE = `${OF_ACCOUNT} and p.model_id = $2 and p.effective_from = $3`;
const AT = `${OF_ACCOUNT} and p.model_id = $2 and p.effective_from <= coalesce($3, now())
  order by p.effective_from desc limit 1`;

const OF_MODEL = `
  select * from (${SELECT} where p.model_id = $1) dated
  where state = 'future' or (state = 'in_force' and prices is not null)
  order by "accountName", "accountId", "effectiveFrom" limit ${String(ROWS_MAX)}`;

/** The prices of accounts for a model, in force and to come, by the accounts' names. */
export async function rowsOfModel(db: Database, modelId: string): Promise<AccountPriceRow[]> {
  return (await db.query<AccountPriceRow>(OF_MODEL, [modelId])).rows;
}

/** The prices of an account by model, the latest first. */
export async function listRows(db: Database, accountId: string): Promise<AccountPriceRow[]> {
  return (await db.query<AccountPriceRow>(LIST, [accountId])).rows;
}

/** The prices in force and to come, by model, the earliest first. */
export async function currentRows(db: Database, accountId: string): Promise<AccountPriceRow[]> {
  return (await db.query<AccountPriceRow>(CURRENT, [accountId])).rows;
}

interface OfModel {
  readonly accountId: string;
  readonly modelId: string;
}

/** The price that begins at exactly this time. */
export async function findRow(
  db: Database,
  { accountId, modelId }: OfModel,
  effectiveFrom: Date,
): Promise<AccountPriceRow | undefined> {
  const values = [accountId, modelId, effectiveFrom];
  return (await db.query<AccountPriceRow>(ONE, values)).rows[0];
}

/** The price in force at a time, now if it is null. Its prices are null where one has ended. */
export async function findRowAt(
  db: Database,
  { accountId, modelId }: OfModel,
  at: Date | null,
): Promise<AccountPriceRow | undefined> {
  return (await db.query<AccountPriceRow>(AT, [accountId, modelId, at])).rows[0];
}

/** Returns rows as the API has them, with what the models cost others now. */
export async function accountPriceViews(
  db: Database,
  rows: readonly AccountPriceRow[],
): Promise<AccountPriceView[]> {
  const listed = await findPricesAt(db, [...new Set(rows.map(({ modelId }) => modelId))], null);
  return rows.map(({ prices, effectiveFrom, createdAt, ...row }) => {
    const listPrices = listed.get(row.modelId);
    return {
      ...row,
      prices: prices && modelPricesView(priceColumns(prices)),
      listPrices: listPrices === undefined ? null : modelPricesView(listPrices),
      effectiveFrom: effectiveFrom.toISOString(),
      createdAt: createdAt.toISOString(),
    };
  });
}
