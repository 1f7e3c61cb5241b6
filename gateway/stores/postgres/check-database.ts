import type pg from 'pg';
import { isPooled } from './pooler.ts';
import { refusedSettings, type RefusedSetting } from './session-settings.ts';

const VERSION_MIN = 15;

/** Tables that show whose a schema is, and whose role may change it. */
const OWN_TABLES = ['schema_migrations', 'accounts', 'users', 'keys', 'usage_records', 'requests'];

const FACTS = `
  select current_user as role, current_database() as database, current_schema() as schema,
    current_setting('search_path') as "searchPath", current_setting('server_version') as version,
    current_setting('server_version_num')::integer / 10000 as major,
    current_setting('server_encoding') as encoding, pg_is_in_recovery() as "isStandby",
    coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as "mayCreate",
    (select relowner::regrole::text from pg_class where oid = to_regclass('schema_migrations')
      and not pg_has_role(relowner, 'USAGE')) as "otherOwner",
    to_regclass('schema_migrations') is null or not exists (select from pg_attribute
      where attrelid = to_regclass('schema_migrations') and attname = 'applied_at') as "isNew",
    (select string_agg(relname, ', ' order by relname) from pg_class
      where relnamespace = to_regnamespace(quote_ident(current_schema())) and relname = any ($1)) as tables,
    (select rolconnlimit from pg_roles where rolname = current_user) as "roleLimit",
    (select datconnlimit from pg_database where datname = current_database()) as "databaseLimit"`;

interface Facts {
  readonly role: string;
  readonly database: string;
  readonly schema: string | null;
  readonly searchPath: string;
  readonly version: string;
  readonly major: number;
  readonly encoding: string;
  readonly isStandby: boolean;
  readonly mayCreate: boolean;
  /** Owner of Weir's tables, whose rights the role does not have. */
  readonly otherOwner: string | null;
  /** Weir has not migrated it yet. */
  readonly isNew: boolean;
  /** Tables of the schema with names of Weir's. */
  readonly tables: string | null;
  /** Connections at once; -1 is unlimited. */
  readonly roleLimit: number;
  readonly databaseLimit: number;
}

/**
 * Returns why Weir cannot use this database, sentences for the operator with the commands that
 * change it; none when it can. Looks only, before the first migration. Rejects when PostgreSQL is
 * unreachable.
 *
 * @param connectionsMax that this process opens
 */
export async function checkDatabase(pool: pg.Pool, connectionsMax: number): Promise<string[]> {
  const client = await pool.connect();
  let failed = true;
  try {
    const pooled = isPooled(client);
    const { rows } = await client.query<Facts>(FACTS, [OWN_TABLES]);
    const [facts] = rows;
    if (facts === undefined) throw new Error('the database answered no row');
    const faults = [...serverFaults(facts), ...schemaFaults(facts)];
    if (!pooled) faults.push(...limitFaults(facts, connectionsMax));
    const settings = await refusedSettings(client);
    faults.push(...settings.map((setting) => settingFault(facts, setting, pooled)));
    // Last, as a time limit among the settings would end the transaction, too.
    if (pooled && faults.length === 0) faults.push(...(await refuseStatementPooling(client)));
    failed = false;
    return faults;
  } finally {
    client.release(failed);
  }
}

async function refuseStatementPooling(client: pg.PoolClient): Promise<string[]> {
  try {
    await client.query('begin');
    await client.query('commit');
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      `The connection pooler allows no transactions (${reason}). Set pool_mode = transaction in pgbouncer.ini.`,
    ];
  }
}

function serverFaults({ version, major, isStandby, encoding, database }: Facts): string[] {
  const faults: string[] = [];
  if (major < VERSION_MIN) {
    faults.push(`PostgreSQL is of version ${version}; Weir needs ${VERSION_MIN} or newer.`);
  }
  if (isStandby) {
    faults.push(
      'PostgreSQL is a standby, which takes no writes. Set DATABASE_URL to the primary, or promote this one: select pg_promote();',
    );
  }
  if (encoding !== 'UTF8') {
    faults.push(
      `The database "${database}" has the encoding ${encoding}, which does not have all characters of names and messages. ` +
        `Make one of UTF8: CREATE DATABASE weir ENCODING 'UTF8' TEMPLATE template0;`,
    );
  }
  return faults;
}

function schemaFaults(facts: Facts): string[] {
  const { role, database, schema, searchPath, isNew, tables, otherOwner, isStandby } = facts;
  if (schema === null) {
    return [
      `The role "${role}" can use no schema of its search_path (${searchPath}). ` +
        `Run: GRANT USAGE, CREATE ON SCHEMA public TO ${quoted(role)}; ` +
        `ALTER ROLE ${quoted(role)} IN DATABASE ${quoted(database)} SET search_path = public;`,
    ];
  }
  if (!isNew && otherOwner !== null) {
    return [
      `Weir's tables belong to the role ${otherOwner}, and "${role}" may not change them. ` +
        `Run: GRANT ${otherOwner} TO ${quoted(role)};`,
    ];
  }
  if (isNew && tables !== null) {
    return [
      `The schema "${schema}" has tables of another program (${tables}). ` +
        `Give Weir a database, or a schema, of its own: CREATE SCHEMA weir AUTHORIZATION ${quoted(role)}; ` +
        `ALTER ROLE ${quoted(role)} IN DATABASE ${quoted(database)} SET search_path = weir;`,
    ];
  }
  if (facts.mayCreate || isStandby) return [];
  return [
    `The role "${role}" may make no tables in the schema "${schema}". ` +
      `Run: GRANT USAGE, CREATE ON SCHEMA ${quoted(schema)} TO ${quoted(role)};`,
  ];
}

function limitFaults(facts: Facts, connectionsMax: number): string[] {
  const { role, database, roleLimit, databaseLimit } = facts;
  const needs = `this process opens up to ${connectionsMax}`;
  const faults: string[] = [];
  if (roleLimit >= 0 && roleLimit < connectionsMax) {
    faults.push(
      `The role "${role}" may have ${roleLimit} connections at once, and ${needs}. ` +
        `Run: ALTER ROLE ${quoted(role)} CONNECTION LIMIT -1;`,
    );
  }
  if (databaseLimit >= 0 && databaseLimit < connectionsMax) {
    faults.push(
      `The database "${database}" may have ${databaseLimit} connections at once, and ${needs}. ` +
        `Run: ALTER DATABASE ${quoted(database)} CONNECTION LIMIT -1;`,
    );
  }
  return faults;
}

function settingFault(
  { role, database }: Facts,
  { name, found, wanted }: RefusedSetting,
  pooled: boolean,
): string {
  const why = pooled
    ? `${name} is ${found}, and behind a connection pooler Weir cannot set it for itself.`
    : `${name} is ${found}, and Weir may not change it.`;
  const after = pooled ? ' Then close the connections of the pooler (PgBouncer: RECONNECT;).' : '';
  return `${why} Run: ALTER ROLE ${quoted(role)} IN DATABASE ${quoted(database)} SET ${name} = '${wanted}';${after}`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
