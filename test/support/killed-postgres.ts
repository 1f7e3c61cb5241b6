/** Starts a PostgreSQL, kills it, and prints the id of the shared memory that it leaves. */
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from './postgres-server.ts';

const folders = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('weir-p'));
const others = new Set(folders());
const server = await startPostgres();
await server.kill();
const folder = folders().find((name) => !others.has(name)) ?? '';
const [, , , , , , segment = ''] = readFileSync(
  join(tmpdir(), folder, 'data/postmaster.pid'),
  'utf8',
).split('\n');
process.stdout.write(segment.trim().split(/\s+/)[1] ?? '');
