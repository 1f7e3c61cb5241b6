import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { OddDatabase, PostgresRow } from './postgres-rows.ts';

export interface LaidDatabase {
  /** The address of the database, with the role. */
  readonly url: string;
  readonly drop: () => Promise<void>;
}

/**
 * A fresh database of a role of its own, as a row of the table wants it.
 *
 * @param adminUrl of a superuser
 * @param migrate starts Weir on it, for rows that change what it has made
 */
export async function layDatabase(
  adminUrl: string,
  row: PostgresRow,
  migrate: (url: string) => Promise<unknown>,
): Promise<LaidDatabase> {
  const name = `odd_${randomBytes(6).toString('hex')}`;
  const [role, password] = [name, randomBytes(6).toString('hex')];
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  await asAdmin(adminUrl, async (client) => {
    await client.query(`create role ${role} login password '${password}'`);
    const options = row.database ?? '';
    await client.query(`create database ${name} template template0 owner ${role} ${options}`);
  });
  const own = new URL(url);
  own.username = role;
  own.password = password;
  if (row.migrated === true) await migrate(own.href);
  await asAdmin(url.href, async (admin) => {
    const odd: OddDatabase = { name, role, password, admin };
    await row.prepare?.(odd);
  });
  return {
    url: own.href,
    drop: () =>
      asAdmin(adminUrl, async (client) => {
        await client.query(`drop database ${name} with (force)`);
        for (const one of [role, `${role}_other`]) await client.query(`drop role if exists ${one}`);
      }),
  };
}

async function asAdmin(url: string, act: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await act(client);
  } finally {
    await client.end();
  }
}
