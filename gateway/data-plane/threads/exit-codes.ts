/**
 * The exit codes of the process. A second request to stop kills it (SIGKILL, 137 in a shell):
 * process.exit with HTTP threads that still serve would abort with a memory dump.
 */
export const EXIT = {
  /** Asked to stop, and everything was finished. */
  ok: 0,
  /** The configuration is wrong, or a store or port cannot be used; a sentence says which. */
  cannotStart: 1,
  /** The HTTP threads die as fast as they are started. */
  threadsKeepDying: 3,
  /** Asked to stop, but requests were still in flight when the time was over. */
  unfinished: 4,
  /** The main thread broke an invariant. */
  broken: 5,
  /** The embedded database died. */
  databaseDied: 6,
  /**
   * Asked to stop, but the ledger did not take every bill; the log has the records of those that
   * were given up. 7 is Node.js' own.
   */
  billsGivenUp: 8,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
