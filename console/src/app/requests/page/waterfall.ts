import type { FailedAttemptView } from '@weir/shared/watch/requests';
import type { RequestRow } from '../requests-state';

/** Steps of a request, in the order in which they begin. */
export type SpanKind = 'receive' | 'hold' | 'failed' | 'upstream' | 'reply' | 'settle';

/** One bar of the waterfall, in milliseconds from the arrival of the request. */
export interface Span {
  readonly kind: SpanKind;
  readonly fromMs: number;
  readonly toMs: number;
  /** For attempts that failed. */
  readonly attempt: FailedAttemptView | null;
}

export interface Waterfall {
  readonly spans: readonly Span[];
  /** The length of the axis; never zero. */
  readonly totalMs: number;
  readonly firstTokenMs: number | null;
}

/**
 * The steps of a request on one axis. Steps that were not kept are left out: those that it did not
 * reach, and those of entries of former versions.
 */
export function waterfallOf(request: RequestRow): Waterfall {
  const { durationMs, firstByteMs, phases } = request;
  const { holdFromMs, heldMs, attemptFromMs, settleFromMs } = phases;
  const failed = request.failedAttempts ?? [];
  const spans: Span[] = [];
  const add = (kind: SpanKind, fromMs: number | null, toMs: number | null): void => {
    if (fromMs !== null && toMs !== null) spans.push({ kind, fromMs, toMs, attempt: null });
  };
  add('receive', 0, holdFromMs ?? (attemptFromMs === null ? durationMs : null));
  add('hold', holdFromMs, heldMs ?? (attemptFromMs === null ? durationMs : null));
  for (const attempt of failed) {
    if (attempt.startedMs === null) continue;
    const toMs = attempt.startedMs + attempt.durationMs;
    spans.push({ kind: 'failed', fromMs: attempt.startedMs, toMs, attempt });
  }
  // A reply came from the last attempt, unless that is among those that failed.
  const endMs = settleFromMs ?? durationMs;
  const isServed = failed.every(({ startedMs }) => startedMs !== attemptFromMs);
  if (attemptFromMs !== null && isServed) {
    add('upstream', attemptFromMs, firstByteMs ?? endMs);
    if (firstByteMs !== null) add('reply', firstByteMs, endMs);
  }
  add('settle', settleFromMs, durationMs);
  return { spans, totalMs: Math.max(1, durationMs), firstTokenMs: firstByteMs };
}

/** Where a bar begins and how long it is, in percent of the axis. */
export function placeOf(
  { fromMs, toMs }: Pick<Span, 'fromMs' | 'toMs'>,
  totalMs: number,
): { readonly left: number; readonly width: number } {
  const percent = (ms: number): number => Math.min(100, Math.max(0, (100 * ms) / totalMs));
  const left = percent(fromMs);
  return { left, width: Math.max(0, percent(toMs) - left) };
}
