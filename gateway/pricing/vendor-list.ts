import { readFileSync } from 'node:fs';
import type { ListPriceList } from '@weir/shared/prices/prices';

/** Made by `npm run prices:refresh`; never edited by hand. */
export const VENDOR_LIST_FILE = new URL('./vendor-list.json', import.meta.url);

let list: ListPriceList | undefined;

/** Reads the vendors' list prices that come with this version, at the first call. */
export function vendorList(): ListPriceList {
  list ??= JSON.parse(readFileSync(VENDOR_LIST_FILE, 'utf8')) as ListPriceList;
  return list;
}
