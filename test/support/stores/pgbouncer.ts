import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findPgBouncer } from '../machine/executables.ts';
import { freePort } from '../machine/free-port.ts';
import { unprivilegedUser } from './postgres-server.ts';
import { makeTemporaryFolder, serverProcess } from '../machine/server-process.ts';

export interface PgBouncer {
  /** The database's address through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

/** PgBouncer with its defaults, in front of one database. */
export async function startPgBouncer(
  databaseUrl: string,
  poolMode: 'session' | 'transaction' | 'statement',
): Promise<PgBouncer> {
  const command = findPgBouncer();
  if (command === undefined) throw new Error('PgBouncer is not installed.');
  const { hostname, port: serverPort, username, password, pathname } = new URL(databaseUrl);
  const name = pathname.slice(1);
  const folder = makeTemporaryFolder('pgbouncer');
  const port = await freePort();
  const settings = join(folder, 'pgbouncer.ini');
  const server = `host=${hostname} port=${serverPort} dbname=${name}`;
  writeFileSync(
    settings,
    [
      '[databases]',
      `${name} = ${server} user=${username} password=${password}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      `pool_mode = ${poolMode}`,
      '',
    ].join('\n'),
  );
  const user = unprivilegedUser();
  if (user !== undefined)
    for (const path of [folder, settings]) chownSync(path, user.uid, user.gid);
  const url = `postgres://weir@127.0.0.1:${port}/${name}`;
  const bouncer = serverProcess({
    command,
    args: [settings],
    folder,
    ...(user === undefined ? {} : { user }),
    isReady: () => answers(url),
    signals: { stop: 'SIGINT', abandon: 'KILL' },
  });
  await bouncer.start();
  return { url, stop: bouncer.stop };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
