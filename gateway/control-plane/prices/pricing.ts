import type { Pricing, PricingModel } from '@weir/shared/prices';
import type { Prices } from '@weir/shared/usage-record';
import { steadyNowMs } from '../../platform/clock/steady-clock.ts';
import { mapMeters } from '../../pricing/meter-prices.ts';
import { multiplierFromPpm } from '../api/amount.ts';
import type { Call } from '../api/call.ts';
import type { AdminContext } from '../api/context.ts';
import { readGroups, type GroupRow } from '../groups/group-row.ts';
import {
  capabilitiesView,
  modelPricesView,
  SELECT_MODELS,
  type ModelRow,
} from '../models/model-row.ts';
import { readClientProtocols } from './client-protocols.ts';
import type { PriceColumns } from './write-price.ts';

const TOKENS_PER_PRICE = 1_000_000;
const PPM = 1_000_000n;

/** The page is public: a flood of readers costs one look at the database a second. */
const CACHE_MS = 1_000;

const FOR_SALE = `${SELECT_MODELS}
  where m.status = 'active'
    and exists (select from prices p where p.model_id = m.id and p.effective_from <= now())
  order by m.sort_order, m.public_id`;

/** A price times the group's multiplier, rounded up to a whole nanodollar like a bill is. */
function multiplied(nanoUsd: number, multiplierPpm: number): number {
  return Number((BigInt(nanoUsd) * BigInt(multiplierPpm) + PPM - 1n) / PPM);
}

function multipliedPrices(prices: Prices, ppm: number): Prices {
  return {
    inputNanoUsd: multiplied(prices.inputNanoUsd, ppm),
    cachedInputNanoUsd: multiplied(prices.cachedInputNanoUsd, ppm),
    cacheWriteNanoUsd: multiplied(prices.cacheWriteNanoUsd, ppm),
    outputNanoUsd: multiplied(prices.outputNanoUsd, ppm),
    perCallNanoUsd: multiplied(prices.perCallNanoUsd, ppm),
    extra: mapMeters(prices.extra ?? {}, (nanoUsd) => multiplied(nanoUsd, ppm)),
  };
}

/** All prices of a model times a factor. */
export function scaledPrices(
  { longContext, tiers, ...prices }: PriceColumns,
  ppm: number,
): PriceColumns {
  return {
    ...multipliedPrices(prices, ppm),
    tiers,
    longContext: longContext && {
      aboveTokens: longContext.aboveTokens,
      prices: multipliedPrices(longContext.prices, ppm),
    },
  };
}

function pricingModel(
  row: ModelRow,
  price: PriceColumns,
  {
    groups,
    protocols,
  }: { readonly groups: readonly GroupRow[]; readonly protocols: PricingModel['protocols'] },
): PricingModel {
  const { nextPrice: next } = row;
  return {
    publicId: row.publicId,
    displayName: row.displayName,
    vendor: row.vendor,
    description: row.description,
    contextTokensMax: row.contextTokensMax,
    outputTokensMax: row.outputTokensMax,
    capabilities: capabilitiesView(row.capabilities),
    protocols,
    prices: modelPricesView(price),
    next: next && {
      effectiveFrom: new Date(next.effectiveFrom).toISOString(),
      prices: modelPricesView(next),
    },
    groups: groups
      .filter(({ id }) => row.groupIds.includes(id))
      .map(({ id, multiplierPpm }) => ({
        groupId: id,
        prices: modelPricesView(scaledPrices(price, multiplierPpm)),
        nextPrices: next && modelPricesView(scaledPrices(next, multiplierPpm)),
      })),
  };
}

async function readPricing(context: AdminContext): Promise<Pricing> {
  const groups = await readGroups(context.pool, { alsoDisabled: false });
  const { rows } = await context.pool.query<ModelRow>(FOR_SALE);
  const protocolsOf = await readClientProtocols(context.pool);
  return {
    currency: 'USD',
    tokensPerPrice: TOKENS_PER_PRICE,
    groups: groups.map((group) => ({
      id: group.id,
      name: group.name,
      description: group.description,
      multiplier: multiplierFromPpm(group.multiplierPpm),
      rpm: group.rpm,
      tpm: group.tpm,
    })),
    // A model in no group cannot be called by anyone, so it is not for sale.
    models: rows
      .flatMap((row) => {
        const protocols = protocolsOf(row.publicId);
        return row.price === null ? [] : [pricingModel(row, row.price, { groups, protocols })];
      })
      .filter(({ groups: offered }) => offered.length > 0),
  };
}

const CACHE = new WeakMap<
  AdminContext,
  { readonly untilMs: number; readonly pricing: Promise<Pricing> }
>();

export async function getPricing({ context, reply }: Call<'getPricing'>): Promise<Pricing> {
  const nowMs = steadyNowMs();
  let cached = CACHE.get(context);
  if (cached === undefined || cached.untilMs < nowMs) {
    cached = { untilMs: nowMs + CACHE_MS, pricing: readPricing(context) };
    CACHE.set(context, cached);
    // A failure is answered to those who wait for it and not remembered.
    cached.pricing.catch(() => CACHE.delete(context));
  }
  void reply.header('cache-control', 'public, max-age=1');
  return cached.pricing;
}
