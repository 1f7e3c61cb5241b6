import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import type { BulkChangeLine } from '@weir/shared/api/bulk-changes';
import { BULK_OBJECTS_MAX } from '@weir/shared/api/pages';
import { MODEL_PRICE_FIELDS } from '@weir/shared/prices/price-fields';
import { closed, Instant } from '@weir/shared/api/wire-values';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call } from '../api/call.ts';
import type { Database } from '../api/transaction.ts';
import { findBulkChange, findLines } from '../bulk-changes/bulk-lines.ts';
import { runBulkChange, type BulkPlan } from '../bulk-changes/run-bulk-change.ts';
import { MODEL_LIST } from '../models/model-list.ts';
import {
  datedPrices,
  LOCK_MODELS,
  lockedNow,
  readModels,
  type PricedModel,
} from './bulk-change-prices.ts';
import { findPricesAt } from './write-price.ts';

const UNDONE = 'select 1 from bulk_changes where undoes = $1';

/**
 * Sets the prices of $2 again, as they were from another time on. Lines have whole milliseconds;
 * prices that came with the first start have microseconds.
 */
const COPY = `
  insert into prices (model_id, effective_from, input_nano_usd, cached_input_nano_usd, cache_write_nano_usd,
    output_nano_usd, per_call_nano_usd, long_context_above_tokens, long_context_input_nano_usd,
    long_context_cached_input_nano_usd, long_context_cache_write_nano_usd, long_context_output_nano_usd,
    extra_prices, long_context_extra_prices, tiers)
  select model_id, $1, input_nano_usd, cached_input_nano_usd, cache_write_nano_usd, output_nano_usd,
    per_call_nano_usd, long_context_above_tokens, long_context_input_nano_usd,
    long_context_cached_input_nano_usd, long_context_cache_write_nano_usd, long_context_output_nano_usd,
    extra_prices, long_context_extra_prices, tiers
  from prices join unnest($2::uuid[], $3::timestamptz[]) as former(id, at)
    on former.id = model_id and former.at = date_trunc('milliseconds', effective_from)`;

const WITHDRAW = 'delete from prices where model_id = any ($1) and effective_from = $2';

/** Prices of a line. */
const DatedPrices = closed({ ...MODEL_PRICE_FIELDS, effectiveFrom: Instant });

interface PriceLine {
  readonly id: string;
  readonly name: string;
  readonly before: Static<typeof DatedPrices>;
  readonly after: Static<typeof DatedPrices>;
}

const NAMED_MAX = 10;

function named(names: readonly string[]): string {
  const more = names.length > NAMED_MAX ? ` and ${String(names.length - NAMED_MAX)} more` : '';
  return `${names.slice(0, NAMED_MAX).join(', ')}${more}`;
}

/** Lines that have prices to return to; a model without a former price refuses all. */
function readLines(lines: readonly BulkChangeLine[]): PriceLine[] | Refusal {
  const read: PriceLine[] = [];
  const unpriced: string[] = [];
  for (const { id, name, before, after } of lines) {
    if (Value.Check(DatedPrices, before) && Value.Check(DatedPrices, after)) {
      read.push({ id, name, before, after });
    } else unpriced.push(name);
  }
  if (unpriced.length === 0) return read;
  return refuse(
    'state_conflict',
    `Without this change ${named(unpriced)} would have no price to return to. Nothing was changed; set the prices that you want instead.`,
  );
}

interface UndoneLine extends PriceLine {
  /** True for prices that are not in force yet: they are withdrawn. */
  readonly isFuture: boolean;
}

/** Finds the lines whose price is still the one that the change set; any other refuses all. */
async function refuseChanged(
  db: Database,
  models: readonly PricedModel[],
  { lines, now }: { readonly lines: readonly PriceLine[]; readonly now: Date },
): Promise<UndoneLine[] | Refusal> {
  const [first] = lines;
  const from = new Date(first?.after.effectiveFrom ?? now);
  const isFuture = from > now;
  const present = await findPricesAt(
    db,
    models.map(({ id }) => id),
    isFuture ? from : now,
  );
  const changed = lines.filter(({ id, after }) => {
    const price = present.get(id);
    if (price === undefined) return true;
    return !Value.Equal(datedPrices(price, price.effectiveFrom), after);
  });
  if (changed.length === 0) return lines.map((line) => ({ ...line, isFuture }));
  return refuse(
    'state_conflict',
    `The prices of ${named(changed.map(({ name }) => name))} have changed since. Nothing was undone; set the prices that you want instead.`,
  );
}

async function planUndo(
  db: Database,
  models: readonly PricedModel[],
  lines: readonly PriceLine[],
): Promise<BulkPlan | Refusal> {
  const now = await lockedNow(db);
  const undone = await refuseChanged(db, models, { lines, now });
  if ('refused' in undone) return undone;
  const ids = undone.map(({ id }) => id);
  const isFuture = undone[0]?.isFuture === true;
  const effectiveFrom = now.toISOString();
  return {
    lines: undone.map(({ id, name, before, after }) => ({
      id,
      name,
      before: after,
      after: isFuture ? null : { ...before, effectiveFrom },
    })),
    notChanged: [],
    async write(client) {
      const { rowCount } = isFuture
        ? await client.query(WITHDRAW, [ids, undone[0]?.after.effectiveFrom])
        : await client.query(COPY, [now, ids, undone.map(({ before }) => before.effectiveFrom)]);
      if (rowCount !== ids.length) throw new Error('an undo did not find all former prices');
    },
  };
}

/**
 * Undoes one bulk change of prices by another one: prices in force return to what they were, and
 * those that have not begun are withdrawn. Requests that were billed in between keep their prices.
 */
export async function undoBulkChange(call: Call<'undoBulkChange'>): Answer<'undoBulkChange'> {
  const { body, context, params } = call;
  const id = params.bulkChangeId;
  const change = await findBulkChange(context.pool, id);
  if (change === undefined) return refuse('not_found', 'There is no such bulk change.');
  if (change.kind !== 'price') {
    return refuse('state_conflict', 'Only changes of prices can be undone.');
  }
  const stored = await findLines(context.pool, id, { after: 0, limit: BULK_OBJECTS_MAX });
  const lines = readLines(stored);
  if ('refused' in lines) return lines;
  return runBulkChange(call, {
    kind: 'price',
    body: { ...body, ids: lines.map((line) => line.id) },
    matching: MODEL_LIST,
    lock: LOCK_MODELS,
    read: readModels,
    async plan(db, models) {
      if ((await db.query(UNDONE, [id])).rows.length > 0) {
        return refuse('state_conflict', 'This change was undone before.');
      }
      return planUndo(db, models, lines);
    },
    change: {},
    undoes: id,
  });
}
