import { afterAll, beforeAll, expect, it } from 'vitest';
import { STORAGE_GROUPS } from '@weir/shared/watch/storage';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture({
    redisMemory: () => Promise.resolve([{ name: 'Redis', usedBytes: 1_000_000, maxBytes: null }]),
  });
  admin = await fixture.admin();
  await fixture.pool.query('select ensure_request_partitions(1), ensure_usage_partitions(1)');
});
afterAll(() => fixture.close());

it('says how large each group of tables is, and from which day its oldest partition is', async () => {
  await fixture.pool.query(
    `create table usage_records_2025_03 partition of usage_records
       for values from ('2025-03-01 00:00+00') to ('2025-04-01 00:00+00')`,
  );
  const { rows } = await fixture.pool.query<{ bytes: string }>(
    `select sum(pg_total_relation_size(c.oid))::text as bytes from pg_class c
     where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace`,
  );
  const { reply } = await fixture.ask('getStorage', { as: admin });
  const { groups, bytes } = reply.database;
  expect(groups.map(({ group }) => group)).toEqual(STORAGE_GROUPS);
  const of = (name: string) => groups.find(({ group }) => group === name);
  expect(of('usage_records')?.oldest).toBe('2025-03-01');
  expect(of('request_log')?.oldest).toBe(new Date().toISOString().slice(0, 10));
  expect(of('audit')?.oldest).toBeNull();
  for (const group of groups) expect(group.bytes, group.group).toBeGreaterThan(0);
  const sum = groups.reduce((total, group) => total + group.bytes, 0);
  expect(sum / Number(rows[0]?.bytes)).toBeCloseTo(1, 1);
  expect(bytes).toBeGreaterThan(sum);
  expect(reply.redis).toEqual([{ name: 'Redis', usedBytes: 1_000_000, maxBytes: null }]);
});
