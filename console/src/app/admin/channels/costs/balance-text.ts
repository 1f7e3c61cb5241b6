import type { UpstreamBalanceView } from '@weir/shared/prices/upstream-balances';
import type { Formatter } from '../../../core/format/formatter';

/** An amount in the upstream's own currency, with two decimals; undefined before it was read. */
export function balanceText(
  formatter: Pick<Formatter, 'usd' | 'number'>,
  { balance, currency }: Pick<UpstreamBalanceView, 'balance' | 'currency'>,
): string | undefined {
  if (balance === null || currency === null) return undefined;
  if (currency === 'USD') return formatter.usd(balance);
  const sign = balance.startsWith('-') ? '-' : '';
  // Shown, never counted with: cents are enough.
  const cents = Math.round(Math.abs(Number(balance)) * 100) / 100;
  return `${sign}¥${formatter.number(cents)}`;
}
