import { afterAll, beforeAll, it } from 'vitest';
import { startPostgres, type PostgresServer } from '../support/stores/postgres.ts';
import { tryStores } from '../gateway/boot/support/try-stores.ts';
import { expectEnd } from './expect-end.ts';
import { layDatabase } from './lay-database.ts';
import { POSTGRES_ROWS } from './postgres-rows.ts';
import { serveBurst } from './serve-burst.ts';

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const rows = POSTGRES_ROWS.filter(({ quick }) => quick);

it.each(rows)('PostgreSQL serves with exact books, or refuses the start: $what', async (row) => {
  const open = (databaseUrl: string) => tryStores({ databaseUrl }, serveBurst);
  const database = await layDatabase(server.url, row, open);
  const end = await open(database.url);
  expectEnd(end, row.refused);
  await database.drop();
});
