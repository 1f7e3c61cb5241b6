import type { UpstreamFailure } from '../../platform/errors/upstream-failure.ts';
import { verdictOn, type Verdict } from '../../providers/verdict.ts';
import { lacksOperation } from './refuse-operation.ts';
import type { ServedRoute } from './served-routes.ts';
import { lacksReply, type StoredRoute } from './stored-route.ts';

/** The upstream that was asked, and the stored state that it was asked about. */
interface Asked {
  readonly route: ServedRoute;
  /** The stored reply or conversation that the request continues; null: none. */
  readonly stored: StoredRoute | null;
}

interface ErrorReply {
  readonly status: number;
  readonly retryAfterMs: number | null;
  readonly errorType: string;
}

/** Judges a status other than 2xx: what an upstream lacks says nothing about its models. */
export function judgeError(
  { route, stored }: Asked,
  { status, retryAfterMs, errorType }: ErrorReply,
  body: Buffer,
): Verdict {
  return (
    lacksOperation(route, status, body) ??
    lacks(stored, status, body) ??
    route.provider.classifyError(status, retryAfterMs, body, errorType)
  );
}

/** Judges a call without a head, or a reply of which the client has seen nothing. */
export function judgeFailure({ route, stored }: Asked, failure: UpstreamFailure): Verdict {
  const { body } = failure;
  const reported = body === undefined ? undefined : lacks(stored, 200, body);
  return reported ?? verdictOn(failure, route.provider);
}

function lacks(stored: StoredRoute | null, status: number, body: Buffer): Verdict | undefined {
  return stored === null ? undefined : lacksReply(stored, status, body);
}
