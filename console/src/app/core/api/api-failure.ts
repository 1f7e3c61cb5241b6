import type { ErrorCode } from '@weir/shared/api/error-catalogue';

/** Failures that have no reply to take a code from. */
export type ClientCode = 'unreachable' | 'unreadable_reply' | 'cut_off';

export type FailureCode = ErrorCode | ClientCode | 'unknown';

export interface FieldFault {
  readonly field: string;
  readonly detail: string;
}

/** The failure of a call. `detail` is the server's own sentence, in English; decide by `code`. */
export interface Failure {
  readonly code: FailureCode;
  readonly status: number;
  readonly detail: string;
  /** The id to report to the operator; null if no server replied. */
  readonly requestId: string | null;
  readonly fields: readonly FieldFault[];
  readonly retryAfterMs: number | null;
  /** An act that may have been done anyway. */
  readonly mayBeDone: boolean;
}

/**
 * A failure on its way to the component that shows it. Anything else that is thrown is a bug of the
 * console.
 */
export class ApiFailure extends Error implements Failure {
  readonly code: FailureCode;
  readonly status: number;
  readonly detail: string;
  readonly requestId: string | null;
  readonly fields: readonly FieldFault[];
  readonly retryAfterMs: number | null;
  readonly mayBeDone: boolean;

  constructor(failure: Partial<Failure> & Pick<Failure, 'code'>) {
    super(`${failure.code}: ${failure.detail ?? ''}`);
    this.name = 'ApiFailure';
    this.code = failure.code;
    this.status = failure.status ?? 0;
    this.detail = failure.detail ?? '';
    this.requestId = failure.requestId ?? null;
    this.fields = failure.fields ?? [];
    this.retryAfterMs = failure.retryAfterMs ?? null;
    this.mayBeDone = failure.mayBeDone ?? false;
  }
}

/**
 * The failure behind whatever was thrown; a bug becomes an `unknown` failure, so that a page never
 * hangs.
 */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof ApiFailure) return thrown;
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  return new ApiFailure({ code: 'unknown', detail });
}
