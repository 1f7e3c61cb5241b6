import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dropOldUsage, firstMonthKept } from '../../../../gateway/control-plane/usage/retention.ts';
import type { AdminContext } from '../../../../gateway/control-plane/api/context.ts';
import { makeCatalog, makeKey } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture } from '../support/fixture.ts';
import { insertUsage } from '../support/usage.ts';

let fixture: AdminFixture;

beforeAll(async () => {
  fixture = await createAdminFixture();
});
afterAll(() => fixture.close());

const context = () => ({ pool: fixture.pool, logger: fixture.app.log }) as unknown as AdminContext;

async function makeJanuary2020(): Promise<void> {
  await fixture.pool.query(
    `create table usage_records_2020_01 partition of usage_records
     for values from ('2020-01-01 00:00:00+00') to ('2020-02-01 00:00:00+00')`,
  );
}

async function hasJanuary2020(): Promise<boolean> {
  const { rows } = await fixture.pool.query<{ found: boolean }>(
    `select to_regclass('usage_records_2020_01') is not null as found`,
  );
  return rows[0]?.found === true;
}

describe('making and dropping months', () => {
  it('waits for readers for a second at most', async () => {
    const { rows } = await fixture.pool.query<{ settings: string[] }>(
      `select proconfig as settings from pg_proc where proname in ('ensure_usage_partitions', 'drop_usage_partition')`,
    );
    expect(rows.map(({ settings }) => settings)).toEqual([
      ['lock_timeout=1s'],
      ['lock_timeout=1s'],
    ]);
  });
});

describe('the retention', () => {
  it('keeps this month and the ones before it', () => {
    expect(firstMonthKept(new Date('2026-03-31T23:00:00Z'), 1).toISOString()).toBe(
      '2026-03-01T00:00:00.000Z',
    );
    expect(firstMonthKept(new Date('2026-03-31T23:00:00Z'), 13).toISOString()).toBe(
      '2025-03-01T00:00:00.000Z',
    );
  });

  it('drops older partitions and stray rows, and keeps the sums', async () => {
    const admin = await fixture.admin();
    const owner = await fixture.user();
    const { groupId, publicId } = await makeCatalog(fixture, admin);
    const keyId = (await makeKey(fixture, owner, groupId)).id;
    const record = { accountId: owner.accountId, keyId, groupId, model: publicId };
    await makeJanuary2020();
    await insertUsage(fixture.pool, [
      { ...record, createdAtMs: Date.UTC(2020, 0, 15) },
      { ...record, createdAtMs: Date.UTC(2020, 5, 15) },
      record,
    ]);
    await dropOldUsage(context());
    const { rows } = await fixture.pool.query('select 1 from usage_records');
    expect(rows).toHaveLength(1);
    expect(await hasJanuary2020()).toBe(false);
    const daily = await fixture.pool.query('select 1 from usage_daily');
    expect(daily.rows).toHaveLength(3);
  });

  it('leaves what somebody reads to the next round', async () => {
    await makeJanuary2020();
    await fixture.pool.query(`alter function drop_usage_partition(text) set lock_timeout = '20ms'`);
    const reader = await fixture.pool.connect();
    await reader.query('begin');
    await reader.query('select from usage_records');
    await dropOldUsage(context());
    expect(await hasJanuary2020()).toBe(true);
    await reader.query('rollback');
    reader.release();
    await fixture.pool.query('alter function drop_usage_partition(text) reset lock_timeout');
    await dropOldUsage(context());
    expect(await hasJanuary2020()).toBe(false);
  });
});
