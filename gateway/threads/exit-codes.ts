/** How the process ends. */
export const EXIT = {
  /** Asked to stop, and everything was finished. */
  ok: 0,
  /** The configuration is wrong, or a store cannot be used; a sentence says which. */
  cannotStart: 1,
  /** The main thread broke an invariant. */
  broken: 5,
  /** Told to stop a second time: at once, whatever was in flight. */
  stoppedTwice: 2,
  /** The HTTP threads die as fast as they are started. */
  threadsKeepDying: 3,
  /** Asked to stop, but requests were still in flight when the time was over. */
  unfinished: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
