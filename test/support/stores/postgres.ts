import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { askFixture } from '../clients/ask-fixture.ts';

export { startPostgres, type PostgresServer } from './postgres-server.ts';

export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  /** Drops it, and with it the connections that are still open. */
  drop(): Promise<void>;
}

async function asAdmin(adminUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function create(like: 'migrated' | 'empty'): Promise<TestDatabase> {
  const { adminUrl, template, prefix } = await askFixture('postgres');
  const name = `${prefix}${randomBytes(6).toString('hex')}`;
  const source = like === 'migrated' ? template : 'template0';
  await asAdmin(adminUrl, `create database ${name} template ${source} strategy file_copy`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    name,
    drop: () => asAdmin(adminUrl, `drop database if exists ${name} with (force)`),
  };
}

/**
 * A fresh database with every migration applied, on the run's shared PostgreSQL. One per test file.
 */
export function createDatabase(): Promise<TestDatabase> {
  return create('migrated');
}

/** A fresh database without any table: for tests of the migrations themselves. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return create('empty');
}
