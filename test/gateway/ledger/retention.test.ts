import { expect, it } from 'vitest';
import {
  type RetainedSettle,
  Retention,
} from '../../../gateway/ledger/redis/recovery/retention.ts';
import { payerOf } from '../../support/ledger/payer.ts';
import { holdOf, settleOf } from './support/fixtures.ts';

const PARTITION = 3;

function settleIn(epoch: number, streamMs: number): RetainedSettle {
  return {
    request: settleOf(holdOf(payerOf()), 7),
    partition: PARTITION,
    epoch,
    streamMs,
    settledAtMs: streamMs,
    balanceNanoUsd: 7,
    uncollectedNanoUsd: 0,
    subscriptions: '',
  };
}

it('keeps the settles of a store’s present epoch when those of an earlier one are taken', () => {
  const retention = new Retention();
  const [earlier, present] = [settleIn(1, 1_000), settleIn(2, 1_001)];
  retention.keep(earlier);
  retention.keep(present);
  expect(retention.takeOlder(PARTITION, 2)).toEqual([earlier]);
  expect(retention.count).toBe(1);
  expect(retention.take(PARTITION)).toEqual([present]);
});

it('keeps what was written to the stream in the millisecond that is not yet drained', () => {
  const retention = new Retention();
  const [drained, waiting] = [settleIn(1, 1_000), settleIn(1, 1_001)];
  retention.keep(drained);
  retention.keep(waiting);
  retention.drained(PARTITION, 1_001);
  expect(retention.take(PARTITION)).toEqual([waiting]);
});
