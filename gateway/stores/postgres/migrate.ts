import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { underLock } from './under-lock.ts';

const MIGRATIONS = new URL('./migrations/', import.meta.url);

/** Any number; all processes that migrate the same database must agree on it. */
const MIGRATION_LOCK = 4_951_723_301;

/** Applies the migrations that the database has not seen, in order, each in a transaction; one process at a time. */
export async function migrate(pool: pg.Pool): Promise<void> {
  await underLock(pool, MIGRATION_LOCK, async (client) => {
    await client.query(
      `create table if not exists schema_migrations
       (name text primary key, applied_at timestamptz not null default now())`,
    );
    for (const name of await pendingMigrations(client)) await apply(client, name);
  });
}

/** Migrations of this version that the database has not seen, in their order. */
export async function pendingMigrations(client: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
  const applied = new Set(rows.map(({ name }) => name));
  return migrationNames().filter((name) => !applied.has(name));
}

/** Migrations that the database has seen and this version does not have: a newer one has been here, or still is. */
export async function unknownMigrations(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    'select name from schema_migrations where name <> all ($1) order by name',
    [migrationNames()],
  );
  return rows.map(({ name }) => name);
}

export function migrationNames(): string[] {
  return readdirSync(MIGRATIONS)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort();
}

async function apply(client: pg.PoolClient, name: string): Promise<void> {
  const sql = readFileSync(new URL(name, MIGRATIONS), 'utf8');
  await client.query('begin');
  try {
    await client.query(sql);
    await client.query('insert into schema_migrations (name) values ($1)', [name]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`migration ${name} failed`, { cause: error });
  }
}
