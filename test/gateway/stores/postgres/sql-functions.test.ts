import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { migrate, unknownMigrations } from '../../../../gateway/stores/postgres/migrate.ts';
import {
  FUNCTIONS_REVISION,
  readSqlFunctions,
  sqlFunctionFiles,
} from '../../../../gateway/stores/postgres/sql-functions.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';

const FUNCTIONS = new URL('../../../../gateway/stores/postgres/functions/', import.meta.url);
const LANDED = new URL('../../../landed-functions.json', import.meta.url);

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Definitions by signature; optionally only those that this transaction has replaced. */
async function definitions(
  client: Pick<pg.Pool, 'query'>,
  replacedHere = false,
): Promise<Map<string, string>> {
  const { rows } = await client.query<{ signature: string; definition: string }>(
    `select oid::regprocedure::text as signature, pg_get_functiondef(oid) as definition
     from pg_proc where pronamespace = 'public'::regnamespace
       and (not $1 or xmin::text::bigint = pg_current_xact_id()::text::bigint % 4294967296)
     order by 1`,
    [replacedHere],
  );
  return new Map(rows.map(({ signature, definition }) => [signature, definition]));
}

/** The definitions of a file, found by running it in a transaction that is rolled back. */
async function definedBy(sql: string): Promise<Map<string, string>> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(sql);
    return await definitions(client, true);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

async function noteRevision(revision: number, sha256: string): Promise<void> {
  await pool.query('update schema_functions set revision = $1, sha256 = $2', [revision, sha256]);
}

async function replaceToMs(body: string): Promise<void> {
  await pool.query(
    `create or replace function to_ms(at timestamptz) returns bigint language sql as '${body}'`,
  );
}

async function toMs(): Promise<number | undefined> {
  const { rows } = await pool.query<{ ms: number }>(`select to_ms('epoch') as ms`);
  return rows[0]?.ms;
}

describe('SQL functions', () => {
  it('of a migrated database are those of the files, each in one file', async () => {
    const found: [string, string][] = [];
    for (const name of sqlFunctionFiles()) {
      const defined = await definedBy(readFileSync(new URL(name, FUNCTIONS), 'utf8'));
      expect(defined.size, name).toBeGreaterThan(0);
      found.push(...defined);
    }
    const signatures = found.map(([signature]) => signature);
    expect(signatures).toHaveLength(new Set(signatures).size);
    expect(new Map(found)).toEqual(await definitions(pool));
  });

  it('get a higher revision when they change, so that older gateways keep the newer ones', () => {
    const landed = JSON.parse(readFileSync(LANDED, 'utf8')) as Record<string, string>;
    expect(Math.max(...Object.keys(landed).map(Number))).toBe(FUNCTIONS_REVISION);
    // Another hash: increase FUNCTIONS_REVISION and add a line to landed-functions.json.
    expect(landed[FUNCTIONS_REVISION]).toBe(readSqlFunctions().sha256);
  });

  it('are replaced when the database has those of an earlier revision or of another state', async () => {
    const { sha256 } = readSqlFunctions();
    for (const [revision, noted] of [
      [FUNCTIONS_REVISION - 1, sha256],
      [FUNCTIONS_REVISION, 'other'],
    ] as const) {
      await replaceToMs('select 7::bigint');
      await noteRevision(revision, noted);
      await migrate(pool);
      expect(await toMs()).toBe(0);
    }
    const { rows } = await pool.query('select revision, sha256 from schema_functions');
    expect(rows).toEqual([{ revision: FUNCTIONS_REVISION, sha256 }]);
  });

  it('of a newer version stay in force when an older gateway starts, which reports them', async () => {
    await replaceToMs('select 7::bigint');
    await noteRevision(FUNCTIONS_REVISION + 1, 'newer');
    await migrate(pool);
    expect(await toMs()).toBe(7);
    expect(await unknownMigrations(pool)).toEqual([
      `functions, revision ${FUNCTIONS_REVISION + 1}`,
    ]);
  });
});
