import type { PricesBulkChange } from '@weir/shared/api/bulk-changes';
import { decimalFromNanoUsd } from '@weir/shared/money/money';
import { isRefusal, refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { ModelPrices } from '../../pricing/model-prices.ts';
import { amountFromWire } from '../api/amount.ts';
import type { Answer, Call } from '../api/call.ts';
import { isDuplicate, onlyRow, type Database } from '../api/transaction.ts';
import {
  refuseUnlessOne,
  runBulkChange,
  type BulkPlan,
  type NotChanged,
} from '../bulk-changes/run-bulk-change.ts';
import { MODEL_LIST } from '../models/model-list.ts';
import { modelPricesView } from '../models/model-row.ts';
import { readEffectiveFrom } from './effective-from.ts';
import { isInForce } from './same-prices.ts';
import { EXACT, factorOf, factorOfPercent, scalePrices, type Rounding } from './scale-prices.ts';
import {
  findPricesAt,
  insertPrices,
  readPrices,
  type NewPrice,
  type PriceColumns,
  type PriceRow,
} from './write-price.ts';

export const LOCK_MODELS = 'select 1 from models where id = any ($1) order by id for update';
const READ = 'select id, public_id as name from models where id = any ($1) order by public_id';

/** The clock and not the beginning of the transaction, which may have waited for its locks. */
const NOW = `select date_trunc('milliseconds', clock_timestamp()) as at`;

export interface PricedModel {
  readonly id: string;
  readonly name: string;
}

export async function readModels(db: Database, ids: readonly string[]): Promise<PricedModel[]> {
  return (await db.query<PricedModel>(READ, [ids])).rows;
}

export async function lockedNow(db: Database): Promise<Date> {
  return onlyRow((await db.query<{ at: Date }>(NOW)).rows).at;
}

/** Prices with the time from which they hold, as a line quotes them. */
export function datedPrices(price: PriceColumns, effectiveFrom: Date): object {
  return { ...modelPricesView(price), effectiveFrom: effectiveFrom.toISOString() };
}

/** Computes the new price; undefined if there is no price to change. */
type PriceChange = (present: PriceRow | undefined) => ModelPrices | Refusal | undefined;

const FAULTS = {
  free: 'a price would become 0. Choose a smaller step, or leave the model out',
  too_large: 'a price would be larger than Weir can hold exactly (9,007,199 USD)',
} as const;

function setPrices(set: NonNullable<PricesBulkChange['set']>): PriceChange {
  return (present) => {
    const inputUsd = set.inputUsd ?? (present && decimalFromNanoUsd(present.inputNanoUsd));
    const outputUsd = set.outputUsd ?? (present && decimalFromNanoUsd(present.outputNanoUsd));
    if (inputUsd === undefined || outputUsd === undefined) return undefined;
    return readPrices({ ...set, inputUsd, outputUsd }, present);
  };
}

function readRounding(body: PricesBulkChange): Rounding | Refusal {
  if (body.rounding === undefined) return EXACT;
  const { stepUsd, mode } = body.rounding;
  const step = amountFromWire(stepUsd, 'rounding.stepUsd');
  if (typeof step !== 'number') return step;
  if (body.set === undefined && step > 0) return { stepNanoUsd: BigInt(step), mode };
  const message =
    step > 0 ? 'Prices that are set are not rounded.' : 'A step is more than 0, such as 0.01.';
  return refuse('invalid_value', message, { param: 'rounding' });
}

function readChange(body: PricesBulkChange): PriceChange | Refusal {
  const { set, factor, percent } = body;
  const refused = refuseUnlessOne({ set, factor, percent });
  if (refused !== undefined) return refused;
  const rounding = readRounding(body);
  if ('refused' in rounding) return rounding;
  if (set !== undefined) return setPrices(set);
  const times = percent === undefined ? factorOf(factor ?? '') : factorOfPercent(percent);
  if (times.numerator <= 0n) {
    const param = percent === undefined ? 'factor' : 'percent';
    return refuse('invalid_value', 'Prices would become 0 or negative.', { param });
  }
  return (present) => {
    if (present === undefined) return undefined;
    const scaled = scalePrices(present, times, rounding);
    return typeof scaled === 'string' ? refuse('invalid_value', FAULTS[scaled]) : scaled;
  };
}

function newColumns({ prices, longContext, tiers }: ModelPrices): PriceColumns {
  return { ...prices, longContext, tiers: tiers ?? {} };
}

async function planPrices(
  db: Database,
  models: readonly PricedModel[],
  options: { readonly change: PriceChange; readonly effectiveFrom: Date | null },
): Promise<BulkPlan | Refusal> {
  const from = options.effectiveFrom ?? (await lockedNow(db));
  const present = await findPricesAt(
    db,
    models.map(({ id }) => id),
    from,
  );
  const lines: BulkPlan['lines'][number][] = [];
  const notChanged: NotChanged[] = [];
  const prices: NewPrice[] = [];
  for (const { id, name } of models) {
    const before = present.get(id);
    const price = options.change(before);
    if (price === undefined) {
      notChanged.push({ id, name, reason: 'no_price' });
    } else if (isRefusal(price)) {
      return { ...price, message: `${name}: ${price.message} Nothing was changed.` };
    } else if (before !== undefined && isInForce(before, price)) {
      notChanged.push({ id, name, reason: 'unchanged' });
    } else {
      prices.push({ modelId: id, price });
      const was = before === undefined ? null : datedPrices(before, before.effectiveFrom);
      lines.push({ id, name, before: was, after: datedPrices(newColumns(price), from) });
    }
  }
  return { lines, notChanged, write: (client) => insertPrices(client, prices, from) };
}

/** Changes the prices of many models, all or none: half a price list sells at a loss. */
export async function changePricesInBulk(
  call: Call<'changePricesInBulk'>,
): Answer<'changePricesInBulk'> {
  const { body } = call;
  const change = readChange(body);
  if (typeof change !== 'function') return change;
  const effectiveFrom = readEffectiveFrom(body.effectiveFrom);
  if (effectiveFrom !== null && 'refused' in effectiveFrom) return effectiveFrom;
  const { set, factor, percent, rounding } = body;
  try {
    return await runBulkChange(call, {
      kind: 'price',
      body,
      matching: MODEL_LIST,
      lock: LOCK_MODELS,
      read: readModels,
      plan: (db, models) => planPrices(db, models, { change, effectiveFrom }),
      change: { set, factor, percent, rounding, effectiveFrom: body.effectiveFrom },
    });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return refuse(
      'already_exists',
      'One of the models has a price with exactly this start time. Withdraw it first, or choose another time. Nothing was changed.',
      { param: 'effectiveFrom' },
    );
  }
}
