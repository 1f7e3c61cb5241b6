import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SILENT_LOG } from '../../../../gateway/ledger/ledger-log.ts';
import { partitionKey, partitionOf } from '../../../../gateway/ledger/partition.ts';
import { startDrain } from '../../../../gateway/usage/drain.ts';
import type { RedisClient } from '../../../../gateway/stores/redis/connect.ts';
import { openBothStores, type BothStores } from '../../../support/stores/both-stores.ts';
import { stateOf } from '../support/ask.ts';
import { untilDrained } from '../support/drain-all.ts';
import { fund, holdOf, settleOf, USD } from '../support/fixtures.ts';
import { openRedisLedger } from '../support/redis-ledger.ts';
import { expectReconciled } from '../support/reconcile.ts';

const MINUTE_MS = 60_000;

describe('after a clock of Redis that was ahead has been set right', () => {
  let stores: BothStores;
  let pool: pg.Pool;
  let redis: RedisClient;

  beforeAll(async () => {
    stores = await openBothStores();
    ({ pool, redis } = stores);
  });
  afterAll(() => stores.close());

  it('holds expire as before', async () => {
    let offsetMs = 0;
    const ledger = openRedisLedger({
      redis,
      pool,
      clockOffsetMs: () => offsetMs,
    });
    const payer = await fund(pool, 10 * USD);
    const first = holdOf(payer);
    await ledger.hold(first);
    await ledger.release({ requestId: first.requestId, accountId: payer.account.id });
    offsetMs = 60 * MINUTE_MS;
    await ledger.expire(100_000);
    offsetMs = 0;
    await ledger.expire(100_000);
    expect(await ledger.hold(holdOf(payer))).toMatchObject({ code: 'held' });
    offsetMs = 10 * MINUTE_MS;
    expect(await ledger.expire(100_000)).toBe(1);
    expect(await stateOf({ ledger }, payer.account.id)).toEqual([10 * USD, 0, 0, 0]);
    await ledger.close();
  });

  it('usage is drained at once that stands behind entries of the later time, and the log says so', async () => {
    const ledger = openRedisLedger({ redis, pool });
    const payer = await fund(pool, 10 * USD);
    const hold = holdOf(payer);
    await ledger.hold(hold);
    // The remains of an entry that was written while the clock was ahead, and drained since.
    const stream = partitionKey(partitionOf(payer.account.id), 'usage');
    const id = await redis.xadd(stream, `${Date.now() + 60 * MINUTE_MS}-0`, 'r', '{}', 'c', '');
    await redis.xdel(stream, id ?? '');
    await ledger.settle(settleOf(hold, 600));
    const warnings: string[] = [];
    const logger = { ...SILENT_LOG, warn: (_d: object, text: string) => warnings.push(text) };
    const drain = startDrain({ redis, pool, logger, pauseMs: 5 });
    await untilDrained(redis, drain);
    expect(drain.status()).toMatchObject({ added: 1, waiting: 0, failure: null });
    expect(warnings).toEqual([expect.stringContaining('clock was set back')]);
    await ledger.close();
    await expectReconciled(pool, redis);
  });
});
