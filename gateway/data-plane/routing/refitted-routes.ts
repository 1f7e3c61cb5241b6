import { steadyNowMs } from '../../platform/clock/steady-clock.ts';

/**
 * The time for which an account's requests are fitted before they are sent, after one had to be.
 */
const REFITTED_MS = 3_600_000;
/** The most routes that this thread remembers; the oldest are forgotten first. */
const REFITTED_MAX = 10_000;

const untilMs = new Map<string, number>();

function keyOf(healthKey: string, accountId: string): string {
  return `${healthKey} ${accountId}`;
}

/**
 * Notes that an upstream has refused a request of an account in its own protocol, and has taken it
 * when it was fitted: the next turns of the same conversation have the same tools and messages.
 */
export function noteRefitted(healthKey: string, accountId: string): void {
  const key = keyOf(healthKey, accountId);
  untilMs.delete(key);
  untilMs.set(key, steadyNowMs() + REFITTED_MS);
  if (untilMs.size <= REFITTED_MAX) return;
  for (const oldest of untilMs.keys()) {
    untilMs.delete(oldest);
    return;
  }
}

/** Reports whether a request of an account is fitted before an upstream has refused it. */
export function isRefitted(healthKey: string, accountId: string): boolean {
  if (untilMs.size === 0) return false;
  const key = keyOf(healthKey, accountId);
  const until = untilMs.get(key);
  if (until === undefined) return false;
  if (steadyNowMs() < until) return true;
  untilMs.delete(key);
  return false;
}
