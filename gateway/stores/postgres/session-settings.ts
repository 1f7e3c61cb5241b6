import type pg from 'pg';

/**
 * A setting of a PostgreSQL session that a role, a database or postgresql.conf may have set in a
 * way under which Weir fails or its books go wrong.
 */
export interface SessionSetting {
  readonly name: string;
  /** Weir sets it on each direct connection; null: only a superuser may, or Weir should not. */
  readonly value: string | null;
  /** It is set only in place of this value. */
  readonly onlyOver?: string;
  /** Values that are left as they are, and with which Weir starts where it cannot set any. */
  readonly accepts: RegExp;
}

/** Milliseconds: no limit, or five seconds and more, for statements that wait for a lock. */
const NO_SHORT_LIMIT = /^(0|\d{5,}|[5-9]\d{3})$/;
const ANY = /^/;

/**
 * All settings that Weir depends on, as pg_settings has them. A setting that the server does not
 * know, because its version is older, is left out. docs/operations.md lists them; a test compares.
 */
export const SESSION_SETTINGS: readonly SessionSetting[] = [
  // With another level a statement that waited for a lock fails with 40001 instead of going on.
  { name: 'default_transaction_isolation', value: 'read committed', accepts: /^read committed$/ },
  // Set by operators and hosters that want nothing to be written: Weir must not overrule them.
  { name: 'default_transaction_read_only', value: null, accepts: /^off$/ },
  { name: 'session_replication_role', value: null, accepts: /^origin$/ },
  // `off` acknowledges a bill that a crash of the server loses.
  {
    name: 'synchronous_commit',
    value: 'on',
    onlyOver: 'off',
    accepts: /^(on|local|remote_write|remote_apply)$/,
  },
  { name: 'lock_timeout', value: '0', accepts: NO_SHORT_LIMIT },
  { name: 'statement_timeout', value: '0', accepts: NO_SHORT_LIMIT },
  { name: 'transaction_timeout', value: '0', accepts: /^0$/ },
  // A process that hangs inside a transaction keeps its locks from all others.
  { name: 'idle_in_transaction_session_timeout', value: '60000', accepts: NO_SHORT_LIMIT },
  { name: 'idle_session_timeout', value: '0', accepts: ANY },
  { name: 'exit_on_error', value: 'off', accepts: /^off$/ },
  // How values are written: the driver reads times, numbers and bytes of these forms.
  { name: 'client_encoding', value: 'UTF8', accepts: /^UTF8$/ },
  { name: 'DateStyle', value: 'ISO, MDY', accepts: /^ISO, / },
  { name: 'TimeZone', value: 'UTC', accepts: ANY },
  { name: 'IntervalStyle', value: 'postgres', accepts: /^postgres$/ },
  { name: 'bytea_output', value: 'hex', accepts: /^(hex|escape)$/ },
  { name: 'extra_float_digits', value: '1', accepts: /^[0-3]$/ },
  { name: 'standard_conforming_strings', value: 'on', accepts: /^on$/ },
  { name: 'array_nulls', value: 'on', accepts: /^on$/ },
  { name: 'transform_null_equals', value: 'off', accepts: /^off$/ },
  { name: 'row_security', value: 'on', accepts: ANY },
];

/** Returns the second parameter of `APPLY_SETTINGS`. */
export function settingsJson(statementTimeoutMs: number): string {
  return JSON.stringify(
    SESSION_SETTINGS.filter(({ value }) => value !== null).map(({ name, value, onlyOver }) => ({
      name,
      value: name === 'statement_timeout' ? String(statementTimeoutMs) : value,
      onlyOver,
    })),
  );
}

/**
 * Sets them in the session if its process is $1; behind a pooler, which invents that number, the
 * next client would get them.
 */
export const APPLY_SETTINGS = `
  select pg_backend_pid() as "processId", (
    select count(set_config(name, wanted.value, false))
    from jsonb_to_recordset($2::jsonb) as wanted(name text, value text, "onlyOver" text)
    join pg_settings s using (name)
    where pg_backend_pid() = $1::bigint and s.setting <> wanted.value
      and coalesce(s.setting = wanted."onlyOver", true)) as applied`;

/** A setting with which Weir does not start. */
export interface RefusedSetting {
  readonly name: string;
  readonly found: string;
  /** The value to set instead. */
  readonly wanted: string;
}

/** Those that are not as they must be in this session. */
export async function refusedSettings(
  client: Pick<pg.ClientBase, 'query'>,
): Promise<RefusedSetting[]> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any ($1)',
    [SESSION_SETTINGS.map(({ name }) => name)],
  );
  const found = new Map(rows.map(({ name, setting }) => [name, setting]));
  return SESSION_SETTINGS.flatMap(({ name, accepts, value }) => {
    const setting = found.get(name);
    if (setting === undefined || accepts.test(setting)) return [];
    return [{ name, found: setting, wanted: value ?? NEUTRAL[name] ?? 'default' }];
  });
}

/** Neutral values of settings that Weir does not set. */
const NEUTRAL: Readonly<Record<string, string>> = {
  default_transaction_read_only: 'off',
  session_replication_role: 'origin',
};
