/** npm passes on what the terminal has sent already: two signals within this time are one. */
const SAME_SIGNAL_MS = 500;

/**
 * Asks for an orderly end at the first SIGTERM, SIGINT or SIGHUP (the terminal was closed), and
 * ends the process at once at the second. By SIGKILL, because process.exit with HTTP threads that
 * still serve aborts with a memory dump.
 */
export function onSignals(stop: () => void): void {
  let firstAtMs: number | undefined;
  const receive = (): void => {
    if (firstAtMs === undefined) {
      firstAtMs = performance.now();
      stop();
    } else if (performance.now() - firstAtMs > SAME_SIGNAL_MS) endAtOnce();
  };
  process.on('SIGTERM', receive);
  process.on('SIGINT', receive);
  // It comes under nohup, too: Node.js takes back at its start what a parent has set for signals.
  process.on('SIGHUP', receive);
}

export function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL');
  // Only the first process of a container gets here: the kernel does not let it kill itself.
  process.abort();
}
