import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { ReleaseOutcome } from '../../../../gateway/ledger/ledger.ts';
import { OrphanedHoldReleaser } from '../../../../gateway/ledger/orphaned-hold-releaser.ts';
import { payerOf } from '../../../support/ledger/payer.ts';
import { holdOf } from '../support/fixtures.ts';

function withAnswers() {
  const answers: ((outcome: ReleaseOutcome) => void)[] = [];
  const released: string[] = [];
  const holds = new OrphanedHoldReleaser(({ requestId }) => {
    released.push(requestId);
    return new Promise((resolve) => answers.push(resolve));
  }, 4);
  const answer = (outcome: ReleaseOutcome) => {
    for (const resolve of answers.splice(0)) resolve(outcome);
    return turn();
  };
  return { holds, released, answer };
}

it('are given back a few at a time', async () => {
  const { holds, released, answer } = withAnswers();
  const payer = payerOf();
  const lost = Array.from({ length: 10 }, () => holdOf(payer));
  for (const hold of lost) holds.release(hold);
  expect(released).toHaveLength(4);
  await answer({ code: 'released' });
  expect(released).toHaveLength(8);
  await answer({ code: 'released' });
  expect(released).toEqual(lost.map(({ requestId }) => requestId));
});

it('are bounded in number, and left to expire once they have to be', async () => {
  const { holds, released, answer } = withAnswers();
  const hold = holdOf(payerOf());
  for (let number = 0; number < 10_100; number += 1) holds.release(hold);
  while (released.length < 10_000) await answer({ code: 'released' });
  await answer({ code: 'released' });
  expect(released).toHaveLength(10_004);
  holds.release({ ...hold, ttlMs: 0 });
  expect(released).toHaveLength(10_004);
});

it('wait while the store is unavailable, and no longer after a stop', async () => {
  const { holds, released, answer } = withAnswers();
  const payer = payerOf();
  for (let number = 0; number < 100; number += 1) holds.release(holdOf(payer));
  await answer({ code: 'ledger_unavailable', cause: 'away' });
  expect(released).toHaveLength(4);
  holds.stop();
  holds.release(holdOf(payer));
  expect(released).toHaveLength(4);
});
