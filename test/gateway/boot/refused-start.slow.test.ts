import { createServer } from 'node:net';
import { afterAll, beforeAll, it } from 'vitest';
import { refuseOtherKey } from '../../../gateway/platform/secrets/refuse-other-key.ts';
import { deriveSecrets } from '../../../gateway/platform/secrets/secrets.ts';
import { openPool } from '../../../gateway/stores/postgres/connect.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';
import { TEST_SECRET_KEY } from '../../support/seed.ts';
import { expectSentence, refused } from './support/refused.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const stores = (): Record<string, string> => ({
  DATABASE_URL: database.url,
  SECRET_KEY: TEST_SECRET_KEY,
});

it('ends with a sentence when a value is wrong', async () => {
  expectSentence(
    await refused({ PORT: 'many' }),
    /^PORT: "many" is not a whole number; write one/m,
  );
});

it('ends with a sentence when PostgreSQL cannot be reached', async () => {
  const port = await freePort();
  const end = await refused({
    ...stores(),
    DATABASE_URL: `postgres://weir@127.0.0.1:${port}/weir`,
  });
  expectSentence(
    end,
    /^PostgreSQL cannot be used \(.*\)\. Check that it runs and that DATABASE_URL/m,
  );
});

it('ends with a sentence when the server library cannot be loaded', async () => {
  const end = await refused({ ...stores(), UWS_MODULE: 'no-such-build' });
  expectSentence(end, /^UWS_MODULE: "no-such-build" cannot be loaded\. .*no-such-build/m);
});

it.each(['PORT', 'ADMIN_PORT'])('ends with a sentence when %s is in use', async (variable) => {
  const server = createServer();
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port }, resolve));
  const end = await refused({ ...stores(), [variable]: String(port) });
  server.close();
  expectSentence(end, new RegExp(`^${variable}: ${port} .*set ${variable} to a free`, 'im'));
});

it('ends with a sentence when SECRET_KEY is not that of the database, which keeps its own', async () => {
  const pool = openPool(database.url, { connectionsMax: 1, applicationName: 'test' });
  await refuseOtherKey(pool, deriveSecrets(TEST_SECRET_KEY));
  await pool.end();
  const other = { ...stores(), SECRET_KEY: 'another secret key, of another database' };
  expectSentence(await refused(other), /^SECRET_KEY: is not the one under which this database/m);
});
