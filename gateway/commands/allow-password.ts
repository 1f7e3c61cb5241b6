/**
 * `npm run allow-password -- <address>`: the operator's way back in where a domain is for sign-on
 * only and its provider does not work. Lets one person log in with a password, and prints a link to
 * choose one. With `--end` the person signs on like the others again.
 */
import type pg from 'pg';
import { openDatabase } from '../boot/stores/open-database.ts';
import { makeLink } from '../control-plane/sessions/link-token.ts';
import { ConfigError, loadConfig, type Config } from '../platform/config/config.ts';
import { pendingMigrations } from '../stores/postgres/migrate.ts';
import { runCommand } from './run-command.ts';

const USAGE = 'Name one person: npm run allow-password -- someone@company.example [--end]';
const OLDER_DATABASE =
  'The database is that of an older version of Weir. Start this version first: it brings the database up to date.';

const EXEMPT = `
  update users set sign_on_exempt = $2, updated_at = now()
  where email = lower($1) and disabled_at is null returning id, email`;

const NOTE = `
  insert into audit_entries (user_id, user_email, by, address, request_id, action, subject_kind, subject_id, before, after)
  values (null, null, 'shell', '', '', 'updateUser', 'user', $1, null, jsonb_build_object('signOnExempt', $2::boolean))`;

interface Asked {
  readonly email: string;
  readonly isAllowed: boolean;
}

function readArguments(): Asked {
  const [, , email, end, ...more] = process.argv;
  const isKnown = end === undefined || end === '--end';
  if (email === undefined || !email.includes('@') || !isKnown || more.length > 0) {
    throw new ConfigError(USAGE);
  }
  return { email, isAllowed: end === undefined };
}

function consoleUrlOf({ adminUrl, adminPort }: Config): string {
  return adminUrl ?? `http://127.0.0.1:${String(adminPort)}`;
}

async function allow(
  client: pg.PoolClient,
  config: Config,
  { email, isAllowed }: Asked,
): Promise<string> {
  const { rows } = await client.query<{ id: string; email: string }>(EXEMPT, [email, isAllowed]);
  const [user] = rows;
  if (user === undefined) {
    throw new ConfigError(`No one who may log in has the address ${email}.`);
  }
  await client.query(NOTE, [user.id, isAllowed]);
  if (!isAllowed) return `${user.email} signs on like the others of the domain again.`;
  const consoleUrl = consoleUrlOf(config);
  const link = await makeLink(client, { userId: user.id, purpose: 'reset_password', consoleUrl });
  return `${user.email} may log in with a password. The link to choose one works once, for an hour:\n${link}`;
}

async function main(): Promise<void> {
  const asked = readArguments();
  const config = loadConfig(process.env);
  const database = await openDatabase(config, {
    connectionsMax: 1,
    applicationName: 'weir allow-password',
    statementTimeoutMs: 30_000,
  });
  try {
    if ((await pendingMigrations(database.pool)).length > 0) throw new ConfigError(OLDER_DATABASE);
    const client = await database.pool.connect();
    try {
      await client.query('begin');
      const said = await allow(client, config, asked);
      await client.query('commit');
      process.stdout.write(`${said}\n`);
    } finally {
      client.release();
    }
  } finally {
    await database.close();
  }
}

await runCommand(main);
