import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ConfigError } from '../../../../gateway/platform/config/config.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import {
  startEmbeddedDatabase,
  type EmbeddedDatabase,
} from '../../../../gateway/stores/postgres/embedded/embedded.ts';
import { HANG_MS, until } from '../../../support/clocks/hang.ts';
import { layEmbeddedDatabase } from '../../../support/stores/embedded.ts';

const folders: string[] = [];

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'weir-embedded-'));
  folders.push(folder);
  return folder;
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function start(dataDir: string, transport?: 'tcp'): Promise<EmbeddedDatabase> {
  return startEmbeddedDatabase({
    dataDir,
    onFailure: (error) => {
      throw error;
    },
    onProblem: (message) => {
      throw new Error(message);
    },
    ...(transport === undefined ? {} : { transport }),
  });
}

function connect(url: string, connectionsMax = 8): pg.Pool {
  const pool = openPool(url, { connectionsMax, applicationName: 'test' });
  // Many wait for one session, which on a slow machine takes longer than requests may.
  pool.options.connectionTimeoutMillis = HANG_MS;
  return pool;
}

function socketPath(url: string): string {
  return join(new URLSearchParams(url.split('?')[1]).get('host') ?? '', '.s.PGSQL.5432');
}

/** Runs the writing process; resolves with it after so many committed rows. */
async function writeRows(dataDir: string, rows: number): Promise<[ChildProcess, () => number]> {
  const script = new URL('./embedded-process.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let last = 0;
  let seen = 0;
  const lines = createInterface(child.stdout);
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the writing process ended')));
    lines.on('line', (line) => {
      last = Number(line);
      seen += 1;
      if (seen === rows) resolve();
    });
  });
  return [child, () => last];
}

describe('the embedded database', () => {
  let dataDir: string;
  let database: EmbeddedDatabase;
  let pool: pg.Pool;

  beforeAll(async () => {
    dataDir = newFolder();
    await layEmbeddedDatabase(dataDir);
    database = await start(dataDir);
    pool = connect(database.url);
  });
  afterAll(async () => {
    await pool.end();
    await database.stop();
  });

  it('answers each of many connections with its own result', async () => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, async (_value, index) => {
        const { rows } = await pool.query<Record<string, number>>(
          `select $1::int as v${index % 9}`,
          [index],
        );
        return rows[0]?.[`v${index % 9}`];
      }),
    );
    expect(answers).toEqual(answers.map((_value, index) => index));
  });

  it('keeps prepared statements of one name on several connections apart', async () => {
    const other = connect(database.url);
    const ask = async (from: pg.Pool, text: string, value: number): Promise<unknown> =>
      (await from.query<{ v: unknown }>({ name: 'same', text, values: [value] })).rows[0]?.v;
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_value, index) =>
        index % 2 === 0
          ? ask(pool, 'select $1::int as v', index)
          : ask(other, `select $1::int || '!' as v`, index),
      ),
    );
    expect(answers).toEqual(
      answers.map((_value, index) => (index % 2 === 0 ? index : `${index}!`)),
    );
    await other.end();
    // The statements of a connection are deallocated with it.
    const count = 'select count(*)::int as n from pg_prepared_statements';
    await expect
      .poll(async () => (await pool.query<{ n: number }>(count)).rows[0]?.n)
      .toBeLessThanOrEqual(8);
  });

  it('lets nobody come between the statements of a transaction', async () => {
    await pool.query('create table counter as select 0 as n');
    await Promise.all(
      Array.from({ length: 60 }, async () => {
        const client = await pool.connect();
        await client.query('begin');
        const { rows } = await client.query<{ n: number }>('select n from counter');
        await client.query('update counter set n = $1', [(rows[0]?.n ?? 0) + 1]);
        await client.query('commit');
        client.release();
      }),
    );
    expect((await pool.query('select n from counter')).rows).toEqual([{ n: 60 }]);
  });

  it('is never taken for silent: what waits for its session is carried out, and answered', async () => {
    const short = { connectionsMax: 1, applicationName: 'short', statementTimeoutMs: 1 };
    const waiting = openPool(database.url, short);
    const client = await pool.connect();
    await client.query('begin');
    const answer = waiting.query<{ one: number }>('select 1 as one').then(
      ({ rows }) => rows,
      (error: unknown) => error,
    );
    // A second after its timeout PostgreSQL itself counts as silent (connect.ts).
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await client.query('commit');
    client.release();
    expect(await answer).toEqual([{ one: 1 }]);
    await waiting.end();
  });

  it('goes on after an error, alone and within a transaction', async () => {
    await expect(pool.query('select 1 / $1::int', [0])).rejects.toThrow('division by zero');
    const client = await pool.connect();
    await client.query('begin');
    await expect(client.query('select nonsense')).rejects.toThrow('nonsense');
    await expect(client.query('select 1')).rejects.toThrow('aborted');
    await client.query('rollback');
    client.release();
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('rolls back what a client that vanishes has begun, and goes on with the others', async () => {
    await pool.query('create table half (n int)');
    const client = await pool.connect();
    await client.query('begin');
    await client.query('insert into half values (1)');
    const waiting = pool.query<{ n: number }>('select count(*)::int as n from half');
    client.release(new Error('gone'));
    expect((await waiting).rows).toEqual([{ n: 0 }]);
  });

  it('returns results larger than a socket buffer', async () => {
    const { rows } = await pool.query<{ n: number }>(
      'select length(repeat($1, 5000000)) as n, repeat($1, 5000000) as text',
      ['x'],
    );
    expect(rows[0]?.n).toBe(5_000_000);
  });

  it('closes a connection that does not speak the protocol', async () => {
    const socket = createConnection(socketPath(database.url));
    socket.write('GET / HTTP/1.1\r\n\r\n');
    socket.resume();
    await once(socket, 'close');
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('lets no other user connect: its socket is in a folder that only this user may open', () => {
    expect(statSync(join(dataDir, 'socket')).mode & 0o777).toBe(0o700);
    expect(existsSync(socketPath(database.url))).toBe(true);
  });
});

describe('the embedded database on disk', () => {
  let dataDir: string;

  beforeAll(async () => {
    dataDir = join(newFolder(), 'too-long-for-a-socket'.repeat(6));
    await layEmbeddedDatabase(dataDir);
  });

  it('keeps what was committed when its process is killed, refuses a second process until then, and starts again', async () => {
    const [writer, last] = await writeRows(dataDir, 20);
    const refused = start(dataDir);
    await expect(refused).rejects.toThrow(ConfigError);
    await expect(refused).rejects.toThrow(/^DATA_DIR: .* is in use by another Weir process\. Stop/);
    const before = last();
    await until('another row', () => last() > before);
    writer.kill('SIGKILL');
    await once(writer, 'close');

    const database = await start(dataDir);
    expect(socketPath(database.url).length).toBeLessThan(100);
    const pool = connect(database.url);
    const { rows } = await pool.query<{ n: number; last: number }>(
      'select count(*)::int as n, max(n) as last from written where length(padding) = 500',
    );
    expect(rows[0]?.n).toBe(rows[0]?.last);
    expect(rows[0]?.last).toBeGreaterThanOrEqual(last());
    await pool.end();
    await database.stop();
    expect(existsSync(socketPath(database.url))).toBe(false);
  });

  it('says what is wrong with a damaged database', async () => {
    const damaged = newFolder();
    mkdirSync(join(damaged, 'postgres'));
    writeFileSync(join(damaged, 'postgres', 'PG_VERSION'), '18\n');
    await expect(start(damaged)).rejects.toThrow(/^DATA_DIR: the embedded database in .* Restore/);
  });

  it('says what is wrong with a folder it may not make', async () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    await expect(start(join(file, 'data'))).rejects.toThrow(/^DATA_DIR: .* cannot be made/);
  });

  it('asks for its password where it has to listen on TCP', async () => {
    const database = await start(dataDir, 'tcp');
    const pool = connect(database.url);
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
    const url = new URL(database.url);
    url.password = 'wrong';
    const stranger = connect(url.href);
    await expect(stranger.query('select 1')).rejects.toThrow();
    await stranger.end();
    await database.stop();
  });
});
