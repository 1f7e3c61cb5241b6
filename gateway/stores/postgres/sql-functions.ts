import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';

const FUNCTIONS = new URL('./functions/', import.meta.url);

/**
 * Increase it with every release that changes a file of functions/ (test/landed-functions.json). If
 * several versions of Weir use one database, the highest revision stays in force: an older gateway
 * that restarts during an upgrade must not restore its functions.
 */
export const FUNCTIONS_REVISION = 7;

/** One row: the functions that the database has. */
export const FUNCTIONS_TABLE = `create table if not exists schema_functions
  (revision integer not null, sha256 text not null)`;

/** All functions of this version; each replaces the one of a migration or an earlier version. */
export interface SqlFunctions {
  readonly sql: string;
  readonly sha256: string;
}

type Client = Pick<pg.Pool, 'query'>;

export function readSqlFunctions(): SqlFunctions {
  const sql = sqlFunctionFiles()
    .map((name) => readFileSync(new URL(name, FUNCTIONS), 'utf8'))
    .join('\n');
  return { sql, sha256: createHash('sha256').update(sql).digest('hex') };
}

export function sqlFunctionFiles(): string[] {
  return readdirSync(FUNCTIONS)
    .filter((name) => name.endsWith('.sql'))
    .sort();
}

/** True when the database has an earlier revision, or another state of this one. */
export async function functionsAreDue(client: Client, { sha256 }: SqlFunctions): Promise<boolean> {
  const applied = await appliedFunctions(client);
  if (applied === undefined || applied.revision < FUNCTIONS_REVISION) return true;
  return applied.revision === FUNCTIONS_REVISION && applied.sha256 !== sha256;
}

/**
 * The revision of a newer version that has started on this database; undefined when there is none.
 */
export async function laterFunctions(client: Client): Promise<number | undefined> {
  const revision = (await appliedFunctions(client))?.revision ?? 0;
  return revision > FUNCTIONS_REVISION ? revision : undefined;
}

/** Replaces the functions. Call it in a transaction. */
export async function applyFunctions(client: Client, functions: SqlFunctions): Promise<void> {
  // Unchecked bodies may call functions of later files.
  await client.query(`set local check_function_bodies = off;\n${functions.sql}`);
  await client.query('delete from schema_functions');
  await client.query('insert into schema_functions (revision, sha256) values ($1, $2)', [
    FUNCTIONS_REVISION,
    functions.sha256,
  ]);
}

async function appliedFunctions(
  client: Client,
): Promise<{ readonly revision: number; readonly sha256: string } | undefined> {
  const { rows } = await client.query<{ revision: number; sha256: string }>(
    'select revision, sha256 from schema_functions',
  );
  return rows[0];
}
