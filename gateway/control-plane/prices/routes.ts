import type { BULK_ROUTES } from '@weir/shared/api/admin-routes/bulk-changes';
import type { CATALOG_ROUTES } from '@weir/shared/api/admin-routes/catalog';
import type { AccountPriceList } from '@weir/shared/prices/account-prices';
import type { PriceList, PriceView, ListPriceList } from '@weir/shared/prices/prices';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { inTransaction, isDuplicate, type Database } from '../api/transaction.ts';
import { accountPriceViews, rowsOfModel } from '../account-prices/account-price-rows.ts';
import { audit } from '../audit/audit-log.ts';
import { findModel, modelPricesView } from '../models/model-row.ts';
import { NO_MODEL } from '../models/routes.ts';
import { changePricesInBulk } from './bulk-change-prices.ts';
import { readEffectiveFrom } from './effective-from.ts';
import { getPricing, listModelNames } from './pricing.ts';
import { undoBulkChange } from './undo-bulk-change.ts';
import {
  findPriceAt,
  insertPrice,
  readPrices,
  SELECT_PRICES,
  type PriceRow,
} from './write-price.ts';
import { longContextOf, pricesOf } from '../../pricing/listed-prices.ts';
import { LISTED_MODELS, type ListedModel } from '../../pricing/price-list.ts';
import { vendorList } from '../../pricing/vendor-list.ts';

function listPrice(listed: ListedModel): ListPriceList['data'][number] {
  const { publicId, displayName, vendor, contextTokensMax, outputTokensMax } = listed;
  const prices = pricesOf(publicId, listed.prices);
  return {
    publicId,
    displayName,
    vendor,
    contextTokensMax,
    outputTokensMax,
    capabilities: [...listed.capabilities],
    prices: modelPricesView({ ...prices, longContext: longContextOf(listed), tiers: {} }),
  };
}

/**
 * The list prices that come with this version; they change with a release only. Models that a first
 * start enters have their prices there, the others those of the public list.
 */
function listListPrices(): Promise<ListPriceList> {
  const { source, data } = vendorList();
  const own = LISTED_MODELS.map(listPrice);
  const known = new Set(own.map(({ publicId }) => publicId));
  const others = data.filter(({ publicId }) => !known.has(publicId));
  return Promise.resolve({ source, data: [...own, ...others] });
}

type Table = Pick<
  typeof CATALOG_ROUTES,
  | 'getPricing'
  | 'listModelNames'
  | 'listListPrices'
  | 'listPrices'
  | 'listModelAccountPrices'
  | 'createPrice'
  | 'deletePrice'
> &
  Pick<typeof BULK_ROUTES, 'changePricesInBulk' | 'undoBulkChange'>;

export const priceHandlers: HandlersOf<Table> = {
  getPricing,
  listModelNames,
  listListPrices,
  listPrices,
  listModelAccountPrices,
  createPrice,
  deletePrice,
  changePricesInBulk,
  undoBulkChange,
};

const LIST = `${SELECT_PRICES} where p.model_id = $1 order by p.effective_from desc`;
const FIND = `${SELECT_PRICES} where p.model_id = $1 and p.effective_from = $2`;
const DELETE_FUTURE = `
  delete from prices where model_id = $1 and effective_from = $2 and effective_from > now()`;

function priceView(row: PriceRow): PriceView {
  return {
    modelId: row.modelId,
    ...modelPricesView(row),
    effectiveFrom: row.effectiveFrom.toISOString(),
    state: row.state,
    createdAt: row.createdAt.toISOString(),
  };
}

async function findPrice(
  db: Database,
  modelId: string,
  effectiveFrom: Date,
): Promise<PriceView | undefined> {
  const { rows } = await db.query<PriceRow>(FIND, [modelId, effectiveFrom]);
  return rows[0] === undefined ? undefined : priceView(rows[0]);
}

async function listPrices(call: Call<'listPrices'>): Promise<PriceList | Refusal> {
  const { context, params } = call;
  if ((await findModel(context.pool, params.modelId)) === undefined) return NO_MODEL;
  const { rows } = await context.pool.query<PriceRow>(LIST, [params.modelId]);
  return { data: rows.map(priceView) };
}

async function listModelAccountPrices({
  context: { pool },
  params: { modelId },
}: Call<'listModelAccountPrices'>): Promise<AccountPriceList | Refusal> {
  if ((await findModel(pool, modelId)) === undefined) return NO_MODEL;
  return { data: await accountPriceViews(pool, await rowsOfModel(pool, modelId)) };
}

async function createPrice(call: Call<'createPrice'>): Answer<'createPrice'> {
  const { body, context, params } = call;
  const effectiveFrom = readEffectiveFrom(body.effectiveFrom);
  if (effectiveFrom !== null && 'refused' in effectiveFrom) return effectiveFrom;
  try {
    return await inTransaction(context.pool, async (client) => {
      const model = await findModel(client, params.modelId, { lock: true });
      if (model === undefined) return NO_MODEL;
      const price = readPrices(body, await findPriceAt(client, model.id, effectiveFrom));
      if ('refused' in price) return price;
      const from = await insertPrice(client, { modelId: model.id, price, effectiveFrom });
      const after = await findPrice(client, model.id, from);
      if (after === undefined) throw new Error('a price that was set is gone');
      const before = model.price === null ? null : modelPricesView(model.price);
      return {
        view: after,
        audit: await audit(client, call, { kind: 'model', id: model.id, before, after }),
      };
    });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return refuse(
      'already_exists',
      'A price with exactly this start time exists. Withdraw it first.',
      {
        param: 'effectiveFrom',
      },
    );
  }
}

function deletePrice(call: Call<'deletePrice'>): Answer<'deletePrice'> {
  const { context, params } = call;
  const at = new Date(params.effectiveFrom);
  return inTransaction(context.pool, async (client) => {
    const before = await findPrice(client, params.modelId, at);
    if (before === undefined) return refuse('not_found', 'There is no price from this time on.');
    const deleted = await client.query(DELETE_FUTURE, [params.modelId, at]);
    if (deleted.rowCount === 0) {
      return refuse(
        'state_conflict',
        'This price is or was in force, and records were billed at it. Set a new one instead.',
      );
    }
    return {
      view: undefined,
      audit: await audit(client, call, { kind: 'model', id: params.modelId, before, after: null }),
    };
  });
}
