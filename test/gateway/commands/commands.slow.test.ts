import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, type CommandEnd } from '../../support/machine/command.ts';
import { layEmbeddedDatabase } from '../../support/stores/embedded.ts';
import { freePort } from '../../support/machine/free-port.ts';
import {
  createDatabase,
  createEmptyDatabase,
  type TestDatabase,
} from '../../support/stores/postgres.ts';
import { TEST_SECRET_KEY } from '../../support/seed.ts';

let folder: string;
let database: TestDatabase;
let empty: TestDatabase;
let nowhere: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'weir-commands-'));
  [database, empty] = await Promise.all([createDatabase(), createEmptyDatabase()]);
  nowhere = `127.0.0.1:${await freePort()}`;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all([database.drop(), empty.drop()]);
});

/** One sentence is for a person; a stack is for nobody. */
function expectSentence({ code, output }: CommandEnd, sentence: RegExp): void {
  expect(output).toMatch(sentence);
  expect(output).not.toMatch(/^ +at /m);
  expect(code).toBe(1);
}

const NO_DATABASE = /^There is no database of Weir .*Set DATABASE_URL, or DATA_DIR, as the service/;

const run = (
  name: Parameters<typeof runCommand>[0],
  env: Readonly<Record<string, string>>,
): Promise<CommandEnd> =>
  runCommand(name, name === 'switch-ledger' ? ['redis'] : [], {
    REDIS_URL: `redis://${nowhere}`,
    SECRET_KEY: TEST_SECRET_KEY,
    ...env,
  });

// Both commands open the stores by the same function.
describe('npm run reconcile ends with a sentence', () => {
  it('without the SECRET_KEY of the service', async () => {
    const end = await run('reconcile', { DATABASE_URL: database.url, SECRET_KEY: '' });
    expectSentence(end, /SECRET_KEY: is not set but DATABASE_URL is/);
  });

  it('where there is no database, and makes none', async () => {
    const dataDir = join(folder, 'none');
    expectSentence(await run('reconcile', { DATA_DIR: dataDir }), NO_DATABASE);
    expect(existsSync(dataDir)).toBe(false);
    expectSentence(await run('reconcile', { DATABASE_URL: empty.url }), NO_DATABASE);
  });

  it('that names the variable of a PostgreSQL which cannot be reached', async () => {
    expectSentence(
      await run('reconcile', { DATABASE_URL: `postgres://weir@${nowhere}/weir` }),
      /^PostgreSQL cannot be used \(.*\)\. Check that it runs and that DATABASE_URL/,
    );
  });
});

it.each(['reconcile', 'switch-ledger'] as const)(
  'npm run %s ends with a sentence that names the variable of a Redis which cannot be reached',
  async (name) => {
    expectSentence(
      await run(name, { DATABASE_URL: database.url }),
      /^Redis cannot be used \(.*\)\. Check that it runs and that REDIS_URL/,
    );
  },
);

it('npm run reconcile ends with a sentence at the database of an older version', async () => {
  const older = await createDatabase();
  const client = new pg.Client({ connectionString: older.url });
  try {
    await client.connect();
    await client.query(`
      alter table settings drop column ledger_store;
      delete from schema_migrations where name = (select max(name) from schema_migrations)`);
    const env = { DATABASE_URL: older.url, SECRET_KEY: TEST_SECRET_KEY };
    expectSentence(
      await runCommand('reconcile', [], env),
      /^The database is that of an older version of Weir\. Run reconcile of that version, or start/,
    );
  } finally {
    await client.end();
    await older.drop();
  }
});

it('npm run reconcile looks at the database in DATA_DIR', async () => {
  const dataDir = join(folder, 'embedded');
  await layEmbeddedDatabase(dataDir);
  const end = await runCommand('reconcile', [], { DATA_DIR: dataDir });
  expect(end).toEqual({ code: 0, output: 'Everything adds up.\n' });
});

describe('npm run allow-password', () => {
  const allow = (...args: readonly string[]) =>
    runCommand('allow-password', args, {
      DATABASE_URL: database.url,
      SECRET_KEY: TEST_SECRET_KEY,
      ADMIN_URL: 'https://console.example',
    });

  it('lets one person log in with a password, until it is ended', async () => {
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query(`
      with a as (insert into accounts (id, name) values (gen_random_uuid(), 'a') returning id)
      insert into users (id, account_id, email, password_hash)
      select gen_random_uuid(), id, 'root@company.example', '' from a`);
    const isExempt = async () =>
      (await client.query<{ on: boolean }>('select sign_on_exempt as on from users')).rows;
    const allowed = await allow('Root@company.example');
    expect(allowed.output).toMatch(/https:\/\/console\.example\/reset-password#token=\S{43}/);
    expect(await isExempt()).toEqual([{ on: true }]);
    await allow('root@company.example', '--end');
    expect(await isExempt()).toEqual([{ on: false }]);
    const { rows } = await client.query<{ by: string }>('select by from audit_entries');
    expect(rows).toEqual([{ by: 'shell' }, { by: 'shell' }]);
    await client.end();
  });

  it('says what is missing', async () => {
    expectSentence(await allow(), /Name one person/);
    expectSentence(await allow('nobody@company.example'), /No one who may log in/);
  });
});
