import { BASIS_METER_IDS } from '@weir/shared/prices/meters';
import { nanoUsdFromDecimal } from '@weir/shared/money/money';
import type { ModelImport, ModelImportReport } from '@weir/shared/catalog/models';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call } from '../api/call.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { audit, type AuditedCall } from '../audit/audit-log.ts';
import { NOTHING_CHANGED, type AuditReceipt } from '../audit/audit-receipt.ts';
import { isInForce } from '../prices/same-prices.ts';
import { findPriceAt, insertPrice, readPrices } from '../prices/write-price.ts';
import { findModel, modelPricesView, modelView } from './model-row.ts';
import { changeModel, insertModel, refuseBadModel } from './write-model.ts';

type Imported = ModelImport['models'][number];
type Report = Omit<ModelImportReport, 'dryRun'>;
type PriceChange = Omit<ModelImportReport['changes'][number], 'publicId'>;

const FIND_ID = 'select id from models where public_id = $1 for update';

/** Thrown to undo a dry run: what would happen is found out by doing it. */
class DryRunDone extends Error {
  readonly report: Report;

  constructor(report: Report) {
    super('dry run done');
    this.report = report;
  }
}

/** Sets the price when it differs from the one in force; returns both, or null when it does not. */
export async function importPrice(
  db: Database,
  modelId: string,
  sent: NonNullable<Imported['prices']>,
): Promise<PriceChange | Refusal | null> {
  const present = await findPriceAt(db, modelId, null);
  const price = readPrices(sent, present);
  if ('refused' in price) return price;
  if (present !== undefined && isInForce(present, price)) return null;
  await insertPrice(db, { modelId, price, effectiveFrom: null });
  const { prices, longContext, tiers } = price;
  return {
    before: present === undefined ? null : modelPricesView(present),
    after: modelPricesView({ ...prices, longContext, tiers: tiers ?? {} }),
  };
}

interface ImportStep {
  readonly item: Imported;
  readonly report: Report;
  /** Public IDs of models that are meant to be free. */
  readonly free: ReadonlySet<string>;
}

function isFree({ inputUsd, perCallUsd, extra }: PriceChange['after']): boolean {
  const ofBasis = BASIS_METER_IDS.map((id) => extra[id] ?? '0');
  return [inputUsd, perCallUsd, ...ofBasis].every((usd) => nanoUsdFromDecimal(usd) === 0);
}

/** A price that was free before is no news. */
function becomesFree({ before, after }: PriceChange): boolean {
  return isFree(after) && (before === null || !isFree(before));
}

/**
 * One model of an import, with an audit entry of its own: what it was before and what it is now. A
 * refusal is about its prices.
 */
async function importModel(
  db: Database,
  call: AuditedCall,
  { item, report, free }: ImportStep,
): Promise<AuditReceipt | Refusal> {
  const { prices: sentPrices, ...model } = item;
  const { rows } = await db.query<{ id: string }>(FIND_ID, [model.publicId]);
  const knownId = rows[0]?.id;
  const before = knownId === undefined ? undefined : await findModel(db, knownId);
  if (knownId !== undefined) await changeModel(db, knownId, model);
  const modelId = knownId ?? (await insertModel(db, model));
  (knownId === undefined ? report.created : report.updated).push(model.publicId);
  if (sentPrices !== undefined) {
    const change = await importPrice(db, modelId, sentPrices);
    if (change !== null && 'refused' in change) return change;
    if (change !== null) {
      report.repriced.push(model.publicId);
      if (becomesFree(change) && !free.has(model.publicId)) report.free.push(model.publicId);
      report.changes.push({ publicId: model.publicId, ...change });
    }
  }
  const after = await findModel(db, modelId);
  return audit(db, call, {
    kind: 'model',
    id: modelId,
    before: before === undefined ? null : modelView(before),
    after: after === undefined ? null : modelView(after),
  });
}

const NAMED_MAX = 10;

function refuseFree(free: readonly string[]): Refusal {
  const more = free.length > NAMED_MAX ? ` and ${String(free.length - NAMED_MAX)} more` : '';
  return refuse(
    'invalid_value',
    `The input of ${free.slice(0, NAMED_MAX).join(', ')}${more} would cost nothing. Name those that are meant to be free in "freeModels", and leave the others out.`,
    { param: 'freeModels' },
  );
}

function refuseTwice(models: readonly Imported[]): Refusal | undefined {
  const seen = new Set<string>();
  const twice = models.find(({ publicId }) => seen.size === seen.add(publicId).size);
  if (twice === undefined) return undefined;
  return refuse('invalid_value', `${twice.publicId} is in the import twice.`, { param: 'models' });
}

/**
 * A refusal of the prices of one of many models: the user who imports a table must learn which line
 * it is about.
 */
export function refusedPrices(refusal: Refusal, publicId: string, at: string): Refusal {
  const { message, param } = refusal;
  const path = `${at}.prices`;
  return {
    ...refusal,
    message: `${publicId}: ${message}`,
    param: param === null ? path : `${path}.${param}`,
  };
}

/** Creates or updates many models in one transaction. */
export async function importModels(call: Call<'importModels'>): Answer<'importModels'> {
  const { body, context } = call;
  const twice = refuseTwice(body.models);
  if (twice !== undefined) return twice;
  const dryRun = body.dryRun ?? false;
  const writing = inTransaction(context.pool, async (client) => {
    const report: Report = { created: [], updated: [], free: [], repriced: [], changes: [] };
    const free = new Set(body.freeModels);
    let receipt = NOTHING_CHANGED;
    for (const [index, item] of body.models.entries()) {
      const imported = await importModel(client, call, { item, report, free });
      if ('refused' in imported) {
        return refusedPrices(imported, item.publicId, `models.${String(index)}`);
      }
      receipt = imported;
    }
    if (dryRun) throw new DryRunDone(report);
    if (report.free.length > 0) return refuseFree(report.free);
    return { view: { dryRun, ...report }, audit: receipt };
  });
  try {
    return await refuseBadModel(writing);
  } catch (error) {
    if (!(error instanceof DryRunDone)) throw error;
    return { view: { dryRun: true, ...error.report }, audit: NOTHING_CHANGED };
  }
}
