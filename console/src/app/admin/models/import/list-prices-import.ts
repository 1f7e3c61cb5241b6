import type { ModelImport, ModelView } from '@weir/shared/catalog/models';
import { PriceFinder } from '@weir/shared/prices/price-lists/find-price';
import type { ListedModel, PriceList } from '@weir/shared/prices/price-lists/price-list';
import type { Decimal } from '../../../core/format/decimal';
import { scaledPrice } from '../prices/scale-price';

export interface ListImport {
  readonly models: ModelImport['models'];
  /** Where each price is from, in the same order. */
  readonly listed: readonly ListedModel[];
}

/** New prices of a list for the models of the catalog that it has; nothing else of them changes. */
export function importFromList(
  list: PriceList,
  catalog: readonly ModelView[],
  factor: Decimal,
): ListImport {
  const finder = new PriceFinder(list);
  const found = catalog.flatMap((model) => {
    const listed = finder.find(model.publicId, []);
    const prices = listed?.prices ?? null;
    return listed === undefined || prices === null ? [] : [{ model, listed, prices }];
  });
  return {
    models: found.map(({ model, prices }) => ({
      publicId: model.publicId,
      contextTokensMax: model.contextTokensMax,
      outputTokensMax: model.outputTokensMax,
      prices: scaledPrice(prices, factor),
    })),
    listed: found.map(({ listed }) => listed),
  };
}
