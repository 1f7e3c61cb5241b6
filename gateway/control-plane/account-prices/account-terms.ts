import type { Database } from '../api/transaction.ts';
import type { ModelRow } from '../models/model-row.ts';
import { findPriceAt, priceColumns, type PriceColumns } from '../prices/write-price.ts';
import { currentRows, type AccountPriceRow } from './account-price-rows.ts';

/** A price as a price list shows it. */
export interface Terms {
  readonly price: PriceColumns;
  /** The account's own price, which no multiplier changes. */
  readonly isOwn: boolean;
}

/** The terms of a model now, and from the next time on at which they change. */
export interface ModelTerms extends Terms {
  readonly next: (Terms & { readonly effectiveFrom: string }) | null;
}

/** The terms of everyone without a price of their own. */
export function listedTerms({ price, nextPrice: next }: ModelRow): ModelTerms | null {
  if (price === null) return null;
  return {
    price,
    isOwn: false,
    next: next && { price: next, isOwn: false, effectiveFrom: next.effectiveFrom },
  };
}

function isBefore(one: { readonly effectiveFrom: string }, other: AccountPriceRow): boolean {
  return new Date(one.effectiveFrom) < other.effectiveFrom;
}

/** @param rows of the account for the model, in force and to come, the earliest first */
async function termsOf(
  db: Database,
  listed: ModelTerms,
  rows: readonly AccountPriceRow[],
): Promise<ModelTerms> {
  const inForce = rows.find(({ state }) => state === 'in_force')?.prices ?? null;
  const coming = rows.find(({ state }) => state === 'future');
  const comingOwn = coming?.prices && {
    price: priceColumns(coming.prices),
    isOwn: true,
    effectiveFrom: coming.effectiveFrom.toISOString(),
  };
  if (inForce === null) {
    if (!coming || !comingOwn || (listed.next && isBefore(listed.next, coming))) return listed;
    return { ...listed, next: comingOwn };
  }
  const own = { price: priceColumns(inForce), isOwn: true };
  if (coming === undefined || comingOwn) return { ...own, next: comingOwn ?? null };
  // Others may pay several prices in turn before the account's price ends.
  const price = await findPriceAt(db, coming.modelId, coming.effectiveFrom);
  const effectiveFrom = coming.effectiveFrom.toISOString();
  return { ...own, next: price === undefined ? null : { price, isOwn: false, effectiveFrom } };
}

/**
 * Returns what an account pays for models for which it has a price of its own, in force or to come,
 * by model ID.
 *
 * @param listed what others pay, by model ID
 */
export async function accountTerms(
  db: Database,
  accountId: string,
  listed: ReadonlyMap<string, ModelTerms>,
): Promise<ReadonlyMap<string, ModelTerms>> {
  const terms = new Map<string, ModelTerms>();
  const rows = Map.groupBy(await currentRows(db, accountId), ({ modelId }) => modelId);
  for (const [modelId, ofModel] of rows) {
    const ofOthers = listed.get(modelId);
    if (ofOthers !== undefined) terms.set(modelId, await termsOf(db, ofOthers, ofModel));
  }
  return terms;
}
