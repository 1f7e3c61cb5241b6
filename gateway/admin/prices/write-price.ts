import type { PriceCreate } from '@weir/shared/prices';
import type { Prices } from '@weir/shared/usage-record';
import type { Refusal } from '../../errors/refusal.ts';
import { amountFromWire } from '../api/amount.ts';
import { onlyRow, type Database } from '../api/transaction.ts';

/** Prices as sent, in nanodollars; what is not sent about caches is the input price. */
export function readPrices(body: PriceCreate): Prices | Refusal {
  const inputNanoUsd = amountFromWire(body.inputUsd, 'inputUsd');
  const outputNanoUsd = amountFromWire(body.outputUsd, 'outputUsd');
  const cachedInputNanoUsd = amountFromWire(body.cachedInputUsd ?? body.inputUsd, 'cachedInputUsd');
  const cacheWriteNanoUsd = amountFromWire(body.cacheWriteUsd ?? body.inputUsd, 'cacheWriteUsd');
  const perCallNanoUsd = amountFromWire(body.perCallUsd ?? '0', 'perCallUsd');
  if (typeof inputNanoUsd !== 'number') return inputNanoUsd;
  if (typeof outputNanoUsd !== 'number') return outputNanoUsd;
  if (typeof cachedInputNanoUsd !== 'number') return cachedInputNanoUsd;
  if (typeof cacheWriteNanoUsd !== 'number') return cacheWriteNanoUsd;
  if (typeof perCallNanoUsd !== 'number') return perCallNanoUsd;
  return { inputNanoUsd, cachedInputNanoUsd, cacheWriteNanoUsd, outputNanoUsd, perCallNanoUsd };
}

export interface PriceRow extends Prices {
  readonly modelId: string;
  readonly effectiveFrom: Date;
  readonly state: 'past' | 'in_force' | 'future';
  readonly createdAt: Date;
}

export const SELECT_PRICES = `
  select p.model_id as "modelId", p.effective_from as "effectiveFrom", p.created_at as "createdAt",
    p.input_nano_usd as "inputNanoUsd", p.cached_input_nano_usd as "cachedInputNanoUsd",
    p.cache_write_nano_usd as "cacheWriteNanoUsd", p.output_nano_usd as "outputNanoUsd",
    p.per_call_nano_usd as "perCallNanoUsd",
    case when p.effective_from > now() then 'future'
         when p.effective_from = (select max(q.effective_from) from prices q
                                  where q.model_id = p.model_id and q.effective_from <= now()) then 'in_force'
         else 'past' end as state
  from prices p`;

/** Kept to whole milliseconds, so that the time written in an address names it exactly. */
const INSERT = `
  insert into prices (model_id, effective_from, input_nano_usd, cached_input_nano_usd, cache_write_nano_usd,
    output_nano_usd, per_call_nano_usd)
  values ($1, coalesce($2, date_trunc('milliseconds', now())), $3, $4, $5, $6, $7)
  returning effective_from as "effectiveFrom"`;

/** Adds a price to the history; now when `effectiveFrom` is null. Throws a unique violation when that time has one. */
export async function insertPrice(
  db: Database,
  options: {
    readonly modelId: string;
    readonly prices: Prices;
    readonly effectiveFrom: Date | null;
  },
): Promise<Date> {
  const { prices } = options;
  const { rows } = await db.query<{ effectiveFrom: Date }>(INSERT, [
    options.modelId,
    options.effectiveFrom,
    prices.inputNanoUsd,
    prices.cachedInputNanoUsd,
    prices.cacheWriteNanoUsd,
    prices.outputNanoUsd,
    prices.perCallNanoUsd,
  ]);
  return onlyRow(rows).effectiveFrom;
}
