import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dropOldUsage, firstMonthKept } from '../../../gateway/admin/usage/retention.ts';
import type { AdminContext } from '../../../gateway/admin/api/context.ts';
import { makeCatalog, makeKey } from '../support/catalog.ts';
import { layAdminGround, type AdminGround } from '../support/ground.ts';
import { enterUsage } from '../support/usage.ts';

let ground: AdminGround;

beforeAll(async () => {
  ground = await layAdminGround();
});
afterAll(() => ground.close());

describe('the retention', () => {
  it('keeps this month and the ones before it', () => {
    expect(firstMonthKept(new Date('2026-03-31T23:00:00Z'), 1).toISOString()).toBe(
      '2026-03-01T00:00:00.000Z',
    );
    expect(firstMonthKept(new Date('2026-03-31T23:00:00Z'), 13).toISOString()).toBe(
      '2025-03-01T00:00:00.000Z',
    );
  });

  it('drops older partitions and strays, and keeps the sums', async () => {
    const admin = await ground.admin();
    const owner = await ground.user();
    const { groupId, publicId } = await makeCatalog(ground, admin);
    const keyId = (await makeKey(ground, owner, groupId)).id;
    const record = { accountId: owner.accountId, keyId, groupId, model: publicId };
    await ground.pool.query(
      `create table usage_records_2020_01 partition of usage_records
       for values from ('2020-01-01 00:00:00+00') to ('2020-02-01 00:00:00+00')`,
    );
    await enterUsage(ground.pool, [
      { ...record, createdAtMs: Date.UTC(2020, 0, 15) },
      { ...record, createdAtMs: Date.UTC(2020, 5, 15) },
      record,
    ]);
    await dropOldUsage({ pool: ground.pool, logger: ground.app.log } as unknown as AdminContext);
    const { rows } = await ground.pool.query('select 1 from usage_records');
    expect(rows).toHaveLength(1);
    const partition = await ground.pool.query<{ found: string | null }>(
      `select to_regclass('usage_records_2020_01')::text as found`,
    );
    expect(partition.rows[0]?.found).toBeNull();
    const daily = await ground.pool.query('select 1 from usage_daily');
    expect(daily.rows).toHaveLength(3);
  });
});
