import { expect, test } from 'vitest';
import { balancesAround } from './balances-around';

test.each([
  ['50', '0', '-5', '50', '45', false],
  ['50', '0', '0.000000001', '50', '50.000000001', false],
  ['0', '2', '1', '-2', '-1', true],
  ['0', '2', '', '-2', '-2', true],
  ['1', '0', '-', '1', '1', false],
  ['1', '0', '-1', '1', '0', false],
])('%s available and %s owed, changed by "%s": %s → %s', (available, owed, amount, ...expected) => {
  const { before, after, isDebt } = balancesAround(
    { availableUsd: available, owedUsd: owed },
    amount,
  );
  expect([before, after, isDebt]).toEqual(expected);
});
