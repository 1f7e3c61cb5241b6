import type pg from 'pg';

/** Returns the prefix of the names of a run's databases. */
export function databasePrefix(runId: string): string {
  return `weir_test_${runId}_`;
}

/** Drops a run's databases on a server that was there before and stays. */
export async function dropDatabases(client: pg.Client, prefix: string): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [prefix],
  );
  for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`);
}
