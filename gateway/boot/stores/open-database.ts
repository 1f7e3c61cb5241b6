import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type pg from 'pg';
import { ConfigError, type Config } from '../../platform/config/config.ts';
import { openPool, type PoolOptions } from '../../stores/postgres/connect.ts';
import {
  EMBEDDED_FOLDER,
  type EmbeddedDatabase,
  startEmbeddedDatabase,
} from '../../stores/postgres/embedded/embedded.ts';
import { explainConnectError } from './explain-connect-error.ts';

export interface OpenDatabase {
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

type DatabaseConfig = Pick<Config, 'databaseUrl' | 'dataDir'>;

const IS_WEIRS = `select to_regclass('schema_migrations') is not null as "isWeirs"`;

/**
 * The database of a command: the configured one, or the embedded one, which is ended with it. One
 * that does not exist is not made: a command that was not given what the service has would say of
 * an empty database that all is well.
 */
export async function openDatabase(
  config: DatabaseConfig,
  options: PoolOptions,
): Promise<OpenDatabase> {
  const database = await findDatabase(config);
  const pool = openPool(database.url, options);
  const close = async (): Promise<void> => {
    await pool.end();
    await database.stop();
  };
  try {
    const { rows } = await explainConnectError('DATABASE_URL', 'PostgreSQL', () =>
      pool.query<{ isWeirs: boolean }>(IS_WEIRS),
    );
    if (rows[0]?.isWeirs !== true) throw noDatabase('at DATABASE_URL');
  } catch (error) {
    await close();
    throw error;
  }
  return { pool, close };
}

async function findDatabase({ databaseUrl, dataDir }: DatabaseConfig): Promise<EmbeddedDatabase> {
  if (databaseUrl !== null) return { url: databaseUrl, stop: () => Promise.resolve() };
  if (!existsSync(join(dataDir, EMBEDDED_FOLDER))) throw noDatabase(`in ${resolve(dataDir)}`);
  return startEmbeddedDatabase({
    dataDir,
    onFailure: (error) => {
      throw error;
    },
    onProblem: (message) => process.stderr.write(`${message}\n`),
  });
}

function noDatabase(place: string): ConfigError {
  return new ConfigError(
    `There is no database of Weir ${place}. Set DATABASE_URL, or DATA_DIR, as the service has it.`,
  );
}
