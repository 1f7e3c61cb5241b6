import type { AttemptResult } from './routing/health/channel-health.ts';
import type { Verdict } from '../providers/verdict.ts';

/** A reply that is complete except its last bytes, and what the attempt says about its channel. */
export interface Outcome {
  readonly health: AttemptResult;
  /** Sends the last bytes; called when the request is settled. */
  send(): void;
}

/** The result of an attempt: a reply, or a verdict if the client has received nothing of it. */
export type Result = Outcome | Verdict;

export function isOutcome(result: Result): result is Outcome {
  return 'send' in result;
}

/**
 * The outcome for a client that has left: nothing is sent, and nothing is learnt about the channel.
 */
export const CLIENT_GONE: Outcome = { health: 'unknown', send: () => undefined };
