import { decimalFromNanoUsd } from '@weir/shared/money';
import type { LongContextCreate } from '@weir/shared/price-fields';
import type { PriceCreate } from '@weir/shared/prices';
import type { Prices } from '@weir/shared/usage-record';
import { refuse, type Refusal } from '../../errors/refusal.ts';
import type { LongContext, ModelPrices } from '../../pricing/model-prices.ts';
import { amountFromWire } from '../api/amount.ts';
import { onlyRow, type Database } from '../api/transaction.ts';

type TokenPrices = Omit<Prices, 'perCallNanoUsd'>;

interface LongTokenPrices {
  readonly aboveTokens: number;
  readonly prices: TokenPrices;
}

/** The token prices of a body, or of the part of it that `path` names. */
function readTokenPrices(
  body: Omit<LongContextCreate, 'aboveTokens'>,
  path: '' | 'longContext.',
): TokenPrices | Refusal {
  const { inputUsd, outputUsd, cachedInputUsd = inputUsd, cacheWriteUsd = inputUsd } = body;
  const inputNanoUsd = amountFromWire(inputUsd, `${path}inputUsd`);
  const outputNanoUsd = amountFromWire(outputUsd, `${path}outputUsd`);
  const cachedInputNanoUsd = amountFromWire(cachedInputUsd, `${path}cachedInputUsd`);
  const cacheWriteNanoUsd = amountFromWire(cacheWriteUsd, `${path}cacheWriteUsd`);
  if (typeof inputNanoUsd !== 'number') return inputNanoUsd;
  if (typeof outputNanoUsd !== 'number') return outputNanoUsd;
  if (typeof cachedInputNanoUsd !== 'number') return cachedInputNanoUsd;
  if (typeof cacheWriteNanoUsd !== 'number') return cacheWriteNanoUsd;
  return { inputNanoUsd, cachedInputNanoUsd, cacheWriteNanoUsd, outputNanoUsd };
}

const WIRE_NAMES = [
  ['inputNanoUsd', 'inputUsd'],
  ['cachedInputNanoUsd', 'cachedInputUsd'],
  ['cacheWriteNanoUsd', 'cacheWriteUsd'],
  ['outputNanoUsd', 'outputUsd'],
] as const;

function readLongContext(body: LongContextCreate): LongTokenPrices | Refusal {
  const prices = readTokenPrices(body, 'longContext.');
  return 'refused' in prices ? prices : { aboveTokens: body.aboveTokens, prices };
}

/** Those of long prompts beside the ordinary ones; a call costs the same. */
function besideOrdinary(
  { aboveTokens, prices }: LongTokenPrices,
  ordinary: Prices,
): LongContext | Refusal {
  for (const [name, wireName] of WIRE_NAMES) {
    if (prices[name] >= ordinary[name]) continue;
    return refuse(
      'invalid_value',
      `A long prompt must not cost less than a shorter one: ${wireName} is ${decimalFromNanoUsd(ordinary[name])} there. What is held before anybody has counted a prompt must cover it, long or not.`,
      { param: `longContext.${wireName}` },
    );
  }
  const { perCallNanoUsd } = ordinary;
  return { aboveTokens, prices: { ...prices, perCallNanoUsd } };
}

/**
 * Prices as sent, in nanodollars; what is not sent about caches is the input price. Those of long prompts are `kept` when
 * nothing is sent about them.
 */
export function readPrices(
  body: PriceCreate,
  kept: LongTokenPrices | null = null,
): ModelPrices | Refusal {
  const tokenPrices = readTokenPrices(body, '');
  if ('refused' in tokenPrices) return tokenPrices;
  const perCallNanoUsd = amountFromWire(body.perCallUsd ?? '0', 'perCallUsd');
  if (typeof perCallNanoUsd !== 'number') return perCallNanoUsd;
  const prices = { ...tokenPrices, perCallNanoUsd };
  const sent =
    body.longContext === undefined ? kept : body.longContext && readLongContext(body.longContext);
  if (sent === null) return { prices, longContext: null };
  if ('refused' in sent) return sent;
  const longContext = besideOrdinary(sent, prices);
  return 'refused' in longContext ? longContext : { prices, longContext };
}

/** The prices of a model as queries give them. */
export interface PriceColumns extends Prices {
  readonly longContext: LongContext | null;
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
      'perCallNanoUsd', p.per_call_nano_usd)) end`;

export const SELECT_PRICES = `
  select p.model_id as "modelId", p.effective_from as "effectiveFrom", p.created_at as "createdAt",
    p.input_nano_usd as "inputNanoUsd", p.cached_input_nano_usd as "cachedInputNanoUsd",
    p.cache_write_nano_usd as "cacheWriteNanoUsd", p.output_nano_usd as "outputNanoUsd",
    p.per_call_nano_usd as "perCallNanoUsd", ${LONG_CONTEXT_SQL} as "longContext",
    case when p.effective_from > now() then 'future'
         when p.effective_from = (select max(q.effective_from) from prices q
                                  where q.model_id = p.model_id and q.effective_from <= now()) then 'in_force'
         else 'past' end as state
  from prices p`;

/** Kept to whole milliseconds, so that the time written in an address names it exactly. */
const INSERT = `
  insert into prices (model_id, effective_from, input_nano_usd, cached_input_nano_usd, cache_write_nano_usd,
    output_nano_usd, per_call_nano_usd, long_context_above_tokens, long_context_input_nano_usd,
    long_context_cached_input_nano_usd, long_context_cache_write_nano_usd, long_context_output_nano_usd)
  values ($1, coalesce($2, date_trunc('milliseconds', now())), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  returning effective_from as "effectiveFrom"`;

/** Adds a price to the history; now when `effectiveFrom` is null. Throws a unique violation when that time has one. */
export async function insertPrice(
  db: Database,
  options: {
    readonly modelId: string;
    readonly price: ModelPrices;
    readonly effectiveFrom: Date | null;
  },
): Promise<Date> {
  const { prices, longContext } = options.price;
  const { rows } = await db.query<{ effectiveFrom: Date }>(INSERT, [
    options.modelId,
    options.effectiveFrom,
    prices.inputNanoUsd,
    prices.cachedInputNanoUsd,
    prices.cacheWriteNanoUsd,
    prices.outputNanoUsd,
    prices.perCallNanoUsd,
    longContext?.aboveTokens,
    longContext?.prices.inputNanoUsd,
    longContext?.prices.cachedInputNanoUsd,
    longContext?.prices.cacheWriteNanoUsd,
    longContext?.prices.outputNanoUsd,
  ]);
  return onlyRow(rows).effectiveFrom;
}
