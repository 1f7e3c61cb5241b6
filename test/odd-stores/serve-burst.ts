import { expect } from 'vitest';
import type { Stores } from '../../gateway/boot/stores/open-stores.ts';
import { held } from '../gateway/ledger/support/ask.ts';
import { expectReconciled } from '../gateway/ledger/support/reconcile.ts';
import { fund, holdOf, settleOf, USD } from '../gateway/ledger/support/fixtures.ts';
import { untilDrained } from '../gateway/ledger/support/drain-all.ts';
import { startDrain } from '../../gateway/usage/drain.ts';

const REQUESTS = 40;
const AT_ONCE = 20;

/** The first requests of an account, many at once: all are billed, and the books are right. */
export async function serveBurst({ ledger, pool, redis }: Stores): Promise<void> {
  const payer = await fund(pool, USD);
  let left = REQUESTS;
  const client = async (): Promise<void> => {
    while (left-- > 0) {
      const hold = await held({ ledger }, holdOf(payer, { amountNanoUsd: 1_000_000 }));
      expect(await ledger.settle(settleOf(hold, 7))).toMatchObject({ code: 'settled' });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  expect(await ledger.accountState(payer.account.id)).toMatchObject({
    availableNanoUsd: USD - 7 * REQUESTS,
    heldNanoUsd: 0,
  });
  if (redis !== null) {
    const drain = startDrain({ redis, pool, ageMsMin: 0 });
    await untilDrained(redis, drain);
    await drain.stop(0);
  }
  const { rowCount } = await pool.query('select from usage_records where account_id = $1', [
    payer.account.id,
  ]);
  expect(rowCount).toBe(REQUESTS);
  await expectReconciled(pool, redis ?? undefined);
}
