/**
 * Codes of Node.js and PostgreSQL (Appendix A) for a server that is unreachable, starting,
 * stopping, accepts no connections or has cancelled a statement. A stopped container has no host
 * name; a machine that is off has no route.
 */
const CODES: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  // Its password was changed, or pg_hba.conf; the database was dropped or closed to connections.
  '28000',
  '28P01',
  '3D000',
  '55000',
  '57014',
]);
/**
 * Classes: connection exception, insufficient resources (too many connections, out of memory), and
 * 57P01 to 57P05 of a server that ends, crashes or starts, or has ended this session.
 */
const CLASSES = /^(08|53|57P)/;

/** Messages of pg for connections that broke, failed to open or are silent; they have no codes. */
const WORDS =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** True when a query failed because the database is unavailable: it may succeed later. */
export function isConnectionError(error: Error): boolean {
  if (!('code' in error)) return WORDS.test(error.message);
  if (CODES.has(error.code) || WORDS.test(error.message)) return true;
  return typeof error.code === 'string' && CLASSES.test(error.code);
}

const READ_ONLY = '25006';
const NO_SPACE = new Set(['53000', '53100', '53200', '53400']);

/** The server answers and takes no changes: a standby, or one that was set so. */
export function isReadOnlyError(error: Error): boolean {
  return 'code' in error && error.code === READ_ONLY;
}

/** Its disk or memory is full, or another resource. */
export function isNoSpaceError(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && NO_SPACE.has(error.code);
}

/** SQLSTATE classes with which a row always fails: data exception, integrity violation. */
const DATA_CLASSES = /^2[23]/;

/** True when PostgreSQL refuses what is written: the same rows would be refused again. */
export function isDataError(error: unknown): error is Error & { readonly code: string } {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return typeof error.code === 'string' && DATA_CLASSES.test(error.code);
}

/** Codes of PostgreSQL, or of a pooler: the connection or the server ended during a statement. */
const BROKE_OFF_CODE = /^(08|57P0[12])/;
const BROKE_OFF_WORDS = /^(Query read timeout|Connection terminated( unexpectedly)?$)/;

/**
 * True when a query on an open connection failed with an unknown outcome: it may have been
 * executed, or still be. pg uses the same messages for a connection that never opened; then nothing
 * was sent.
 */
export function mayHaveExecuted(error: Error): boolean {
  if ('syscall' in error) return error.syscall === 'read' || error.syscall === 'write';
  if ('code' in error && typeof error.code === 'string') return BROKE_OFF_CODE.test(error.code);
  return BROKE_OFF_WORDS.test(error.message);
}
