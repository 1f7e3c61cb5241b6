import type { ACCOUNT_ROUTES } from '@weir/shared/api/admin-routes/accounts';
import {
  ACCOUNT_PRICES_MAX,
  type AccountPriceList,
  type AccountPriceView,
} from '@weir/shared/prices/account-prices';
import { basisMeter } from '@weir/shared/prices/meters';
import { isRefusal, refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { ModelPrices } from '../../pricing/model-prices.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { inTransaction, isDuplicate, onlyRow, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { readEffectiveFrom } from '../prices/effective-from.ts';
import { findPriceAt, priceColumns, readPrices, type PriceColumns } from '../prices/write-price.ts';
import { accountPriceViews, findRow, findRowAt, listRows } from './account-price-rows.ts';

type Table = Pick<
  typeof ACCOUNT_ROUTES,
  'listAccountPrices' | 'createAccountPrice' | 'endAccountPrice' | 'deleteAccountPrice'
>;

export const accountPriceHandlers: HandlersOf<Table> = {
  listAccountPrices,
  createAccountPrice,
  endAccountPrice,
  deleteAccountPrice,
};

const EXISTS = 'select from accounts where id = $1';
/** Changes of one account's prices wait for each other. The books of a deleted account stay. */
const LOCK = 'select from accounts where id = $1 and deleted_at is null for no key update';
/** A row that refers to the model locks it so. */
const MODEL = 'select from models where id = $1 for key share';
/** Kept to whole milliseconds, so that the time in an address names it exactly. */
const INSERT = `
  insert into account_prices (account_id, model_id, effective_from, prices)
  values ($1, $2, coalesce($3, date_trunc('milliseconds', now())), $4)
  returning effective_from as "effectiveFrom"`;
const DELETE_FUTURE = `
  delete from account_prices
  where account_id = $1 and model_id = $2 and effective_from = $3 and effective_from > now()`;
/** Rows in force and to come, one after the insert included. */
const COUNT = `
  select count(*)::integer as count from account_prices p
  where account_id = $1 and not exists (
    select from account_prices later
    where later.account_id = p.account_id and later.model_id = p.model_id
      and later.effective_from > p.effective_from and later.effective_from <= now())`;

const NO_ACCOUNT = refuse('not_found', 'There is no such account.');
const NO_MODEL = refuse('invalid_value', 'There is no such model.', { param: 'modelId' });
const NO_PRICE = refuse('not_found', 'The account has no price of this model from this time on.');
const TOO_MANY = refuse(
  'state_conflict',
  `An account has at most ${String(ACCOUNT_PRICES_MAX)} prices of its own. Make a group for it instead, with models and a multiplier of its own.`,
);

async function has(db: Database, statement: string, id: string): Promise<boolean> {
  return (await db.query(statement, [id])).rows.length > 0;
}

async function listAccountPrices({
  context: { pool },
  params: { accountId },
}: Call<'listAccountPrices'>): Promise<AccountPriceList | Refusal> {
  if (!(await has(pool, EXISTS, accountId))) return NO_ACCOUNT;
  return { data: await accountPriceViews(pool, await listRows(pool, accountId)) };
}

interface NewPrice {
  readonly accountId: string;
  readonly modelId: string;
  /** Null for now. */
  readonly effectiveFrom: Date | null;
  readonly prices: ModelPrices | null;
}

/** Adds a price, or the end of one, and returns it. */
async function insert(
  db: Database,
  { accountId, modelId, effectiveFrom, prices }: NewPrice,
): Promise<AccountPriceView | Refusal> {
  const values = [accountId, modelId, effectiveFrom, prices && JSON.stringify(prices)];
  const inserted = await db.query<{ effectiveFrom: Date }>(INSERT, values);
  const { count } = onlyRow((await db.query<{ count: number }>(COUNT, [accountId])).rows);
  if (count > ACCOUNT_PRICES_MAX) return TOO_MANY;
  const from = onlyRow(inserted.rows).effectiveFrom;
  const row = await findRow(db, { accountId, modelId }, from);
  if (row === undefined) throw new Error('a price that was set is gone');
  return onlyRow(await accountPriceViews(db, [row]));
}

/** A model that is sold by images for all is not sold by tokens to one account: it counts one. */
function refuseOtherBasis(
  { prices }: ModelPrices,
  listed: PriceColumns | undefined,
): Refusal | undefined {
  if (listed === undefined || basisMeter(prices.extra) === basisMeter(listed.extra)) return;
  return refuse(
    'invalid_value',
    'The model is priced in another unit for all: by tokens, images or seconds. Send a price in the same unit.',
    { param: 'extra' },
  );
}

/** Runs a change of the account's prices; two that begin at the same time are refused. */
async function changing<Result extends object>(
  call: Call<'createAccountPrice' | 'endAccountPrice'>,
  modelId: string,
  work: (client: Database, effectiveFrom: Date | null) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  const effectiveFrom = readEffectiveFrom(call.body.effectiveFrom);
  if (effectiveFrom !== null && isRefusal(effectiveFrom)) return effectiveFrom;
  try {
    return await inTransaction(call.context.pool, async (client) => {
      // The model before the account: docs/decisions/0028-lock-order.md.
      const isModel = await has(client, MODEL, modelId);
      if (!(await has(client, LOCK, call.params.accountId))) return NO_ACCOUNT;
      return isModel ? work(client, effectiveFrom) : NO_MODEL;
    });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return refuse(
      'already_exists',
      'A price of the account with exactly this start time exists. Withdraw it first.',
      { param: 'effectiveFrom' },
    );
  }
}

function createAccountPrice(call: Call<'createAccountPrice'>): Answer<'createAccountPrice'> {
  const { body, params } = call;
  const { accountId } = params;
  const { modelId } = body;
  return changing(call, modelId, async (client, effectiveFrom) => {
    const before = await findRowAt(client, { accountId, modelId }, effectiveFrom);
    const listed = await findPriceAt(client, modelId, effectiveFrom);
    const own = before?.prices ?? null;
    const prices = readPrices(body, own === null ? listed : priceColumns(own));
    if (isRefusal(prices)) return prices;
    const refused = refuseOtherBasis(prices, listed);
    if (refused !== undefined) return refused;
    const view = await insert(client, { accountId, modelId, effectiveFrom, prices });
    if (isRefusal(view)) return view;
    const [former = null] = await accountPriceViews(client, before === undefined ? [] : [before]);
    const change = { kind: 'account', id: accountId, before: former, after: view };
    return { view, audit: await audit(client, call, change) };
  });
}

function endAccountPrice(call: Call<'endAccountPrice'>): Answer<'endAccountPrice'> {
  const { accountId, modelId } = call.params;
  return changing(call, modelId, async (client, effectiveFrom) => {
    const before = await findRowAt(client, { accountId, modelId }, effectiveFrom);
    if (before?.prices == null) {
      return refuse(
        'state_conflict',
        'The account has no price of its own for this model at that time, so none can end.',
      );
    }
    const view = await insert(client, { accountId, modelId, effectiveFrom, prices: null });
    if (isRefusal(view)) return view;
    const [former = null] = await accountPriceViews(client, [before]);
    const change = { kind: 'account', id: accountId, before: former, after: view };
    return { view, audit: await audit(client, call, change) };
  });
}

function deleteAccountPrice(call: Call<'deleteAccountPrice'>): Answer<'deleteAccountPrice'> {
  const { context, params } = call;
  const { accountId, modelId } = params;
  const at = new Date(params.effectiveFrom);
  return inTransaction(context.pool, async (client) => {
    if (!(await has(client, LOCK, accountId))) return NO_ACCOUNT;
    const row = await findRow(client, { accountId, modelId }, at);
    if (row === undefined) return NO_PRICE;
    const [before = null] = await accountPriceViews(client, [row]);
    const deleted = await client.query(DELETE_FUTURE, [accountId, modelId, at]);
    if (deleted.rowCount === 0) {
      return refuse(
        'state_conflict',
        'This price is or was in force, and records were billed at it. Set a new one or end it instead.',
      );
    }
    const change = { kind: 'account', id: accountId, before, after: null };
    return { view: undefined, audit: await audit(client, call, change) };
  });
}
