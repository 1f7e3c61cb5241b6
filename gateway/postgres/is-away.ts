/** Codes of Node.js and of PostgreSQL (its Appendix A) for a server that is not there, is starting or ending, is full, or gave a statement up. */
const CODES: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
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
export function isAway(error: Error): boolean {
  return ('code' in error && CODES.has(error.code)) || WORDS.test(error.message);
}
