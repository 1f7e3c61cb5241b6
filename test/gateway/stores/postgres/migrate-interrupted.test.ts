import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { migrate } from '../../../../gateway/stores/postgres/migrate.ts';
import { type PostgresServer, startPostgres } from '../../../support/stores/postgres.ts';

/** MIGRATION_LOCK of gateway/stores/postgres/migrate.ts. */
const MIGRATION_LOCK = 4_951_723_301;

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres({ fsync: true });
});
afterAll(async () => {
  await server.stop();
});

it('a migration whose server is killed fails, lets the pool end, and succeeds when it is repeated', async () => {
  const other = openPool(server.url, { connectionsMax: 1, applicationName: 'test' });
  const holder = await other.connect();
  holder.on('error', () => undefined);
  await holder.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
  const pool = openPool(server.url, { connectionsMax: 2, applicationName: 'migrates' });
  const migrating = migrate(pool).then(() => 'migrated', String);
  const waits = () =>
    pool.query(
      `select 1 from pg_stat_activity where application_name = 'migrates' and wait_event_type = 'Lock'`,
    );
  await expect.poll(async () => (await waits()).rowCount).toBe(1);
  await server.kill();
  expect(await migrating).not.toBe('migrated');
  holder.release(true);
  await Promise.all([pool.end(), other.end()]);

  await server.restart();
  const again = openPool(server.url, { connectionsMax: 1, applicationName: 'test' });
  await migrate(again);
  await again.end();
});
