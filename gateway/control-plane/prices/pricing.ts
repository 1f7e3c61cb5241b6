import type { ModelNameList } from '@weir/shared/catalog/models';
import { permits } from '@weir/shared/api/permissions';
import type { Pricing, PricingModel } from '@weir/shared/prices/prices';
import type { Prices } from '@weir/shared/watch/usage-record';
import { steadyNowMs } from '../../platform/clock/steady-clock.ts';
import { mapMeters } from '../../pricing/meter-prices.ts';
import { PPM_ONE } from '../../pricing/tier-prices.ts';
import {
  accountTerms,
  listedTerms,
  type ModelTerms,
  type Terms,
} from '../account-prices/account-terms.ts';
import { multiplierFromPpm } from '../api/amount.ts';
import type { Membership } from '../../catalog/memberships.ts';
import type { Call, Identity } from '../api/call.ts';
import type { AdminContext } from '../api/context.ts';
import { readGroups, type GroupRow } from '../groups/group-row.ts';
import { openTo } from '../groups/open-to.ts';
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

/** The page is public: a flood of readers costs one look at the catalog a second. */
const CACHE_MS = 1_000;

const IS_FOR_SALE = `m.status = 'active'
  and exists (select from prices p where p.model_id = m.id and p.effective_from <= now())`;
const LIST_ORDER = 'order by m.sort_order, m.public_id';
const FOR_SALE = `${SELECT_MODELS} where ${IS_FOR_SALE} ${LIST_ORDER}`;

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

/** The data from which the price lists of all callers are made. */
interface PricingSource {
  /** Active ones. */
  readonly groups: readonly GroupRow[];
  readonly models: readonly PricedModel[];
  /** Makes the list of a visitor, who sees public groups alone, when one asks. */
  readonly ofVisitors: () => Pricing;
}

interface PricedModel {
  readonly row: ModelRow;
  readonly terms: ModelTerms;
  readonly protocols: PricingModel['protocols'];
}

/** A group of one price list, at the multiplier of whom the list is for. */
interface ListedGroup {
  readonly row: GroupRow;
  readonly multiplierPpm: number;
}

function pricesIn({ price, isOwn }: Terms, { multiplierPpm }: ListedGroup) {
  return modelPricesView(scaledPrices(price, isOwn ? PPM_ONE : multiplierPpm));
}

function pricingModel(
  { row, terms, protocols }: PricedModel,
  groups: readonly ListedGroup[],
): PricingModel {
  const { next } = terms;
  return {
    publicId: row.publicId,
    displayName: row.displayName,
    vendor: row.vendor,
    description: row.description,
    contextTokensMax: row.contextTokensMax,
    outputTokensMax: row.outputTokensMax,
    capabilities: capabilitiesView(row.capabilities),
    protocols,
    prices: modelPricesView(terms.price),
    ...(terms.isOwn ? { ownPrice: true } : {}),
    next: next && {
      effectiveFrom: new Date(next.effectiveFrom).toISOString(),
      prices: modelPricesView(next.price),
    },
    groups: groups
      .filter((group) => row.groupIds.includes(group.row.id))
      .map((group) => ({
        groupId: group.row.id,
        prices: pricesIn(terms, group),
        nextPrices: next && pricesIn(next, group),
      })),
  };
}

/** The price list of these groups and of the models in them: others cannot be called. */
function pricingOf(models: readonly PricedModel[], groups: readonly ListedGroup[]): Pricing {
  const listed = new Set(groups.map(({ row }) => row.id));
  return {
    currency: 'USD',
    tokensPerPrice: TOKENS_PER_PRICE,
    groups: groups.map(({ row, multiplierPpm }) => ({
      id: row.id,
      name: row.name,
      description: row.description,
      multiplier: multiplierFromPpm(multiplierPpm),
      rpm: row.rpm,
      tpm: row.tpm,
    })),
    models: models
      .filter(({ row }) => row.groupIds.some((id) => listed.has(id)))
      .map((model) => pricingModel(model, groups)),
  };
}

async function readSource({ pool }: AdminContext): Promise<PricingSource> {
  const groups = await readGroups(pool, { accountId: null, all: true });
  const { rows } = await pool.query<ModelRow>(FOR_SALE);
  const protocolsOf = await readClientProtocols(pool);
  const active = groups.filter(({ status }) => status === 'active');
  const models = rows.flatMap((row) => {
    const terms = listedTerms(row);
    return terms === null ? [] : [{ row, terms, protocols: protocolsOf(row.publicId) }];
  });
  const forVisitors = active
    .filter(({ open }) => open)
    .map((row) => ({ row, multiplierPpm: row.multiplierPpm }));
  let made: Pricing | undefined;
  const ofVisitors = () => (made ??= pricingOf(models, forVisitors));
  return { groups: active, models, ofVisitors };
}

/** Nothing in it depends on who asks: that is looked up for each caller. */
const CACHE = new WeakMap<
  AdminContext,
  { readonly untilMs: number; readonly source: Promise<PricingSource> }
>();

function cachedSource(context: AdminContext): Promise<PricingSource> {
  const nowMs = steadyNowMs();
  let cached = CACHE.get(context);
  if (cached === undefined || cached.untilMs < nowMs) {
    cached = { untilMs: nowMs + CACHE_MS, source: readSource(context) };
    CACHE.set(context, cached);
    // A failure is answered to those who wait for it and not remembered.
    cached.source.catch(() => CACHE.delete(context));
  }
  return cached.source;
}

const GIVEN_GROUPS = `
  select group_id::text as "groupId", multiplier_ppm as "multiplierPpm"
  from group_accounts where account_id = $1`;

/** The active groups that a caller sees: those of the account, or all for an administrator. */
async function groupsOf(
  { pool }: AdminContext,
  groups: readonly GroupRow[],
  caller: Identity,
): Promise<ListedGroup[]> {
  const { rows } = await pool.query<Membership>(GIVEN_GROUPS, [caller.accountId]);
  const all = permits(caller, 'operate');
  const given = new Map(rows.map((membership) => [membership.groupId, membership]));
  return groups
    .filter((row) => row.open || given.has(row.id) || all)
    .map((row) => ({
      row,
      multiplierPpm: given.get(row.id)?.multiplierPpm ?? row.multiplierPpm,
    }));
}

/** The models at the prices of a caller's account. */
async function modelsFor(
  { pool }: AdminContext,
  models: readonly PricedModel[],
  { accountId }: Identity,
): Promise<readonly PricedModel[]> {
  const listed = new Map(models.map(({ row, terms }) => [row.id, terms]));
  const own = await accountTerms(pool, accountId, listed);
  if (own.size === 0) return models;
  return models.map((model) => ({ ...model, terms: own.get(model.row.id) ?? model.terms }));
}

/** @see groupsOf for the groups that a caller sees */
const NAMES = `
  select m.public_id as "publicId" from models m
  where ${IS_FOR_SALE} and exists (
    select from group_models gm join groups g on g.id = gm.group_id
    where gm.model_id = m.id and g.status = 'active' and ($2 or ${openTo('$1')}))
  ${LIST_ORDER}`;

/** The public IDs of the same list, for filters: a hundredth of its size and work. */
export async function listModelNames({
  context,
  caller,
}: Call<'listModelNames'>): Promise<ModelNameList> {
  const values = [caller.accountId, permits(caller, 'operate')];
  return { data: (await context.pool.query<{ publicId: string }>(NAMES, values)).rows };
}

/** The first models of a price list. */
function firstOf(pricing: Pricing, limit: number | undefined): Pricing {
  return limit === undefined ? pricing : { ...pricing, models: pricing.models.slice(0, limit) };
}

export async function getPricing(call: Call<'getPricing'>): Promise<Pricing> {
  const { context, caller, query, reply } = call;
  const { groups, models, ofVisitors } = await cachedSource(context);
  void reply.header('vary', 'cookie, authorization');
  if (caller === null) {
    void reply.header('cache-control', 'public, max-age=1');
    return firstOf(ofVisitors(), query.limit);
  }
  void reply.header('cache-control', 'private, no-store');
  const ownModels = await modelsFor(context, models, caller);
  return firstOf(pricingOf(ownModels, await groupsOf(context, groups, caller)), query.limit);
}
