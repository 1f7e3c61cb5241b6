/**
 * In the address of the embedded database, for `pg`, which believes the address before a pool's
 * settings: there is no time after which a query is given up. One that waits for the session has
 * been sent and will be carried out, however late; a caller that had given it up would take what it
 * does for undone. Nor can this database fall silent: when it dies, its connections end.
 */
export const WAIT_FOR_ANSWERS = 'query_timeout=';

/** True for an address of the embedded database, whose connections share one session. */
export function isEmbeddedAddress(url: string): boolean {
  return url.includes(WAIT_FOR_ANSWERS);
}
