import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import {
  applyFunctions,
  functionsAreDue,
  FUNCTIONS_TABLE,
  laterFunctions,
  readSqlFunctions,
} from './sql-functions.ts';
import { underLock } from './under-lock.ts';

const MIGRATIONS = new URL('./migrations/', import.meta.url);

/** An arbitrary number; all processes that migrate the same database must use the same one. */
const MIGRATION_LOCK = 4_951_723_301;

/**
 * Brings the database up to this version, one process at a time: applies pending migrations in
 * order, each in a transaction, then the SQL functions when they differ. The functions share the
 * transaction of the last migration, so that running gateways never see new tables with old
 * functions.
 */
export async function migrate(pool: pg.Pool): Promise<void> {
  const functions = readSqlFunctions();
  await underLock(pool, MIGRATION_LOCK, async (client) => {
    await client.query(
      `create table if not exists schema_migrations
       (name text primary key, applied_at timestamptz not null default now());
       ${FUNCTIONS_TABLE}`,
    );
    const pending = await pendingMigrations(client);
    const last = pending.pop();
    for (const name of pending) await inTransaction(client, name, () => apply(client, name));
    const isDue = await functionsAreDue(client, functions);
    if (last === undefined && !isDue) return;
    await inTransaction(client, last ?? 'functions', async () => {
      if (last !== undefined) await apply(client, last);
      if (isDue) await applyFunctions(client, functions);
    });
  });
}

/** Migrations of this version that the database does not have, in order. */
export async function pendingMigrations(client: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
  const applied = new Set(rows.map(({ name }) => name));
  return migrationNames().filter((name) => !applied.has(name));
}

/**
 * Migrations and functions of the database that this version does not have: a newer version has
 * started on it, and may still be running.
 */
export async function unknownMigrations(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    'select name from schema_migrations where name <> all ($1) order by name',
    [migrationNames()],
  );
  const revision = await laterFunctions(pool);
  const functions = revision === undefined ? [] : [`functions, revision ${revision}`];
  return [...rows.map(({ name }) => name), ...functions];
}

export function migrationNames(): string[] {
  return readdirSync(MIGRATIONS)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort();
}

async function apply(client: pg.PoolClient, name: string): Promise<void> {
  await client.query(readFileSync(new URL(name, MIGRATIONS), 'utf8'));
  await client.query('insert into schema_migrations (name) values ($1)', [name]);
}

async function inTransaction(
  client: pg.PoolClient,
  name: string,
  act: () => Promise<void>,
): Promise<void> {
  await client.query('begin');
  try {
    await act();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`migration ${name} failed`, { cause: error });
  }
}
