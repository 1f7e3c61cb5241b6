import { steadyNowMs } from '../../platform/clock/steady-clock.ts';
import type { RequestTrace } from '../request-trace.ts';
import type { ThreadContext } from '../thread-context.ts';

/**
 * Counts a request, writes its line in the log and enters it into the request history, also when it
 * was refused for its path; of requests without a known key a limited number a second. Probes,
 * preflights and the bare address have none.
 */
export function conclude(
  { counters, log, history, content }: ThreadContext,
  trace: RequestTrace,
): void {
  const nowMs = steadyNowMs();
  counters.finished(trace, nowMs);
  history.add(trace, nowMs, log.request(trace, nowMs));
  if (trace.recording !== null) content.end(trace.recording, trace);
}
