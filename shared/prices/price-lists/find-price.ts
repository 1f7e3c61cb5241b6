import { nanoUsdOf } from './exact-price.ts';
import type { ListedModel, PriceList } from './price-list.ts';

/** Those who make models, as the lists call them: their own price is the one that is meant. */
const VENDORS = [
  'openai',
  'anthropic',
  'gemini',
  'google',
  'vertex_ai-language-models',
  'xai',
  'deepseek',
  'mistral',
  'moonshot',
  'moonshotai',
  'dashscope',
  'alibaba',
  'zai',
  'minimax',
  'cohere',
];

/** Finds the price of a model by what an upstream calls it. */
export class PriceFinder {
  readonly #byName = new Map<string, ListedModel[]>();
  readonly #byKey = new Map<string, ListedModel[]>();
  readonly #byEnd = new Map<string, ListedModel[]>();

  constructor({ models }: PriceList) {
    for (const model of models) {
      if (model.prices === null) continue;
      push(this.#byName, model.name, model);
      push(this.#byKey, model.key, model);
      push(this.#byEnd, lastPart(model.name), model);
    }
  }

  /**
   * Undefined where the list has no price for it. A name that many providers have is taken from the
   * upstream's own, then from who makes it, and else at the highest price: none is sold at a loss.
   * @param providers what the lists call the upstream
   */
  find(upstreamName: string, providers: readonly string[]): ListedModel | undefined {
    const name = upstreamName.replace(/^models\//, '');
    const end = lastPart(name);
    const tables: readonly (readonly [Map<string, ListedModel[]>, string])[] = [
      [this.#byName, name],
      [this.#byKey, name],
      [this.#byName, end],
      [this.#byEnd, end],
    ];
    const found = tables.map(([table, text]) => table.get(text.toLowerCase()) ?? []);
    const own = found.flat().find(({ provider }) => providers.includes(provider));
    if (own !== undefined) return own;
    for (const candidates of found) {
      const [best] = candidates.toSorted(byVendorThenPrice);
      if (best !== undefined) return best;
    }
    return undefined;
  }
}

function push(table: Map<string, ListedModel[]>, text: string, model: ListedModel): void {
  const key = text.toLowerCase();
  const known = table.get(key);
  if (known === undefined) table.set(key, [model]);
  else known.push(model);
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function rank({ provider }: ListedModel): number {
  const place = VENDORS.indexOf(provider);
  return place === -1 ? VENDORS.length : place;
}

function byVendorThenPrice(one: ListedModel, other: ListedModel): number {
  if (rank(one) !== rank(other)) return rank(one) - rank(other);
  const gap = costOf(other) - costOf(one);
  return gap === 0n ? 0 : gap > 0n ? 1 : -1;
}

function costOf({ prices }: ListedModel): bigint {
  return prices === null ? 0n : nanoUsdOf(prices.inputUsd) + nanoUsdOf(prices.outputUsd);
}
