import type { UpstreamPricesView, UpstreamPriceView } from '@weir/shared/prices/upstream-prices';
import { multiplierFromPpm } from '../api/amount.ts';
import type { Database } from '../api/transaction.ts';
import { modelPricesView, SELECT_MODELS, type ModelRow } from '../models/model-row.ts';
import { scaledPrices } from '../prices/pricing.ts';
import type { ModelPrices } from '../../pricing/model-prices.ts';
import { priceColumns } from '../prices/write-price.ts';

// By the clock: a transaction reads what it has written itself, and what others wrote while it
// waited for them.
const FACTOR = `
  select factor_ppm as "factorPpm" from upstream_price_factors
  where channel_id = $1 and effective_from <= clock_timestamp() order by effective_from desc limit 1`;

/** The latest price of each model of the channel; null where it was taken away. */
const OWN = `
  select distinct on (model_id) model_id::text as "modelId", prices, effective_from as "effectiveFrom"
  from upstream_prices where channel_id = $1 and effective_from <= clock_timestamp()
  order by model_id, effective_from desc`;

const MODELS = `${SELECT_MODELS}
  where m.id = any ($2) or m.id in (select model_id from channel_models where channel_id = $1)
  order by m.public_id`;

export interface OwnPrice {
  readonly prices: ModelPrices;
  readonly effectiveFrom: Date;
}

interface OwnRow {
  readonly modelId: string;
  readonly prices: ModelPrices | null;
  readonly effectiveFrom: Date;
}

export async function readFactorPpm(db: Database, channelId: string): Promise<number | null> {
  return (
    (await db.query<{ factorPpm: number | null }>(FACTOR, [channelId])).rows[0]?.factorPpm ?? null
  );
}

/** The prices that were entered for models of a channel and are in force. */
export async function readOwnPrices(
  db: Database,
  channelId: string,
): Promise<ReadonlyMap<string, OwnPrice>> {
  const { rows } = await db.query<OwnRow>(OWN, [channelId]);
  return new Map(
    rows.flatMap(({ modelId, prices, effectiveFrom }) =>
      prices === null ? [] : [[modelId, { prices, effectiveFrom }] as const],
    ),
  );
}

function priceView(
  { id, publicId, price }: ModelRow,
  own: OwnPrice | undefined,
  factorPpm: number | null,
): UpstreamPriceView {
  const listPrices = price === null ? null : modelPricesView(price);
  const model = { modelId: id, publicId, listPrices };
  if (own !== undefined) {
    const prices = modelPricesView(priceColumns(own.prices));
    return { ...model, source: 'own', prices, effectiveFrom: own.effectiveFrom.toISOString() };
  }
  if (price === null || factorPpm === null) {
    return { ...model, source: 'unknown', prices: null, effectiveFrom: null };
  }
  const prices = modelPricesView(scaledPrices(price, factorPpm));
  return { ...model, source: 'factor', prices, effectiveFrom: null };
}

/** Reads the current upstream prices of a channel's models. */
export async function readUpstreamPrices(
  db: Database,
  channelId: string,
): Promise<UpstreamPricesView> {
  const factorPpm = await readFactorPpm(db, channelId);
  const own = await readOwnPrices(db, channelId);
  const { rows } = await db.query<ModelRow>(MODELS, [channelId, [...own.keys()]]);
  return {
    channelId,
    factor: factorPpm === null ? null : multiplierFromPpm(factorPpm),
    models: rows.map((row) => priceView(row, own.get(row.id), factorPpm)),
  };
}
