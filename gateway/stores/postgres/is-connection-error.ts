/**
 * Codes of Node.js and PostgreSQL (Appendix A) for a server that is unreachable, starting, stopping
 * or full, or has cancelled a statement. A stopped container has no host name; a machine that is
 * off has no route.
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
  '53300',
  '57014',
  '57P01',
  '57P02',
  '57P03',
]);

/** Messages of pg for connections that broke, failed to open or are silent; they have no codes. */
const WORDS =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** True when a query failed because the database is unavailable: it may succeed later. */
export function isConnectionError(error: Error): boolean {
  return ('code' in error && CODES.has(error.code)) || WORDS.test(error.message);
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
