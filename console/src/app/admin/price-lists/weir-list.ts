import type { PriceList } from '@weir/shared/prices/price-lists/price-list';
import type { ListPriceView } from '@weir/shared/prices/prices';

/** The list that comes with Weir, as every other list. */
export function weirList(data: readonly ListPriceView[]): PriceList {
  return {
    format: 'weir',
    models: data.map(({ publicId, vendor, prices, ...model }) => ({
      key: publicId,
      provider: vendor.toLowerCase(),
      name: publicId,
      displayName: model.displayName,
      contextTokensMax: model.contextTokensMax,
      outputTokensMax: model.outputTokensMax,
      capabilities: model.capabilities,
      prices: {
        ...prices,
        cachedInputUsd: prices.cachedInputUsd === prices.inputUsd ? null : prices.cachedInputUsd,
        cacheWriteUsd: prices.cacheWriteUsd === prices.inputUsd ? null : prices.cacheWriteUsd,
      },
      leftOut: [],
    })),
  };
}
