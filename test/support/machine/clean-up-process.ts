/** The cleaner of a test run; see run-remains.ts. Arguments: the run's id and its folder. */
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { databasePrefix, dropDatabases } from '../stores/run-databases.ts';
import { killIfAlive } from './kill-if-alive.ts';
import { processesOf } from './run-remains.ts';

/** Servers have an undertaker each, a shell, that ends them in good order. It gets this long. */
const UNDERTAKERS_MS = 10_000;
const POLL_MS = 50;
const UNDERTAKER = 'sh';
const SERVERS = new Set(['redis-server', 'postgres']);

const [runId = '', folder = ''] = process.argv.slice(2);

async function endProcesses(): Promise<void> {
  const untilMs = performance.now() + UNDERTAKERS_MS;
  for (;;) {
    const left = processesOf(runId);
    if (left.length === 0) return;
    const late = performance.now() > untilMs;
    // A run that goes on until all is gone keeps the undertakers of servers that it has stopped.
    const waits = !late && left.some(({ command }) => SERVERS.has(command));
    for (const { pid, command } of left) {
      if (!waits || !(command === UNDERTAKER || SERVERS.has(command))) killIfAlive(pid);
    }
    await sleep(POLL_MS);
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.stdin.resume();
await new Promise((resolve) => process.stdin.once('end', resolve));
await endProcesses();
await rm(folder, { recursive: true, force: true, maxRetries: 20 });
const adminUrl = process.env['DATABASE_URL'];
if (adminUrl !== undefined) {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await dropDatabases(client, databasePrefix(runId));
  await client.end();
}
