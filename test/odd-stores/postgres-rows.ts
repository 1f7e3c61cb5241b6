import type pg from 'pg';

/** A database and a role of its own, of which a row of the table sets or forbids something. */
export interface OddDatabase {
  readonly name: string;
  readonly role: string;
  readonly password: string;
  /** A superuser's connection to that database. */
  readonly admin: pg.Client;
}

/** One odd way to set up PostgreSQL. */
export interface PostgresRow {
  readonly what: string;
  /** Options of CREATE DATABASE. */
  readonly database?: string;
  readonly prepare?: (odd: OddDatabase) => Promise<unknown>;
  /** The sentence with which the start is refused; none: it serves. */
  readonly refused?: RegExp;
  /** The same behind PgBouncer, where that differs. */
  readonly refusedPooled?: RegExp | null;
  /** Done after Weir has migrated the database once. */
  readonly migrated?: boolean;
  readonly majorMin?: number;
  /** A pooler would not get as far as Weir. */
  readonly directOnly?: boolean;
  /** Also in the short test. */
  readonly quick?: boolean;
}

const ofRole =
  (setting: string) =>
  ({ admin, role }: OddDatabase) =>
    admin.query(`alter role ${role} set ${setting}`);

const ofDatabase =
  (setting: string) =>
  ({ admin, name }: OddDatabase) =>
    admin.query(`alter database ${name} set ${setting}`);

const run =
  (...statements: readonly string[]) =>
  async ({ admin, role, name }: OddDatabase) => {
    for (const statement of statements) {
      await admin.query(statement.replaceAll('$role', role).replaceAll('$database', name));
    }
  };

/** Refused behind a pooler alone, with the command that sets it for the role. */
function setting(name: string, value: string, options: Partial<PostgresRow> = {}): PostgresRow {
  return {
    what: `${name} of the role is ${value}`,
    prepare: ofRole(`${name} = '${value}'`),
    refusedPooled: new RegExp(`${name} is .* Run: ALTER ROLE .* SET ${name} = .*RECONNECT`),
    ...options,
  };
}

const POOLED_SERVES = { refusedPooled: null } as const;
const NO_CREATE =
  /may make no tables in the schema "public".*GRANT USAGE, CREATE ON SCHEMA "public"/;

export const POSTGRES_ROWS: readonly PostgresRow[] = [
  { what: 'nothing odd' },
  setting('default_transaction_isolation', 'repeatable read'),
  setting('default_transaction_isolation', 'serializable', { quick: true }),
  {
    what: 'default_transaction_isolation of the database is serializable',
    prepare: ofDatabase(`default_transaction_isolation = 'serializable'`),
    refusedPooled: /default_transaction_isolation is serializable/,
  },
  setting('DateStyle', 'SQL, DMY'),
  setting('DateStyle', 'German'),
  setting('DateStyle', 'ISO, DMY', POOLED_SERVES),
  setting('TimeZone', 'Asia/Kolkata', POOLED_SERVES),
  setting('IntervalStyle', 'sql_standard'),
  setting('bytea_output', 'escape', POOLED_SERVES),
  setting('extra_float_digits', '-15'),
  setting('standard_conforming_strings', 'off'),
  setting('array_nulls', 'off'),
  setting('transform_null_equals', 'on'),
  setting('client_encoding', 'LATIN1', POOLED_SERVES),
  setting('lock_timeout', '1'),
  setting('statement_timeout', '900'),
  setting('idle_in_transaction_session_timeout', '1'),
  setting('idle_session_timeout', '1000', POOLED_SERVES),
  setting('transaction_timeout', '900', { majorMin: 17 }),
  setting('synchronous_commit', 'off'),
  setting('exit_on_error', 'on'),
  setting('row_security', 'off', POOLED_SERVES),
  setting('check_function_bodies', 'off', POOLED_SERVES),
  setting('client_min_messages', 'debug5', POOLED_SERVES),
  setting('default_transaction_deferrable', 'on', POOLED_SERVES),
  setting('escape_string_warning', 'off', POOLED_SERVES),
  setting('quote_all_identifiers', 'on', POOLED_SERVES),
  setting('jit', 'off', POOLED_SERVES),
  setting('plan_cache_mode', 'force_generic_plan', POOLED_SERVES),
  setting('enable_indexscan', 'off', POOLED_SERVES),
  {
    what: 'default_transaction_read_only of the role',
    prepare: ofRole('default_transaction_read_only = on'),
    refused: /default_transaction_read_only is on.*SET default_transaction_read_only = 'off'/,
    quick: true,
  },
  {
    what: 'default_transaction_read_only of the database',
    prepare: ofDatabase('default_transaction_read_only = on'),
    refused: /default_transaction_read_only is on/,
  },
  {
    what: 'session_replication_role is replica',
    prepare: ofRole('session_replication_role = replica'),
    refused: /session_replication_role is replica.*SET session_replication_role = 'origin'/,
  },
  {
    what: 'the role may make no tables',
    prepare: run('alter schema public owner to postgres'),
    refused: NO_CREATE,
    quick: true,
  },
  {
    what: 'the role may not use the schema',
    prepare: run(
      'alter schema public owner to postgres',
      'revoke usage on schema public from public',
    ),
    refused: /can use no schema of its search_path.*GRANT USAGE, CREATE ON SCHEMA public/,
  },
  {
    what: 'the search_path names no schema',
    prepare: ofRole(`search_path = 'nowhere'`),
    refused: /can use no schema of its search_path \(nowhere\)/,
  },
  {
    what: 'the search_path begins with a schema of the role',
    prepare: run('create schema $role authorization $role'),
  },
  {
    what: 'the schema is not public',
    prepare: run(
      'create schema weir authorization $role',
      'alter role $role in database $database set search_path = weir',
      'drop schema public cascade',
    ),
    quick: true,
  },
  {
    what: 'a schema with tables of the same names is behind the own one',
    prepare: run(
      'create schema weir authorization $role',
      'create table public.accounts (id integer)',
      'create table public.keys (id integer)',
      'alter role $role in database $database set search_path = weir, public',
    ),
  },
  {
    what: 'the schema has tables of another program',
    prepare: run('create table accounts (id integer)', 'create table users (id integer)'),
    refused: /has tables of another program \(accounts, users\).*CREATE SCHEMA weir AUTHORIZATION/,
    quick: true,
  },
  {
    what: 'another program keeps its own schema_migrations',
    prepare: run('create table schema_migrations (version bigint primary key)'),
    refused: /has tables of another program \(schema_migrations\)/,
  },
  {
    what: 'the database is of LATIN1',
    database: `encoding 'LATIN1' lc_collate 'C' lc_ctype 'C'`,
    refused: /has the encoding LATIN1.*CREATE DATABASE weir ENCODING 'UTF8' TEMPLATE template0/,
    quick: true,
  },
  {
    what: 'the database is of SQL_ASCII',
    database: `encoding 'SQL_ASCII'`,
    refused: /has the encoding SQL_ASCII/,
  },
  {
    what: 'the role may have five connections',
    prepare: run('alter role $role connection limit 5'),
    refused: /may have 5 connections at once.*ALTER ROLE "\w+" CONNECTION LIMIT -1/,
    refusedPooled: null,
    quick: true,
  },
  {
    what: 'the database may have five connections',
    prepare: run('alter database $database connection limit 5'),
    refused: /may have 5 connections at once.*ALTER DATABASE "\w+" CONNECTION LIMIT -1/,
    refusedPooled: null,
  },
  {
    what: 'the role may not make temporary tables',
    prepare: run('revoke temporary on database $database from public, $role'),
  },
  {
    what: 'the role may not connect',
    directOnly: true,
    prepare: run(
      'revoke connect on database $database from public, $role',
      'alter database $database owner to postgres',
      'revoke connect on database $database from $role',
    ),
    refused: /PostgreSQL (cannot be used|refuses).*permission denied for database/,
  },
  {
    what: 'the role may not log in',
    directOnly: true,
    prepare: run('alter role $role nologin'),
    refused: /PostgreSQL cannot be used.*not permitted to log in/,
  },
  {
    what: "the role's password has ended",
    directOnly: true,
    prepare: run(`alter role $role valid until '2020-01-01'`),
    refused: /PostgreSQL cannot be used.*authentication failed/,
  },
  {
    what: 'the tables belong to another role',
    migrated: true,
    prepare: run(
      'create role $role_other',
      'reassign owned by $role to $role_other',
      'grant all on all tables in schema public to $role',
      'grant all on all sequences in schema public to $role',
      'grant all on schema public to $role',
    ),
    refused: /tables belong to the role \w+_other.*Run: GRANT \w+_other TO/,
    quick: true,
  },
  {
    what: 'the role has given a right on a table away',
    migrated: true,
    prepare: run('revoke insert on usage_records from $role'),
    refused: /permission denied for table usage_records.*42501/,
  },
  {
    what: 'a policy hides all rows from the role',
    migrated: true,
    prepare: run(
      'alter table accounts enable row level security',
      'alter table accounts force row level security',
    ),
    refused: /row-level security policy for table "accounts".*42501/,
  },
  {
    what: 'a trigger is disabled',
    migrated: true,
    prepare: run(
      'alter table credits disable trigger all',
      'alter table keys disable trigger all',
      'alter table accounts disable trigger all',
    ),
    refused: /self-test of PostgreSQL failed: triggers do not run/,
  },
  {
    what: 'a function has been taken away',
    migrated: true,
    prepare: run('drop function ledger_extend'),
    refused: /ledger_extend.*does not exist.*42883/,
  },
];
