import type { ModelView } from '@weir/shared/catalog/models';
import { MODEL_CAPABILITIES } from '@weir/shared/catalog/models';
import { decimalFromNanoUsd } from '@weir/shared/money/money';
import type { Prices } from '@weir/shared/watch/usage-record';
import { type Database, lockRow } from '../api/transaction.ts';
import { meterPricesView, tokenMeterPricesView } from '../prices/meter-prices.ts';
import { tiersView } from '../prices/tiers.ts';
import { LONG_CONTEXT_SQL, type PriceColumns } from '../prices/write-price.ts';

type DatedPrice = PriceColumns & { readonly effectiveFrom: string };

export interface ModelRow {
  readonly id: string;
  readonly publicId: string;
  readonly displayName: string;
  readonly vendor: string;
  readonly description: string;
  readonly contextTokensMax: number;
  readonly outputTokensMax: number;
  readonly capabilities: string[];
  readonly status: ModelView['status'];
  readonly sortOrder: number;
  readonly groupIds: string[];
  readonly channelIds: string[];
  readonly price: DatedPrice | null;
  readonly nextPrice: DatedPrice | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const PRICE_SQL = `jsonb_build_object(
       'inputNanoUsd', p.input_nano_usd, 'cachedInputNanoUsd', p.cached_input_nano_usd,
       'cacheWriteNanoUsd', p.cache_write_nano_usd, 'outputNanoUsd', p.output_nano_usd,
       'perCallNanoUsd', p.per_call_nano_usd, 'extra', coalesce(p.extra_prices, '{}'), 'longContext', ${LONG_CONTEXT_SQL},
       'tiers', coalesce(p.tiers, '{}'), 'effectiveFrom', p.effective_from)`;

/** The columns of a `ModelRow`, of models `m`. */
export const MODEL_COLUMNS = `
    m.id, m.public_id as "publicId", m.display_name as "displayName", m.vendor, m.description,
    m.context_tokens_max as "contextTokensMax", m.output_tokens_max as "outputTokensMax", m.capabilities, m.status,
    m.sort_order as "sortOrder", m.created_at as "createdAt", m.updated_at as "updatedAt",
    array(select gm.group_id::text from group_models gm where gm.model_id = m.id order by gm.group_id) as "groupIds",
    array(select cm.channel_id::text from channel_models cm join channels c on c.id = cm.channel_id
          where cm.model_id = m.id and c.status = 'active' order by cm.channel_id) as "channelIds",
    (select ${PRICE_SQL}
     from prices p where p.model_id = m.id and p.effective_from <= now()
     order by p.effective_from desc limit 1) as price,
    (select ${PRICE_SQL}
     from prices p where p.model_id = m.id and p.effective_from > now()
     order by p.effective_from limit 1) as "nextPrice"`;

export const SELECT_MODELS = `select ${MODEL_COLUMNS} from models m`;

export async function findModel(
  db: Database,
  modelId: string,
  options: { readonly lock: boolean } = { lock: false },
): Promise<ModelRow | undefined> {
  if (options.lock) await lockRow(db, 'models', modelId);
  return (await db.query<ModelRow>(`${SELECT_MODELS} where m.id = $1`, [modelId])).rows[0];
}

function tokenPricesView(prices: Prices) {
  return {
    inputUsd: decimalFromNanoUsd(prices.inputNanoUsd),
    cachedInputUsd: decimalFromNanoUsd(prices.cachedInputNanoUsd),
    cacheWriteUsd: decimalFromNanoUsd(prices.cacheWriteNanoUsd),
    outputUsd: decimalFromNanoUsd(prices.outputNanoUsd),
  };
}

/** Returns prices as the API has them: USD per 1,000,000 tokens, and per call. */
export function pricesView(prices: Prices) {
  return {
    ...tokenPricesView(prices),
    perCallUsd: decimalFromNanoUsd(prices.perCallNanoUsd),
    extra: meterPricesView(prices.extra),
  };
}

/** The same for all prices of a model. */
export function modelPricesView(price: PriceColumns) {
  const { longContext } = price;
  return {
    ...pricesView(price),
    tiers: tiersView(price.tiers),
    longContext:
      longContext === null
        ? null
        : {
            aboveTokens: longContext.aboveTokens,
            ...tokenPricesView(longContext.prices),
            extra: tokenMeterPricesView(longContext.prices.extra),
          },
  };
}

/** Capabilities that are known; a word from an older version is left out. */
export function capabilitiesView(capabilities: readonly string[]) {
  return MODEL_CAPABILITIES.filter((known) => capabilities.includes(known));
}

export function modelView(row: ModelRow): ModelView {
  return {
    id: row.id,
    publicId: row.publicId,
    displayName: row.displayName,
    vendor: row.vendor,
    description: row.description,
    contextTokensMax: row.contextTokensMax,
    outputTokensMax: row.outputTokensMax,
    capabilities: capabilitiesView(row.capabilities),
    status: row.status,
    sortOrder: row.sortOrder,
    groupIds: row.groupIds,
    channelIds: row.channelIds,
    price:
      row.price === null
        ? null
        : {
            ...modelPricesView(row.price),
            effectiveFrom: new Date(row.price.effectiveFrom).toISOString(),
          },
    nextPriceFrom:
      row.nextPrice === null ? null : new Date(row.nextPrice.effectiveFrom).toISOString(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
