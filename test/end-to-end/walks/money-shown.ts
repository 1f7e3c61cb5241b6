import type { Locator } from 'playwright-core';
import { nanoUsdFromDecimal } from '@weir/shared/money/money';

/** The exact amount that a `weir-money` shows: every digit stands in its title. */
export async function amountOf(money: Locator): Promise<number> {
  const exact = (await money.getAttribute('title')) ?? '';
  const nanoUsd = nanoUsdFromDecimal(exact.replace('$', '').replaceAll(',', ''));
  if (nanoUsd === undefined) throw new Error(`not an amount: “${exact}”`);
  return nanoUsd;
}
