import type { BalanceView } from '@weir/shared/people/accounts';
import {
  add,
  compare,
  decimal,
  readDecimal,
  subtract,
  writeDecimal,
  ZERO,
} from '../../../core/format/decimal';

export interface BalancesAround {
  readonly before: string;
  readonly after: string;
  /** The account will owe something. */
  readonly isDebt: boolean;
}

/** The balance before and after an amount is added; what is no amount yet changes nothing. */
export function balancesAround(
  { availableUsd, owedUsd }: Pick<BalanceView, 'availableUsd' | 'owedUsd'>,
  amount: string,
): BalancesAround {
  const before = subtract(decimal(availableUsd), decimal(owedUsd));
  const after = add(before, readDecimal(amount.replace(/^\+/, '')) ?? ZERO);
  return {
    before: writeDecimal(before),
    after: writeDecimal(after),
    isDebt: compare(after, ZERO) < 0,
  };
}
