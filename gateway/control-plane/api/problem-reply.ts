import type { FastifyReply } from 'fastify';
import { redactSecrets } from '@weir/shared/redact-secrets';
import { ERROR_CATALOGUE } from '@weir/shared/api/error-catalogue';
import type { Problem } from '@weir/shared/api/problem';
import type { Refusal } from '../../platform/errors/refusal.ts';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

interface Details {
  readonly errors?: NonNullable<Problem['errors']>;
}

/** A refusal as RFC 9457 problem details. */
function problemFrom(refusal: Refusal, requestId: string, details: Details = {}): Problem {
  const entry = ERROR_CATALOGUE[refusal.refused];
  const errors =
    details.errors ??
    (refusal.param === null
      ? undefined
      : [{ field: refusal.param, detail: refusal.message.slice(0, 500) }]);
  return {
    type: `/api/problems/${refusal.refused}`,
    title: entry.title,
    status: entry.status,
    detail: refusal.message,
    code: refusal.refused,
    requestId,
    ...(errors === undefined ? {} : { errors }),
    ...(refusal.retryAfterMs === null ? {} : { retryAfterMs: refusal.retryAfterMs }),
  };
}

export function sendProblem(reply: FastifyReply, refusal: Refusal, details: Details = {}): void {
  const problem = problemFrom(refusal, reply.request.id, details);
  if (refusal.retryAfterMs !== null) {
    void reply.header('retry-after', String(Math.max(1, Math.ceil(refusal.retryAfterMs / 1000))));
  }
  void reply
    .code(problem.status)
    .header('cache-control', 'no-store')
    .type(PROBLEM_MEDIA_TYPE)
    // A string passes by the reply schemas, which describe success.
    .send(redactSecrets(JSON.stringify(problem)));
}
