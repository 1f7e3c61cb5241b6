import { isDeepStrictEqual } from 'node:util';
import type { UPSTREAM_ROUTES } from '@weir/shared/api/admin-routes/upstreams';
import type { UpstreamPricesUpdate, UpstreamPricesView } from '@weir/shared/prices/upstream-prices';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { ppmFromMultiplier } from '../api/amount.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { NOTHING_CHANGED } from '../audit/audit-receipt.ts';
import { findChannel } from '../channels/channel-row.ts';
import { priceColumns, readPrices } from '../prices/write-price.ts';
import {
  readFactorPpm,
  readOwnPrices,
  readUpstreamPrices,
  type OwnPrice,
} from './read-upstream-prices.ts';

type Table = Pick<typeof UPSTREAM_ROUTES, 'getUpstreamPrices' | 'updateUpstreamPrices'>;
type Sent = NonNullable<UpstreamPricesUpdate['models']>;

/** Marks entries of the audit log that reveal what upstreams cost: supporters do not see them. */
export const UPSTREAM_PRICES_SUBJECT = 'upstream_prices';

export const upstreamPriceHandlers: HandlersOf<Table> = {
  getUpstreamPrices: async ({ context, params }) => {
    const channel = await findChannel(context.pool, params.channelId);
    return channel === undefined ? NO_CHANNEL : readUpstreamPrices(context.pool, channel.id);
  },
  updateUpstreamPrices,
};

const NO_CHANNEL = refuse('not_found', 'There is no such channel.');

// The time of the clock, not that of the transaction: one that waited for another comes after it.
const INSERT_FACTOR = `
  insert into upstream_price_factors (channel_id, effective_from, factor_ppm) values ($1, clock_timestamp(), $2)`;
const INSERT_PRICES = `
  insert into upstream_prices (channel_id, model_id, effective_from, prices)
  select $1, p."modelId", clock_timestamp(), nullif(p.prices, 'null')
  from jsonb_to_recordset($2::jsonb) as p("modelId" uuid, prices jsonb)`;
const MODEL_IDS = `
  select id::text, public_id as "publicId" from models where public_id = any ($1)`;

interface NewPrice {
  readonly modelId: string;
  readonly prices: OwnPrice['prices'] | null;
}

function refuseTwice(sent: Sent): Refusal | undefined {
  const seen = new Set<string>();
  const twice = sent.findIndex(({ model }) => seen.size === seen.add(model).size);
  if (twice === -1) return undefined;
  const name = sent[twice]?.model ?? '';
  return refuse('invalid_value', `${name} is listed twice.`, {
    param: `models.${String(twice)}.model`,
  });
}

/**
 * Reads the lines that differ from the prices in force; or returns the first refusal with its line.
 */
async function readChanges(
  db: Database,
  sent: Sent,
  present: ReadonlyMap<string, OwnPrice>,
): Promise<NewPrice[] | Refusal> {
  const names = sent.map(({ model }) => model);
  const { rows } = await db.query<{ id: string; publicId: string }>(MODEL_IDS, [names]);
  const ids = new Map(rows.map(({ id, publicId }) => [publicId, id]));
  const changes: NewPrice[] = [];
  for (const [index, { model, prices }] of sent.entries()) {
    const path = `models.${String(index)}`;
    const modelId = ids.get(model);
    if (modelId === undefined) {
      return refuse('invalid_value', `There is no model ${model}.`, { param: `${path}.model` });
    }
    const own = present.get(modelId)?.prices;
    if (prices === null) {
      if (own !== undefined) changes.push({ modelId, prices: null });
      continue;
    }
    const read = readPrices(prices, own && priceColumns(own));
    if ('refused' in read) {
      const param = read.param === null ? `${path}.prices` : `${path}.prices.${read.param}`;
      return { ...read, message: `${model}: ${read.message}`, param };
    }
    if (!isDeepStrictEqual(read, own)) changes.push({ modelId, prices: read });
  }
  return changes;
}

/** The part of a view that an entry in the audit log is about. */
function changedPart(view: UpstreamPricesView, changes: readonly NewPrice[]): object {
  const ids = new Set(changes.map(({ modelId }) => modelId));
  const models = view.models.filter(({ modelId }) => ids.has(modelId));
  return {
    factor: view.factor,
    models: models.map(({ publicId, prices, source }) => ({ publicId, prices, source })),
  };
}

async function updateUpstreamPrices(
  call: Call<'updateUpstreamPrices'>,
): Answer<'updateUpstreamPrices'> {
  const { body, context, params } = call;
  const { factor, models: sent = [] } = body;
  const twice = refuseTwice(sent);
  if (twice !== undefined) return twice;
  return inTransaction(context.pool, async (client) => {
    const channel = await findChannel(client, params.channelId, { lock: true });
    if (channel === undefined) return NO_CHANNEL;
    const { id } = channel;
    const changes = await readChanges(client, sent, await readOwnPrices(client, id));
    if ('refused' in changes) return changes;
    const before = await readUpstreamPrices(client, id);
    const factorPpm = factor === undefined || factor === null ? null : ppmFromMultiplier(factor);
    const hasNewFactor = factor !== undefined && factorPpm !== (await readFactorPpm(client, id));
    if (!hasNewFactor && changes.length === 0) return { view: before, audit: NOTHING_CHANGED };
    if (hasNewFactor) await client.query(INSERT_FACTOR, [id, factorPpm]);
    if (changes.length > 0) await client.query(INSERT_PRICES, [id, JSON.stringify(changes)]);
    const after = await readUpstreamPrices(client, id);
    const change = {
      kind: UPSTREAM_PRICES_SUBJECT,
      id,
      before: changedPart(before, changes),
      after: changedPart(after, changes),
    };
    return { view: after, audit: await audit(client, call, change) };
  });
}
