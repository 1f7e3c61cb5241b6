import { decimalFromNanoUsd } from '@weir/shared/money/money';
import type { LongContextCreate } from '@weir/shared/prices/price-fields';
import type { PriceCreate } from '@weir/shared/prices/prices';
import type { Prices } from '@weir/shared/watch/usage-record';
import { isRefusal, refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { LongContext, ModelPrices, TierFactors } from '../../pricing/model-prices.ts';
import { amountFromWire } from '../api/amount.ts';
import { refuseTwoBases } from './refuse-bases.ts';
import { readTiers } from './tiers.ts';
import { onlyRow, type Database } from '../api/transaction.ts';
import {
  longMeterPrices,
  readMeterPrices,
  refuseCheapMeter,
  type MeterPricesSent,
} from './meter-prices.ts';

type TokenPrices = Omit<Prices, 'perCallNanoUsd'>;

interface LongTokenPrices {
  readonly aboveTokens: number;
  readonly prices: TokenPrices;
}

/**
 * A price that need not be sent: what is in force stays when nothing is, and null leaves what holds
 * without one.
 */
function readOptional(
  usd: string | null | undefined,
  field: string,
  otherwise: { readonly inForce: number | undefined; readonly without: number },
): number | Refusal {
  if (usd === undefined) return otherwise.inForce ?? otherwise.without;
  return usd === null ? otherwise.without : amountFromWire(usd, field);
}

/** A cache that costs what input does has no price of its own: it follows the next input price. */
function ownPrice(
  present: TokenPrices | undefined,
  name: 'cachedInputNanoUsd' | 'cacheWriteNanoUsd',
): number | undefined {
  if (present === undefined || present[name] === present.inputNanoUsd) return undefined;
  return present[name];
}

/**
 * A user who lowers an input price to below what cached tokens cost, and does not say what they
 * cost now, has forgotten them.
 */
function refuseDearCache(
  kept: TokenPrices,
  inputNanoUsd: number,
  path: string,
): Refusal | undefined {
  const { cachedInputNanoUsd } = kept;
  if (cachedInputNanoUsd >= kept.inputNanoUsd || cachedInputNanoUsd <= inputNanoUsd) return;
  const cachedInputUsd = decimalFromNanoUsd(cachedInputNanoUsd);
  return refuse(
    'invalid_value',
    `Cached input would cost more than input: what is not sent stays as it is, ${cachedInputUsd}. Send what it costs now, or null for the price of input.`,
    { param: `${path}cachedInputUsd` },
  );
}

/**
 * The token prices of a body, or of the part of it that `path` names; those `present` are in force
 * there.
 */
function readTokenPrices(
  body: Omit<LongContextCreate, 'aboveTokens' | 'extra'> & { readonly extra?: MeterPricesSent },
  path: '' | 'longContext.',
  present: TokenPrices | undefined,
): TokenPrices | Refusal {
  const inputNanoUsd = amountFromWire(body.inputUsd, `${path}inputUsd`);
  const outputNanoUsd = amountFromWire(body.outputUsd, `${path}outputUsd`);
  if (typeof inputNanoUsd !== 'number') return inputNanoUsd;
  if (typeof outputNanoUsd !== 'number') return outputNanoUsd;
  if (present !== undefined && body.cachedInputUsd === undefined) {
    const refused = refuseDearCache(present, inputNanoUsd, path);
    if (refused !== undefined) return refused;
  }
  const cachedInputNanoUsd = readOptional(body.cachedInputUsd, `${path}cachedInputUsd`, {
    inForce: ownPrice(present, 'cachedInputNanoUsd'),
    without: inputNanoUsd,
  });
  const cacheWriteNanoUsd = readOptional(body.cacheWriteUsd, `${path}cacheWriteUsd`, {
    inForce: ownPrice(present, 'cacheWriteNanoUsd'),
    without: inputNanoUsd,
  });
  if (typeof cachedInputNanoUsd !== 'number') return cachedInputNanoUsd;
  if (typeof cacheWriteNanoUsd !== 'number') return cacheWriteNanoUsd;
  const extra = readMeterPrices(body.extra, path, present?.extra);
  if ('refused' in extra) return extra;
  return { inputNanoUsd, cachedInputNanoUsd, cacheWriteNanoUsd, outputNanoUsd, extra };
}

const WIRE_NAMES = [
  ['inputNanoUsd', 'inputUsd'],
  ['cachedInputNanoUsd', 'cachedInputUsd'],
  ['cacheWriteNanoUsd', 'cacheWriteUsd'],
  ['outputNanoUsd', 'outputUsd'],
] as const;

function readLongContext(
  body: LongContextCreate,
  present: LongContext | null,
): LongTokenPrices | Refusal {
  const prices = readTokenPrices(body, 'longContext.', present?.prices);
  return 'refused' in prices ? prices : { aboveTokens: body.aboveTokens, prices };
}

/** Those of long prompts alongside the ordinary ones; a call costs the same. */
function besideOrdinary(
  { aboveTokens, prices }: LongTokenPrices,
  ordinary: Prices,
): LongContext | Refusal {
  for (const [name, wireName] of WIRE_NAMES) {
    if (prices[name] >= ordinary[name]) continue;
    return refuse(
      'invalid_value',
      `A long prompt must not cost less than a shorter one: ${wireName} is ${decimalFromNanoUsd(ordinary[name])} there. The hold before the count of a prompt must cover it, long or not.`,
      { param: `longContext.${wireName}` },
    );
  }
  const { perCallNanoUsd } = ordinary;
  const extra = longMeterPrices(prices.extra ?? {}, ordinary);
  const long = { ...prices, perCallNanoUsd, extra };
  return refuseCheapMeter(long, ordinary) ?? { aboveTokens, prices: long };
}

/**
 * Prices as sent, in nanodollars. What is not sent stays as it is `present`: taken for the input
 * price, cached tokens would cost several times as much without anybody having said so, and long
 * prompts, taken for others, too little.
 */
export function readPrices(
  body: PriceCreate,
  present: PriceColumns | undefined,
): ModelPrices | Refusal {
  const tokenPrices = readTokenPrices(body, '', present);
  if ('refused' in tokenPrices) return tokenPrices;
  const perCallNanoUsd = readOptional(body.perCallUsd, 'perCallUsd', {
    inForce: present?.perCallNanoUsd,
    without: 0,
  });
  if (typeof perCallNanoUsd !== 'number') return perCallNanoUsd;
  const prices = { ...tokenPrices, perCallNanoUsd };
  const twoBases = refuseTwoBases(prices);
  if (twoBases !== undefined) return twoBases;
  const kept = present?.longContext ?? null;
  const sent =
    body.longContext === undefined
      ? kept
      : body.longContext && readLongContext(body.longContext, kept);
  const tiers = body.tiers === undefined ? (present?.tiers ?? {}) : readTiers(body.tiers ?? []);
  if (isRefusal(tiers)) return tiers;
  if (sent === null) return { prices, longContext: null, tiers };
  if ('refused' in sent) return sent;
  const longContext = besideOrdinary(sent, prices);
  return 'refused' in longContext ? longContext : { prices, longContext, tiers };
}

/** The prices of a model as queries give them. */
export interface PriceColumns extends Prices {
  readonly longContext: LongContext | null;
  readonly tiers: TierFactors;
}

/** Returns the prices of a model in the form in which queries give them. */
export function priceColumns({ prices, longContext, tiers }: ModelPrices): PriceColumns {
  return { ...prices, longContext, tiers: tiers ?? {} };
}

export interface PriceRow extends PriceColumns {
  readonly modelId: string;
  readonly effectiveFrom: Date;
  readonly state: 'past' | 'in_force' | 'future';
  readonly createdAt: Date;
}

/** The prices of long prompts of the row `p` of prices, as a LongContext. */
export const LONG_CONTEXT_SQL = `
  case when p.long_context_above_tokens is not null then jsonb_build_object(
    'aboveTokens', p.long_context_above_tokens,
    'prices', jsonb_build_object(
      'inputNanoUsd', p.long_context_input_nano_usd,
      'cachedInputNanoUsd', p.long_context_cached_input_nano_usd,
      'cacheWriteNanoUsd', p.long_context_cache_write_nano_usd,
      'outputNanoUsd', p.long_context_output_nano_usd,
      'perCallNanoUsd', p.per_call_nano_usd,
      'extra', coalesce(p.long_context_extra_prices, '{}'))) end`;

export const SELECT_PRICES = `
  select p.model_id as "modelId", p.effective_from as "effectiveFrom", p.created_at as "createdAt",
    p.input_nano_usd as "inputNanoUsd", p.cached_input_nano_usd as "cachedInputNanoUsd",
    p.cache_write_nano_usd as "cacheWriteNanoUsd", p.output_nano_usd as "outputNanoUsd",
    p.per_call_nano_usd as "perCallNanoUsd", coalesce(p.extra_prices, '{}') as extra,
    ${LONG_CONTEXT_SQL} as "longContext", coalesce(p.tiers, '{}') as tiers,
    case when p.effective_from > now() then 'future'
         when p.effective_from = (select max(q.effective_from) from prices q
                                  where q.model_id = p.model_id and q.effective_from <= now()) then 'in_force'
         else 'past' end as state
  from prices p`;

const AT = `${SELECT_PRICES}
  where p.model_id = $1 and p.effective_from <= coalesce($2, now()) order by p.effective_from desc limit 1`;

/** Returns the price in force at a time, or now if `at` is null. */
export async function findPriceAt(
  db: Database,
  modelId: string,
  at: Date | null,
): Promise<PriceRow | undefined> {
  return (await db.query<PriceRow>(AT, [modelId, at])).rows[0];
}

/** The prices of models at a time, now when $2 is null. */
const AT_OF_MANY = `${SELECT_PRICES}
  where p.model_id = any ($1) and p.effective_from = (
    select max(q.effective_from) from prices q
    where q.model_id = p.model_id and q.effective_from <= coalesce($2, now()))`;

/** The same for many models, by model. */
export async function findPricesAt(
  db: Database,
  modelIds: readonly string[],
  at: Date | null,
): Promise<ReadonlyMap<string, PriceRow>> {
  const { rows } = await db.query<PriceRow>(AT_OF_MANY, [modelIds, at]);
  return new Map(rows.map((row) => [row.modelId, row]));
}

/** Kept to whole milliseconds, so that the time written in an address names it exactly. */
const INSERT = `
  insert into prices (model_id, effective_from, input_nano_usd, cached_input_nano_usd, cache_write_nano_usd,
    output_nano_usd, per_call_nano_usd, long_context_above_tokens, long_context_input_nano_usd,
    long_context_cached_input_nano_usd, long_context_cache_write_nano_usd, long_context_output_nano_usd,
    extra_prices, long_context_extra_prices, tiers)
  select model_id, coalesce($2, date_trunc('milliseconds', now())), input, cached_input, cache_write, output,
    per_call, long_above, long_input, long_cached_input, long_cache_write, long_output,
    nullif(extra, '{}'), nullif(long_extra, '{}'), nullif(tiers, '{}')
  from jsonb_to_recordset($1::jsonb) as p(model_id uuid, input bigint, cached_input bigint, cache_write bigint,
    output bigint, per_call bigint, long_above integer, long_input bigint, long_cached_input bigint,
    long_cache_write bigint, long_output bigint, extra jsonb, long_extra jsonb, tiers jsonb)
  returning effective_from as "effectiveFrom"`;

/** A price of one model. */
export interface NewPrice {
  readonly modelId: string;
  readonly price: ModelPrices;
}

function columnsOf({ modelId, price: { prices, longContext, tiers } }: NewPrice) {
  return {
    model_id: modelId,
    input: prices.inputNanoUsd,
    cached_input: prices.cachedInputNanoUsd,
    cache_write: prices.cacheWriteNanoUsd,
    output: prices.outputNanoUsd,
    per_call: prices.perCallNanoUsd,
    long_above: longContext?.aboveTokens ?? null,
    long_input: longContext?.prices.inputNanoUsd ?? null,
    long_cached_input: longContext?.prices.cachedInputNanoUsd ?? null,
    long_cache_write: longContext?.prices.cacheWriteNanoUsd ?? null,
    long_output: longContext?.prices.outputNanoUsd ?? null,
    extra: prices.extra ?? {},
    long_extra: longContext?.prices.extra ?? {},
    tiers: tiers ?? {},
  };
}

/**
 * Adds prices to the history of models, all from the same time on; now when it is null. Throws a
 * unique violation when a model has a price from that time on.
 */
export async function insertPrices(
  db: Database,
  prices: readonly NewPrice[],
  effectiveFrom: Date | null,
): Promise<Date> {
  const rows = JSON.stringify(prices.map(columnsOf));
  const inserted = await db.query<{ effectiveFrom: Date }>(INSERT, [rows, effectiveFrom]);
  return onlyRow(inserted.rows).effectiveFrom;
}

/** The same for one model. */
export function insertPrice(
  db: Database,
  { effectiveFrom, ...price }: NewPrice & { readonly effectiveFrom: Date | null },
): Promise<Date> {
  return insertPrices(db, [price], effectiveFrom);
}
