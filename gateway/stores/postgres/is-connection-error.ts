/**
 * Codes of Node.js and of PostgreSQL (its Appendix A) for a server that is not there, is starting or ending, is full, or gave a statement up.
 * A container that has stopped has no name any more, a machine that is off no route to it.
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

/** How pg begins what it says of a connection that broke, did not come about or is silent; it has no codes for them. */
const WORDS =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** True when a query failed because the database does not answer now: the same one may succeed later. */
export function isConnectionError(error: Error): boolean {
  return ('code' in error && CODES.has(error.code)) || WORDS.test(error.message);
}

/** Of PostgreSQL, and of a pooler before it: the connection, or the server, ended amid a statement. */
const BROKE_OFF_CODE = /^(08|57P0[12])/;
const BROKE_OFF_WORDS = /^(Query read timeout|Connection terminated( unexpectedly)?$)/;

/**
 * True when nobody knows what became of a query that failed on a connection that was there: it may have been carried out, or be carried
 * out still. Of a connection that ends before it has come about pg says the same words; nothing was sent over that one.
 */
export function mayHaveExecuted(error: Error): boolean {
  if ('syscall' in error) return error.syscall === 'read' || error.syscall === 'write';
  if ('code' in error && typeof error.code === 'string') return BROKE_OFF_CODE.test(error.code);
  return BROKE_OFF_WORDS.test(error.message);
}
