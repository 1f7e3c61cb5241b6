/**
 * A comment line: every tested SDK skips it, and proxies and clients see that the stream is alive.
 */
export const SSE_KEEP_ALIVE = ': keep-alive\n\n';
