import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRedisLedger } from '../../../../gateway/ledger/create-ledger.ts';
import type { Ledger, SettleOutcome } from '../../../../gateway/ledger/ledger.ts';
import { SILENT_LOG } from '../../../../gateway/ledger/ledger-log.ts';
import type { RedisLedger } from '../../../../gateway/ledger/redis/redis-ledger.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { connectRedis, type RedisClient } from '../../../../gateway/stores/redis/connect.ts';
import { createSettlement } from '../../../../gateway/data-plane/settlement/settle-once.ts';
import { HANG_MS } from '../../../support/clocks/hang.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { type RedisServer, startRedis } from '../../../support/stores/redis.ts';
import { stateOf } from '../../ledger/support/ask.ts';
import { payerOf } from '../../../support/ledger/payer.ts';
import { fund, holdOf, settleOf, USD } from '../../ledger/support/fixtures.ts';

const WAIT_MS = 100;

describe('settlement', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let server: RedisServer;
  let redis: RedisClient;
  let ledger: RedisLedger;
  /** A ledger whose store is paused or killed, so that its calls time out. */
  let impatient: RedisLedger;

  beforeAll(async () => {
    database = await createDatabase();
    pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
    server = await startRedis({ appendonly: true, appendfsync: 'always' });
    redis = connectRedis(server.url);
    await redis.connect();
    const options = { redis, pool, closedMemoryMs: 86_400_000 };
    ledger = createRedisLedger({ ...options, timeoutMs: HANG_MS });
    impatient = createRedisLedger({ ...options, timeoutMs: 300 });
  });

  afterAll(async () => {
    await Promise.all([ledger.close(), impatient.close()]);
    redis.disconnect();
    await Promise.all([server.stop(), pool.end()]);
    await database.drop();
  });

  const spending = async (amountNanoUsd = USD) => {
    const payer = await fund(pool, 10 * USD);
    const hold = holdOf(payer, { amountNanoUsd });
    await ledger.hold(hold);
    return { hold, accountId: payer.account.id };
  };

  it('waits for the acknowledgement', async () => {
    const settlement = createSettlement({ ledger, settleWaitMs: HANG_MS });
    const { hold, accountId } = await spending();
    expect(await settlement.settle(settleOf(hold, 7))).toBe('settled');
    expect(await stateOf({ ledger }, accountId)).toEqual([10 * USD - 7, 0, 0, 0]);
    expect(settlement.totals()).toMatchObject({ settled: 1, balanceNanoUsd: 7, late: 0 });
    expect(settlement.pending()).toBe(0);
    settlement.stop();
  });

  it('releases', async () => {
    const settlement = createSettlement({ ledger, settleWaitMs: HANG_MS });
    const { hold, accountId } = await spending();
    await settlement.release({ requestId: hold.requestId, accountId });
    expect(await stateOf({ ledger }, accountId)).toEqual([10 * USD, 0, 0, 0]);
    settlement.stop();
  });

  it('goes on without the acknowledgement while the call has not even timed out', async () => {
    const settlement = createSettlement({ ledger, settleWaitMs: WAIT_MS });
    const { hold, accountId } = await spending();
    server.pause();
    expect(await settlement.settle(settleOf(hold, 7))).toBe('pending');
    expect(settlement.pending()).toBe(0);
    server.resume();
    await expect.poll(() => settlement.totals().settled).toBe(1);
    expect(await stateOf({ ledger }, accountId)).toEqual([10 * USD - 7, 0, 0, 0]);
    settlement.stop();
  });

  it('settles what has timed out once the store answers', async () => {
    const settlement = createSettlement({ ledger: impatient, settleWaitMs: WAIT_MS });
    const { hold, accountId } = await spending();
    server.pause();
    expect(await settlement.settle(settleOf(hold, 7))).toBe('pending');
    await expect.poll(() => settlement.pending()).toBe(1);
    server.resume();
    await expect.poll(() => settlement.pending()).toBe(0);
    expect(await stateOf({ ledger }, accountId)).toEqual([10 * USD - 7, 0, 0, 0]);
    expect(settlement.totals()).toMatchObject({ balanceNanoUsd: 7, givenUp: 0 });
    settlement.stop();
  });

  it('does not take for flushed what the store has not answered yet', async () => {
    const settlement = createSettlement({ ledger, settleWaitMs: WAIT_MS });
    const { hold, accountId } = await spending();
    server.pause();
    expect(await settlement.settle(settleOf(hold, 7))).toBe('pending');
    let over = false;
    const flushed = settlement.flush(HANG_MS).finally(() => (over = true));
    // One that does not wait is over before another store has answered.
    await pool.query('select 1');
    expect(over).toBe(false);
    server.resume();
    expect(await flushed).toBe(0);
    expect(await stateOf({ ledger }, accountId)).toEqual([10 * USD - 7, 0, 0, 0]);
    settlement.stop();
  });

  it('releases a hold that the store only made after it had been given up', async () => {
    const payer = await fund(pool, 10 * USD);
    await stateOf({ ledger }, payer.account.id);
    server.pause();
    expect(await impatient.hold(holdOf(payer))).toMatchObject({ code: 'ledger_unavailable' });
    server.resume();
    await expect.poll(() => stateOf({ ledger }, payer.account.id)).toEqual([10 * USD, 0, 0, 0]);
  });

  it('settles after the store was killed and came back', async () => {
    const settlement = createSettlement({ ledger: impatient, settleWaitMs: WAIT_MS });
    const { hold, accountId } = await spending();
    await server.kill();
    expect(await settlement.settle(settleOf(hold, 7))).toBe('pending');
    await server.restart();
    expect(await settlement.flush(HANG_MS)).toBe(0);
    expect(await stateOf({ ledger }, accountId)).toEqual([10 * USD - 7, 0, 0, 0]);
    settlement.stop();
  });

  it('gives up aloud, and once, what has no answer when it ends', async () => {
    const errors: object[] = [];
    const settlement = createSettlement({
      ledger: impatient,
      settleWaitMs: WAIT_MS,
      logger: { ...SILENT_LOG, error: (details) => errors.push(details) },
    });
    const settled = await spending();
    const released = await spending();
    server.pause();
    await Promise.all([
      settlement.settle(settleOf(settled.hold, 7)),
      settlement.release({
        requestId: released.hold.requestId,
        accountId: released.accountId,
      }),
    ]);
    settlement.stop();
    const { requestId } = settled.hold;
    const told = [
      { requestId, record: settleOf(settled.hold, 7).recordJson },
      { requestId: released.hold.requestId, record: undefined },
    ];
    expect(errors).toHaveLength(2);
    expect(errors).toEqual(
      expect.arrayContaining(told.map((one) => expect.objectContaining(one) as object)),
    );
    // Its time-out comes after that of the calls before it, which fail again then.
    expect(await impatient.hold(holdOf(await fund(pool, USD)))).toMatchObject({
      code: 'ledger_unavailable',
    });
    server.resume();
    expect(errors).toHaveLength(2);
    expect(settlement.totals().givenUp).toBe(1);
  });

  it('gives up aloud when too much is pending, with the record', async () => {
    const errors: object[] = [];
    const settlement = createSettlement({
      ledger: impatient,
      settleWaitMs: WAIT_MS,
      pendingMax: 1,
      logger: {
        info: () => undefined,
        warn: () => undefined,
        error: (details) => errors.push(details),
      },
    });
    const first = await spending();
    const second = await spending();
    await server.kill();
    await settlement.settle(settleOf(first.hold, 7));
    await settlement.settle(settleOf(second.hold, 9));
    await expect.poll(() => settlement.totals().givenUp).toBe(1);
    expect(settlement.pending()).toBe(1);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({
      requestId: second.hold.requestId,
      record: settleOf(second.hold, 9).recordJson,
    });
    settlement.stop();
    expect(errors).toHaveLength(2);
    expect(errors[1]).toMatchObject({
      requestId: first.hold.requestId,
      record: settleOf(first.hold, 7).recordJson,
    });
    expect(settlement.totals().givenUp).toBe(2);
    await server.restart();
    await expect.poll(() => redis.status).toBe('ready');
  });
});

describe('settlement of what the ledger only told', () => {
  const AWAY: SettleOutcome = { code: 'ledger_unavailable', cause: 'away' };
  const SETTLED = { balanceNanoUsd: 3, subscriptionNanoUsd: 2, uncollectedNanoUsd: 1 };

  const ledgerTelling = (tell: () => SettleOutcome) =>
    ({ settle: () => Promise.resolve(tell()) }) as Partial<Ledger> as Ledger;

  it('counts who paid, what nobody paid, and what came late', async () => {
    const codes = ['settled', 'settled_late', 'exists'] as const;
    let told = 0;
    const ledger = ledgerTelling(() => ({ code: codes[told++] ?? 'exists', ...SETTLED }));
    const settlement = createSettlement({ ledger, settleWaitMs: WAIT_MS });
    while (told < codes.length) await settlement.settle(settleOf(holdOf(payerOf()), 6));
    expect(settlement.totals()).toEqual({
      settled: 3,
      late: 1,
      givenUp: 0,
      balanceNanoUsd: 9,
      subscriptionNanoUsd: 6,
      uncollectedNanoUsd: 3,
    });
    settlement.stop();
  });

  it('repeats at once when it is flushed, however long the delay has become', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let outcome: SettleOutcome = AWAY;
    const ledger = ledgerTelling(() => outcome);
    const settlement = createSettlement({ ledger, settleWaitMs: WAIT_MS });
    expect(await settlement.settle(settleOf(holdOf(payerOf()), 6))).toBe('pending');
    await vi.advanceTimersByTimeAsync(12_000);
    expect(settlement.pending()).toBe(1);
    outcome = { code: 'settled', ...SETTLED };
    const flushed = settlement.flush(60_000);
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(settlement.pending()).toBe(0);
    expect(await flushed).toBe(0);
    expect(settlement.totals().settled).toBe(1);
    settlement.stop();
  });

  it('gives up aloud what comes after its end', async () => {
    const errors: object[] = [];
    const settlement = createSettlement({
      ledger: ledgerTelling(() => AWAY),
      settleWaitMs: WAIT_MS,
      logger: { ...SILENT_LOG, error: (details) => errors.push(details) },
    });
    settlement.stop();
    const settle = settleOf(holdOf(payerOf()), 6);
    await settlement.settle(settle);
    const { requestId, recordJson: record } = settle;
    expect(errors).toEqual([{ requestId, record, cause: 'away' }]);
    expect(settlement.totals().givenUp).toBe(1);
  });
});
