/** Steps 4 to 6 of the request path: channels are tried until one delivers. */
import { CLIENT_GONE, isOutcome, type Outcome } from './attempt-outcome.ts';
import { Attempt, type AttemptParts } from './attempt.ts';
import type { Billing } from './billing/billing.ts';
import type { Offer } from '../catalog/catalog.ts';
import type { ClientReply } from './reply/client-reply.ts';
import type { Refusal } from '../platform/errors/refusal.ts';
import type { ModelEndpoint } from '../protocols/endpoint.ts';
import type { ParsedRequest } from '../protocols/protocol.ts';
import { maskUpstreamModel, type Verdict } from '../providers/verdict.ts';
import { cleanMessage } from '../request-history/upstream-message.ts';
import type { ActiveRequest } from './request-path.ts';
import { applyVerdict } from './routing/apply-verdict.ts';
import { Corrections, type Way } from './routing/corrections.ts';
import { RequestFailures } from './routing/health/request-failures.ts';
import { isPreferredRoute } from './routing/is-preferred-route.ts';
import { nextCredential, type Choice } from './routing/next-credential.ts';
import { nextRoute } from './routing/next-route.ts';
import { refuseNoChannel } from './routing/refuse-no-channel.ts';
import type { ServedRoute } from './routing/served-routes.ts';
import { otherCredentials, refuseStoredAway, type StoredRoute } from './routing/stored-route.ts';
import type { UpstreamBodies } from './upstream-bodies.ts';

/** An admitted request: its money is held. */
export interface AdmittedRequest {
  readonly request: ParsedRequest;
  readonly offer: Offer;
  readonly billing: Billing;
}

/** The same with what is known of where it can be sent. */
export interface SendableRequest extends AdmittedRequest {
  readonly routes: readonly ServedRoute[];
  /** The only place that can serve the request, if it refers to something stored. */
  readonly stored: StoredRoute | null;
  readonly bodies: UpstreamBodies;
}

/** The inputs of a delivery. */
interface Delivery
  extends SendableRequest, Pick<ActiveRequest<ModelEndpoint>, 'endpoint' | 'context' | 'trace'> {
  readonly client: ClientReply;
}

/**
 * Tries channels, and the credentials of those that have several, until one delivers. Returns how
 * to end the reply; its last bytes wait for the settle.
 */
export async function deliver(delivery: Delivery): Promise<Outcome | Refusal> {
  const { request, offer, billing, routes, stored, client, context, trace } = delivery;
  const { health, counters } = context;
  /** Ids of channels, and credentials of channels that have another one left. */
  const tried: string[] = stored === null ? [] : otherCredentials(stored);
  const { accountId } = billing;
  const { conversation } = request;
  const choice: Choice = { health, accountId, tried, conversation };
  const failures = new RequestFailures(health, request.bytes);
  const corrections = new Corrections(context.learnedFields, accountId);
  let verdict: Verdict | undefined;
  const { upstreamAttemptsMax } = context.config;
  while (billing.attempts - corrections.times < upstreamAttemptsMax && !client.clientGone) {
    // 4 route
    const next = corrections.again ?? nextWay(routes, choice);
    if (next === undefined) break;
    const { route, credential } = next;
    const moved =
      stored === null &&
      conversation !== null &&
      !isPreferredRoute(routes, { route, credential }, conversation);

    const withoutProofs = moved || corrections.withoutProofs;
    const way = { ...next, withoutProofs, corrections };
    const { attempt, result } = await tryOnce(way, delivery, failures);
    counters.attempted(route.channel.id, result.health === 'failed');
    if (isOutcome(result)) {
      corrections.taken(route);
      // It broke off midway.
      if (result.health === 'failed') failures.failed(attempt.begun, false);
      return result;
    }
    verdict = maskUpstreamModel(result, route.upstreamModel, request.model);
    if (corrections.correct(next, { ...attempt.failed, verdict, withoutProofs })) continue;
    trace.refusalMessage = cleanMessage(verdict.refusal.message, { body: request.bytes });
    const { begun, replied } = attempt;
    applyVerdict(
      { route, credential, begun, verdict, replied },
      { health, tried, failures, accountId, isBound: stored !== null },
    );
    if (!verdict.failover) break;
  }
  failures.ended();
  if (client.clientGone) return CLIENT_GONE;
  if (verdict !== undefined) return verdict.refusal;
  return stored === null
    ? refuseNoChannel(offer, { routes, health, accountId })
    : refuseStoredAway(stored, health, accountId);
}

function nextWay(routes: readonly ServedRoute[], choice: Choice): Way | undefined {
  const route = nextRoute(routes, choice);
  return route && { route, credential: nextCredential(route, choice) };
}

/** Steps 5 and 6: one attempt, which has reported its end to the breakers. */
async function tryOnce(
  {
    route,
    credential,
    withoutProofs,
    corrections,
  }: Pick<AttemptParts, 'route' | 'credential' | 'withoutProofs' | 'corrections'>,
  delivery: Delivery,
  failures: RequestFailures,
): Promise<{ readonly attempt: Attempt; readonly result: Outcome | Verdict }> {
  const { context, trace, request, bodies, client, billing, stored, endpoint } = delivery;
  const { accountId } = billing;
  const { usageMember, stored: form } = endpoint.protocol;
  const ids =
    route.channel.storesResponses && form
      ? context.storedIds.idsFor(request, { billing, route, credential }, form)
      : undefined;
  const attempt = new Attempt({
    context,
    trace,
    request,
    bodies,
    client,
    billing,
    number: billing.attempting(route),
    begun: context.health.started(route, { credential, accountId }),
    route,
    credential,
    withoutProofs,
    corrections,
    stored,
    costPlace: request.reportsCost === true ? usageMember : null,
    ids,
  });
  client.attempt = attempt;
  let result: Outcome | Verdict;
  try {
    // 5 send
    const head = await attempt.send();
    if ('refusal' in head) result = head;
    else {
      failures.served();
      // 6 relay
      result = await attempt.relay(head);
    }
  } catch (error) {
    // Otherwise it would count as in flight for ever, and as a probe that never ends.
    attempt.finish(false);
    throw error;
  }
  attempt.finish(result.health === 'succeeded');
  return { attempt, result };
}
