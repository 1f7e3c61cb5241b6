/** Starts a PostgreSQL, kills it, and prints the id of the shared memory that it leaves. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from './postgres-server.ts';

const server = await startPostgres();
const client = new pg.Client({ connectionString: server.url });
// Its server is killed.
client.on('error', () => undefined);
await client.connect();
const { rows } = await client.query<{ data_directory: string }>('show data_directory');
await server.kill();
const pidFile = readFileSync(join(rows[0]?.data_directory ?? '', 'postmaster.pid'), 'utf8');
// Its seventh line is the key and the id of a segment.
process.stdout.write(pidFile.split('\n')[6]?.trim().split(/\s+/)[1] ?? '');
