import type { ListPriceList } from '@weir/shared/prices';
import { longContextOf, pricesOf } from '../../pricing/listed-prices.ts';
import { LISTED_MODELS, type ListedModel } from '../../pricing/price-list.ts';
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

/** The list prices that come with this version; they change with a release only. */
export function listListPrices(): Promise<ListPriceList> {
  return Promise.resolve({ data: LISTED_MODELS.map(listPrice) });
}
