const CHANGED =
  'Tables or functions of Weir were changed by hand. To have its functions made again, start it after: DELETE FROM schema_functions;';

/** Advice for a statement that PostgreSQL refuses at the start, by SQLSTATE. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  [
    '42501',
    "Make the role of DATABASE_URL the owner of Weir's tables and functions: REASSIGN OWNED BY <their owner> TO <the role>; or grant what the message names.",
  ],
  [
    '25006',
    "Let the role write: ALTER DATABASE <database> SET default_transaction_read_only = 'off';",
  ],
  ['3F000', 'Give the role a schema: GRANT USAGE, CREATE ON SCHEMA public TO <the role>;'],
  ['42P07', 'Another program uses the same schema. Give Weir a database of its own.'],
  ['42710', 'Another program uses the same schema. Give Weir a database of its own.'],
  ['42723', 'Another program uses the same schema. Give Weir a database of its own.'],
  ['42883', CHANGED],
  ['42P01', CHANGED],
  ['42703', CHANGED],
  ['22P05', "Make a database of UTF8: CREATE DATABASE weir ENCODING 'UTF8' TEMPLATE template0;"],
  ['53100', 'Its disk is full: make room.'],
  ['53200', 'Its memory is used up.'],
  ['53300', 'It has too few connections: raise max_connections, or the limit of the role.'],
  ['53400', 'A limit of its configuration is reached.'],
  ['57014', 'A time limit of the role or the database is too short: set statement_timeout = 0.'],
  ['25P04', 'A time limit of the role or the database is too short: set transaction_timeout = 0.'],
]);

/**
 * The sentence for an error, or its cause, that PostgreSQL raises because of how it is set up;
 * undefined for any other error, which is a fault of Weir.
 */
export function explainRefusal(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const advice = ADVICE.get(code);
  if (advice === undefined) return explainRefusal(error.cause);
  return `PostgreSQL refuses what Weir needs (${error.message}, SQLSTATE ${code}). ${advice}`;
}
