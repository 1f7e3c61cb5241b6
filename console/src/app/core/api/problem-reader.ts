import { ERROR_CATALOGUE, type ErrorCode } from '@weir/shared/api/error-catalogue';
import { Problem } from '@weir/shared/api/problem';
import { ApiFailure } from './api-failure';
import { matchesSchema } from './matches-schema';

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CATALOGUE, code);
}

interface FailedReply {
  /** 0 when nothing came back. */
  readonly status: number;
  readonly body: unknown;
  readonly requestId: string | null;
}

/**
 * Reads a failed reply of the admin API. A proxy in between may answer with anything, so nothing is
 * taken for granted.
 */
export function readProblem({ status, body, requestId }: FailedReply): ApiFailure {
  if (status === 0) return new ApiFailure({ code: 'unreachable' });
  if (!matchesSchema(Problem, body)) return new ApiFailure({ code: 'unknown', status, requestId });
  return new ApiFailure({
    code: isErrorCode(body.code) ? body.code : 'unknown',
    status,
    detail: body.detail,
    requestId: body.requestId,
    fields: body.errors ?? [],
    retryAfterMs: body.retryAfterMs ?? null,
  });
}
