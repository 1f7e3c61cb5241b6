import type { ListPriceList } from '@weir/shared/prices/prices';
import { longContextOf, pricesOf } from '../../pricing/listed-prices.ts';
import { LISTED_MODELS, type ListedModel } from '../../pricing/price-list.ts';
import { vendorList } from '../../pricing/vendor-list.ts';
import { modelPricesView } from '../models/model-row.ts';

function listPrice(listed: ListedModel): ListPriceList['data'][number] {
  const { publicId, displayName, vendor, contextTokensMax, outputTokensMax } = listed;
  const prices = pricesOf(publicId, listed.prices);
  return {
    publicId,
    displayName,
    vendor,
    contextTokensMax,
    outputTokensMax,
    capabilities: [...listed.capabilities],
    prices: modelPricesView({ ...prices, longContext: longContextOf(listed), tiers: {} }),
  };
}

/**
 * The list prices that come with this version; they change with a release only. Models that a first
 * start enters have their prices there, the others those of the public list.
 */
export function listListPrices(): Promise<ListPriceList> {
  const { source, data } = vendorList();
  const own = LISTED_MODELS.map(listPrice);
  const known = new Set(own.map(({ publicId }) => publicId));
  const others = data.filter(({ publicId }) => !known.has(publicId));
  return Promise.resolve({ source, data: [...own, ...others] });
}
