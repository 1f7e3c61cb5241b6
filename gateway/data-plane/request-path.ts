/**
 * The way of a chat completion through Weir. Every branch of it is here; the rooms it calls are leaves.
 *
 *   1 authenticate   bearer key -> principal        401 missing, malformed, unknown; 403 address; 503 when it cannot be verified
 *   2 validate       bytes -> request               400, 408, 413, 415; 429 and 503 without room for the body; 403 and 404 for the model
 *   3 admit          price estimate -> hold         401, 402, 403, 429; 503 when the ledger is away
 *   4 route          model -> next channel          503 when none is left
 *   5 send           request -> upstream            400, 429, 502, 504; another channel while the client has seen nothing
 *   6 relay          reply -> client                an error event once the client has seen something
 *   7 settle         actual cost -> ledger          always, whatever happened in 4 to 6
 *   8 remember       usage record -> Postgres       appended by the ledger in the same step as 7
 */
import { admit } from './admission/admit.ts';
import { clientAddress } from './authentication/client-address.ts';
import { readCredential } from './authentication/credential.ts';
import type { Principal } from './authentication/principal.ts';
import type { Route } from '../catalog/catalog.ts';
import { refuseModel } from '../catalog/refuse-model.ts';
import { endInError, replyRefusal } from './reply-refusal.ts';
import { Delivery, type Ending } from './delivery.ts';
import { isRefusal, refuse, type Refusal } from '../platform/errors/refusal.ts';
import type { Exchange } from './http/exchange.ts';
import { parseChatRequest } from '../protocols/openai-chat/request.ts';
import { RequestTrace } from './request-trace.ts';
import type { Rooms } from './rooms.ts';
import type { ChannelHealth } from './routing/channel-health.ts';
import {
  CREDENTIAL_REST_MS,
  hasOtherCredential,
  nextCredential,
} from './routing/next-credential.ts';
import { nextRoute } from './routing/next-route.ts';
import { keyPrefix } from '../platform/secrets/api-key.ts';
import { underPublicName, type Verdict } from '../providers/openai-compatible/judge.ts';
import { promptTokensMax } from '../tokens/prompt-upper-bound.ts';
import { checkContentType } from './http/content-type.ts';

export function serveChatCompletion(exchange: Exchange, rooms: Rooms): void {
  const trace = new RequestTrace();
  try {
    const caller = identify(exchange, rooms);
    if (!isRefusal(caller)) {
      void serveCaller(caller, exchange, rooms, trace);
      return;
    }
    // At once, in uWS's own callback: a flood of guessed keys waits for no promise.
    replyRefusal(exchange, trace, caller);
  } catch (error) {
    endBroken(exchange, rooms, trace, error);
  }
  conclude(rooms, trace);
}

async function serveCaller(
  caller: Caller,
  exchange: Exchange,
  rooms: Rooms,
  trace: RequestTrace,
): Promise<void> {
  rooms.underWay += 1;
  try {
    const delivery = await takeIn(caller, exchange, rooms, trace);
    if (delivery === undefined) return;
    let ending: Ending | Refusal;
    if (isRefusal(delivery)) ending = delivery;
    else {
      try {
        ending = await deliver(delivery);
      } finally {
        // 7 settle, 8 remember
        await delivery.settle();
      }
    }
    if (isRefusal(ending)) replyRefusal(exchange, trace, ending);
    else ending.send();
  } catch (error) {
    endBroken(exchange, rooms, trace, error);
  } finally {
    rooms.underWay -= 1;
    conclude(rooms, trace);
  }
}

function endBroken(exchange: Exchange, rooms: Rooms, trace: RequestTrace, error: unknown): void {
  rooms.log.broken(trace, error);
  endInError(exchange, trace);
}

/**
 * Requests are counted and have their line in the log, also those refused for their path, of strangers some a second; probes, preflights and the
 * bare address do not.
 */
export function conclude(rooms: Rooms, trace: RequestTrace): void {
  rooms.counters.finished(trace);
  rooms.log.request(trace);
}

/** Somebody who may be let in, and what is asked of the request before uWS takes it back. */
interface Caller {
  readonly found: Principal | Promise<Principal | Refusal>;
  readonly forwardedFor: string;
  readonly contentType: string;
  readonly body: Promise<Buffer | Refusal>;
}

/** 1 authenticate, as far as it needs no waiting: headers are read, and the body asked for, before the first await. */
function identify(exchange: Exchange, rooms: Rooms): Caller | Refusal {
  const credential = readCredential(exchange);
  if (isRefusal(credential)) return credential;
  const found = rooms.principals.find(credential.key);
  // What is refused at once costs no memory for its body.
  if (isRefusal(found)) return found;
  // Where addresses are limited, or may be: to find all lines of a header takes a walk over all headers.
  const asksAddress = found instanceof Promise || found.limitsAddresses;
  const proxied = rooms.config.trustedProxyHops > 0;
  // All keys of an account share its room; one that is still being looked up has its own.
  const sender = found instanceof Promise ? keyPrefix(credential.key) : found.accountId;
  return {
    found,
    forwardedFor: proxied && asksAddress ? exchange.headerList('x-forwarded-for') : '',
    contentType: exchange.header('content-type'),
    body: exchange.readBody(rooms.bodyLimits, rooms.bodyBuffers, sender),
  };
}

/** Steps 1 to 3, apart from the rest so that a stream, however long, keeps only what its reply needs. Undefined when the client has left. */
async function takeIn(
  { found, forwardedFor, contentType, body }: Caller,
  exchange: Exchange,
  rooms: Rooms,
  trace: RequestTrace,
): Promise<Delivery | Refusal | undefined> {
  const { config, catalog } = rooms;

  // 1 authenticate, the rest
  const principal = found instanceof Promise ? await found : found;
  if (isRefusal(principal)) return principal;
  trace.principal = principal;
  if (principal.limitsAddresses) {
    const address = clientAddress(exchange.remoteAddress(), forwardedFor, config.trustedProxyHops);
    if (!principal.allowsAddress(address)) return refuseAddress(address);
  }

  // 2 validate
  const wrongType = checkContentType(contentType);
  if (wrongType !== undefined) return wrongType;
  const bytes = await body;
  if (isRefusal(bytes)) return bytes;
  const turn = rooms.perTickLimiter.acquire();
  if (turn !== undefined) await turn;
  const request = parseChatRequest(bytes, rooms.requestLimits);
  if (isRefusal(request)) return request;
  trace.model = request.model;
  trace.stream = request.stream;
  const offer = catalog.offer(principal.groupId, request.model);
  if ('missing' in offer || !offer.group.active || !principal.allowsModel(request.model)) {
    return refuseModel(request.model, offer);
  }
  if (exchange.aborted) return undefined;

  // 3 admit
  const { requestId } = trace;
  const payer = principal.payer(catalog);
  const promptTokensHeldMax = promptTokensMax(request, offer.model);
  const admitted = await admit(
    {
      requestId,
      payer,
      offer,
      promptTokensBound: Math.min(request.promptTokensBound, promptTokensHeldMax),
      promptTokensEstimate: Math.min(request.promptTokensEstimate, offer.model.contextTokensMax),
      maxOutputTokens: request.maxOutputTokens,
      choices: request.choices,
      stream: request.stream,
      bodyBytes: request.bytes.length,
      // A file counts as three pages; a hold must cover whatever there is in it.
      countPrompt: (onBegun) =>
        request.hasBoundlessParts
          ? Promise.resolve(promptTokensHeldMax)
          : rooms.workers.countPrompt(request.model, request.bytes, onBegun),
    },
    rooms.admission,
  );
  if (isRefusal(admitted)) return admitted;

  return new Delivery({ exchange, rooms, trace, request, offer, payer, admitted });
}

/**
 * Tries channels, and the credentials of those that have several, until one delivers. Answers how to end the reply; its
 * last bytes wait for the settle.
 */
async function deliver(delivery: Delivery): Promise<Ending | Refusal> {
  const { rooms, offer, trace } = delivery;
  const { health } = rooms;
  /** Ids of channels, and credentials of channels that have another one left. */
  const tried: string[] = [];
  let verdict: Verdict | undefined;
  while (trace.attempts < rooms.config.upstreamAttemptsMax && !delivery.clientGone) {
    // 4 route
    const route = nextRoute(offer.routes, health, tried);
    if (route === undefined) break;
    const { channel } = route;
    const credential = nextCredential(route, health, tried);
    trace.attempts += 1;

    // 5 send
    const attempt = health.started(channel.id, channel.timeouts.firstByteMs);
    let result: Ending | Verdict;
    try {
      const head = await delivery.send(route, credential, attempt);

      // 6 relay
      result = 'refusal' in head ? head : await delivery.relay(head);
    } catch (error) {
      // Else it would count as in flight for ever, and as a probe that never ends.
      health.finished(channel.id, attempt, 'unknown');
      throw error;
    }
    rooms.counters.attempted(channel.id, result.health === 'failed');
    if ('send' in result) {
      health.finished(channel.id, attempt, result.health);
      return result;
    }
    verdict = underPublicName(result, route.upstreamModel, delivery.publicModel);
    const spent = spend(route, credential, { verdict, health, tried });
    health.finished(channel.id, attempt, spent === channel.id ? verdict.health : 'unknown');
    if (!verdict.failover) break;
  }
  if (delivery.clientGone) return delivery.nobodyThere();
  return verdict?.refusal ?? refuseNoChannel(delivery);
}

/** What this request will not use again: the credential, when the failure is of it and the channel has another one, or the channel. */
function spend(
  route: Route,
  credential: string | null,
  { verdict, health, tried }: { verdict: Verdict; health: ChannelHealth; tried: string[] },
): string {
  const ofCredential =
    verdict.ofCredential === true &&
    credential !== null &&
    hasOtherCredential(route, health, [...tried, credential]);
  const spent = ofCredential ? credential : route.channel.id;
  tried.push(spent);
  if (verdict.health === 'limited') {
    health.limit(spent, route.upstreamModel, verdict.refusal.retryAfterMs);
  } else if (ofCredential) health.coolDown(credential, CREDENTIAL_REST_MS);
  return spent;
}

function refuseAddress(address: string): Refusal {
  return refuse(
    'ip_not_allowed',
    `This API key may not be used from ${address}. Add the address to the key’s allowlist on the console’s API Keys page.`,
  );
}

function refuseNoChannel({ rooms, offer }: Delivery): Refusal {
  const rests = offer.routes.map(({ channel, upstreamModel }) =>
    rooms.health.restsForMs(channel.id, upstreamModel),
  );
  return refuse(
    'no_channel_available',
    `No upstream serves ${offer.model.publicId} right now. Nothing was charged; try again later or use another model.`,
    { retryAfterMs: offer.routes.length === 0 ? null : Math.max(1_000, Math.min(...rests)) },
  );
}
