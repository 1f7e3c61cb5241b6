/**
 * A process with an embedded database, for tests that kill it: `node embedded-process.ts <data
 * folder>`. Writes rows one by one and prints the number of each after its commit.
 */
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { startEmbeddedDatabase } from '../../../../gateway/stores/postgres/embedded/embedded.ts';

const dataDir = process.argv[2] ?? '';
try {
  const database = await startEmbeddedDatabase({
    dataDir,
    onFailure: (error) => {
      throw error;
    },
    onProblem: console.error,
  });
  const pool = openPool(database.url, { connectionsMax: 2, applicationName: 'test' });
  await pool.query('create table if not exists written (n int primary key, padding text)');
  const { rows } = await pool.query<{ n: number }>('select coalesce(max(n), 0) as n from written');
  for (let n = (rows[0]?.n ?? 0) + 1; ; n += 1) {
    await pool.query('insert into written values ($1, repeat($2, 500))', [n, 'x']);
    console.log(n);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
