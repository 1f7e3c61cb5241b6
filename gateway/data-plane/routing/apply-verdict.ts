import { UPSTREAM_FAILED, type Verdict } from '../../providers/verdict.ts';
import type { BegunAttempt } from './health/channel-health.ts';
import type { HealthRoute } from './health/channel-state.ts';
import type { RequestFailures } from './health/request-failures.ts';
import { hasOtherCredential, type Choice } from './next-credential.ts';

/**
 * The time for which a credential that the upstream refused stays unused while the channel has
 * others. A revoked one costs an attempt a minute, and one that was refused for another reason is
 * soon back.
 */
const CREDENTIAL_COOLDOWN_MS = 60_000;
/** The time for which a credential is not used for a model that its account has no access to. */
const NO_ACCESS_COOLDOWN_MS = 60_000;

interface FailedRoute extends HealthRoute {
  /** The same in another protocol or at another location. */
  readonly alternative?: object | undefined;
}

/** An attempt that was not relayed. */
interface Failed {
  readonly route: FailedRoute;
  readonly credential: string | null;
  readonly begun: BegunAttempt;
  readonly verdict: Verdict;
  /** Set if the upstream replied. */
  readonly replied: boolean;
}

interface Request extends Pick<Choice, 'health'> {
  /** The channels, credentials and routes that the request has used up; appended to. */
  readonly tried: string[];
  readonly failures: RequestFailures;
  /** No other credential can serve the request, though others can serve the channel's requests. */
  readonly isBound: boolean;
  readonly accountId: string;
}

/**
 * Marks what this request will not use again, and what others are kept from: the credential, when
 * the failure concerns it and the channel has another one, the route, or the channel.
 */
export function applyVerdict(failed: Failed, request: Request): void {
  const { route, credential, begun, verdict } = failed;
  const { health, tried } = request;
  const isCredentialFault = credential !== null && concernsCredential(failed, request);
  const isOfModel = verdict.scope === 'model' || verdict.scope === 'credential_model';
  const isLimited = verdict.health === 'limited';
  const isOfPlace = hasOtherLocation(route) && (isLimited || verdict.scope === 'channel');
  if (isCredentialFault && !isOfPlace) tried.push(credential);
  else tried.push(isOfModel || isOfPlace ? route.healthKey : route.channel.id);
  if (isLimited) {
    const { retryAfterMs } = verdict.refusal;
    health.limited(isCredentialFault ? begun : { ...begun, credential: null }, retryAfterMs);
  } else if (isCredentialFault && isOfModel) health.limited(begun, NO_ACCESS_COOLDOWN_MS);
  else if (isCredentialFault) health.credentialRefused(begun, CREDENTIAL_COOLDOWN_MS);
  else if (isOfModel) {
    const refusal = verdict.refusal === UPSTREAM_FAILED ? undefined : verdict.refusal;
    health.missing(begun, { refusal, hasOther: route.alternative !== undefined });
  } else if (verdict.unreachable === true) health.unreachable(begun);
  else if (verdict.health === 'failed') request.failures.failed(begun, failed.replied);
}

/** A location without capacity, or that fails, says nothing about the channel's next one. */
function hasOtherLocation({ location, alternative }: FailedRoute): boolean {
  return location !== undefined && alternative !== undefined;
}

function concernsCredential(
  { route, credential, verdict }: Failed,
  { health, accountId, tried, isBound }: Request,
): boolean {
  const { scope } = verdict;
  if (credential === null || (scope !== 'credential' && scope !== 'credential_model')) return false;
  if (isBound) return route.channel.credentials.length > 1;
  const choice = { health, accountId, tried: [...tried, credential], conversation: null };
  return hasOtherCredential(route, choice);
}
