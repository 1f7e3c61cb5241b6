import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminContext } from '../../../../gateway/control-plane/api/context.ts';
import { dropOldUsage } from '../../../../gateway/control-plane/usage/retention.ts';
import { reconcileRecords } from '../../../../gateway/ledger/reconcile/reconcile-postgres.ts';
import { giveMoney, makeCatalog, makeKey } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture } from '../support/fixture.ts';
import { insertUsage } from '../support/usage.ts';

let fixture: AdminFixture;

beforeAll(async () => {
  fixture = await createAdminFixture();
});
afterAll(() => fixture.close());

async function checksThatDiffer(): Promise<string[]> {
  return (await reconcileRecords(fixture.pool)).map(({ check }) => check);
}

/**
 * Usage of a month that is over the retention, paid for in every way there is, and a record of
 * today.
 */
async function useLongAgoAndToday(): Promise<string> {
  const admin = await fixture.admin();
  const owner = await fixture.user();
  await giveMoney(fixture, { admin, to: owner, amountUsd: '5' });
  const { groupId, publicId } = await makeCatalog(fixture, admin);
  const keyId = (await makeKey(fixture, owner, groupId)).id;
  const today = { accountId: owner.accountId, keyId, groupId, model: publicId };
  const createdAtMs = Date.UTC(2020, 0, 15);
  const longAgo = { ...today, createdAtMs };
  const subscription = { id: randomUUID(), startedAtMs: createdAtMs, amountNanoUsd: 4_000_000 };
  const shared = { balanceNanoUsd: 1_000_000, uncollectedNanoUsd: 2_000_000 };
  await fixture.pool.query(
    `create table usage_records_2020_01 partition of usage_records
     for values from ('2020-01-01 00:00:00+00') to ('2020-02-01 00:00:00+00')`,
  );
  await insertUsage(fixture.pool, [
    longAgo,
    { ...longAgo, ...shared, subscriptions: [subscription] },
    today,
  ]);
  await insertUsage(fixture.pool, [longAgo], true);
  return owner.accountId;
}

describe('the books, of which the retention has dropped a month of records', () => {
  it('add up as before, and what does not is still found', async () => {
    const accountId = await useLongAgoAndToday();
    expect(await checksThatDiffer()).toEqual([]);
    await dropOldUsage({ pool: fixture.pool, logger: fixture.app.log } as unknown as AdminContext);
    expect((await fixture.pool.query('select from usage_records')).rowCount).toBe(1);
    expect(await checksThatDiffer()).toEqual([]);
    expect(await reconcileRecords(fixture.pool, accountId)).toEqual([]);

    const changeDay = `update usage_daily set balance_nano_usd = balance_nano_usd + $1 where day < '2020-02-01'`;
    await fixture.pool.query(changeDay, [1]);
    expect(await checksThatDiffer()).toContain('I2: balance = credits - settled');
    await fixture.pool.query(changeDay, [-1]);
    expect(await checksThatDiffer()).toEqual([]);

    await fixture.pool.query('delete from usage_records');
    expect(await checksThatDiffer()).toEqual(
      expect.arrayContaining(['I2: balance = credits - settled', 'days: requests']),
    );
  });
});
