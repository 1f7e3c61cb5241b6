import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { connectRedis } from '../../gateway/stores/redis/connect.ts';
import { startEmbeddedDatabase } from '../../gateway/stores/postgres/embedded/embedded.ts';
import { migrate } from '../../gateway/stores/postgres/migrate.ts';
import { startPostgres } from './stores/postgres-server.ts';
import { databasePrefix } from './stores/run-databases.ts';
import { startRedis } from './stores/redis-server.ts';

/** The data with which a test file makes a database of its own. */
export interface PostgresFixture {
  /** A URL whose user may create databases. */
  readonly adminUrl: string;
  /** A migrated database that new ones are copied from. */
  readonly template: string;
  /** The prefix of the names of this run's databases, which are dropped at its end. */
  readonly prefix: string;
}

export interface RedisFixture {
  /** The shared Redis, without a database number. */
  readonly url: string;
  /** Databases it has; 1 on a cluster. */
  readonly databases: number;
}

export interface EmbeddedFixture {
  /** A DATA_DIR with an embedded database, migrated and stopped, to be copied. */
  readonly dataDir: string;
}

export interface Fixture {
  /**
   * Test files ask here, each in its own process: `GET /postgres`, `GET /redis`, `GET /embedded`.
   */
  readonly url: string;
  close(): Promise<void>;
}

/** Test files run at once are far fewer; each has one database of the shared Redis. */
const REDIS_DATABASES = 64;

/** Callbacks that stop or remove something at the end of the run. */
type Ends = (() => Promise<void>)[];

function databaseUrl(adminUrl: string, database: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function ownPostgres(ends: Ends): Promise<string> {
  const server = await startPostgres();
  ends.push(() => server.stop());
  return server.url;
}

async function groundPostgres(ends: Ends): Promise<PostgresFixture> {
  const adminUrl = process.env['DATABASE_URL'] ?? (await ownPostgres(ends));
  // On a server that was there before, the run's cleaner drops what has this prefix.
  const prefix = databasePrefix(process.env['TEST_RUN_ID'] ?? randomBytes(6).toString('hex'));
  const template = `${prefix}template`;
  await withClient(adminUrl, (client) => client.query(`create database ${template}`));
  await migrateAll(databaseUrl(adminUrl, template));
  return { adminUrl, template, prefix };
}

async function migrateAll(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    await migrate(pool);
  } finally {
    await pool.end();
  }
}

async function groundEmbedded(ends: Ends): Promise<EmbeddedFixture> {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-embedded-'));
  ends.push(() => rm(dataDir, { recursive: true }));
  const fail = (error: Error | string): never => {
    throw new Error('the embedded database failed', { cause: error });
  };
  const database = await startEmbeddedDatabase({ dataDir, onFailure: fail, onProblem: fail });
  await migrateAll(database.url);
  await database.stop();
  return { dataDir };
}

/** Tests empty the Redis they use, so one that holds anything is somebody's and is refused. */
async function groundExternalRedis(url: string): Promise<RedisFixture> {
  const client = connectRedis(url);
  try {
    await client.connect();
    const keyspace = String(await client.call('INFO', 'keyspace'));
    if (keyspace.includes('keys=')) {
      throw new Error('REDIS_URL names a Redis that holds data; tests need an empty one.');
    }
    if (url.includes(',')) return { url, databases: 1 };
    const [, databases] = (await client.call('CONFIG', 'GET', 'databases')) as [string, string];
    return { url: url.replace(/\/\d*$/, ''), databases: Number(databases) };
  } finally {
    client.disconnect();
  }
}

async function groundRedis(ends: Ends): Promise<RedisFixture> {
  const external = process.env['REDIS_URL'];
  if (external !== undefined) return groundExternalRedis(external);
  const server = await startRedis({ config: { databases: String(REDIS_DATABASES) } });
  ends.push(() => server.stop());
  return { url: server.url, databases: REDIS_DATABASES };
}

function answer(response: ServerResponse, content: Promise<unknown>): void {
  content.then(
    (value) => response.writeHead(200).end(JSON.stringify(value)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
}

/**
 * The servers that all test files of a run share. They are started when the first test file asks,
 * so that a run of tests that need none of them pays nothing.
 */
export async function createFixture(): Promise<Fixture> {
  const ends: Ends = [];
  let postgres: Promise<PostgresFixture> | undefined;
  let redis: Promise<RedisFixture> | undefined;
  let embedded: Promise<EmbeddedFixture> | undefined;
  const server = createServer((request, response) => {
    // A process that serves many test files would find a kept connection closed in between.
    response.setHeader('connection', 'close');
    if (request.url === '/postgres') answer(response, (postgres ??= groundPostgres(ends)));
    else if (request.url === '/redis') answer(response, (redis ??= groundRedis(ends)));
    else if (request.url === '/embedded') answer(response, (embedded ??= groundEmbedded(ends)));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No TCP port was given.');
  return {
    url: `http://127.0.0.1:${String(address.port)}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await Promise.all(ends.map((end) => end()));
    },
  };
}
