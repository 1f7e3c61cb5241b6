import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EmbeddedUpkeep } from '../../../../gateway/stores/postgres/embedded/embedded-upkeep.ts';
import { layEmbeddedDatabase } from '../../../support/stores/embedded.ts';

let folder: string;
let database: PGlite;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'weir-upkeep-'));
  await layEmbeddedDatabase(folder);
  database = await PGlite.create({ dataDir: join(folder, 'postgres') });
  await database.exec(
    'create table busy (n int primary key, v int); insert into busy select g, 0 from generate_series(1, 2000) g',
  );
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

/** PostgreSQL counts dead rows with a delay unless this is called. */
async function update(where: string): Promise<void> {
  await database.exec(`update busy set v = v + 1 where ${where}`);
  await database.exec('select pg_stat_force_next_flush()');
}

async function deadRows(): Promise<number> {
  const { rows } = await database.query<{ dead: number }>(
    `select n_dead_tup::int as dead from pg_stat_user_tables where relname = 'busy'`,
  );
  return rows[0]?.dead ?? -1;
}

async function checkpointAt(): Promise<number> {
  const { rows } = await database.query<{ at: number }>(
    `select pg_wal_lsn_diff(redo_lsn, '0/0')::float8 as at from pg_control_checkpoint()`,
  );
  return rows[0]?.at ?? -1;
}

it('vacuums a table once enough of its rows are dead', async () => {
  const upkeep = new EmbeddedUpkeep(database);
  await update('n <= 100');
  await upkeep.run();
  expect(await deadRows()).toBeGreaterThan(0);
  await update('true');
  expect(await deadRows()).toBeGreaterThan(2000);
  await upkeep.run();
  expect(await deadRows()).toBe(0);
});

it('writes a checkpoint once enough was logged since the last one', async () => {
  const upkeep = new EmbeddedUpkeep(database, 4 * 1024 * 1024);
  await upkeep.run();
  const before = await checkpointAt();
  await update('true');
  await upkeep.run();
  expect(await checkpointAt()).toBe(before);
  await database.exec(
    `create table large as select repeat(md5(g::text), 20) as t from generate_series(1, 10000) g`,
  );
  await upkeep.run();
  expect(await checkpointAt()).toBeGreaterThan(before);
});
