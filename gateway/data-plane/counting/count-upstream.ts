import { steadyNowMs } from '../../platform/clock/steady-clock.ts';
import type { Offer } from '../../catalog/catalog.ts';
import { isRefusal } from '../../platform/errors/refusal.ts';
import { parseOwnObject } from '../../platform/json/json-value.ts';
import { hasPrice } from '../../pricing/compile-prices.ts';
import type { ParsedRequest } from '../../protocols/protocol.ts';
import type { ModelEndpoint } from '../../protocols/endpoint.ts';
import type { ServedEndpoint } from '../../protocols/registry.ts';
import { askWithCredential } from '../ask-upstream.ts';
import { nextCredential, type Choice } from '../routing/next-credential.ts';
import { nextRoute } from '../routing/next-route.ts';
import { servedRoutes, type ServedRoute } from '../routing/served-routes.ts';
import type { RelayContext } from '../thread-context.ts';

/** Tools wait for a count before they go on: later than this it is made here. */
const COUNT_MS_MAX = 5_000;
/**
 * One command of an agent tool asks for 28 counts at once. More are counted here, so that none
 * waits for an upstream.
 */
const COUNTS_UNDER_WAY_MAX = 64;
const COUNT_BYTES_MAX = 64 * 1024;
/** The time for which a channel with no counter, or a broken one, is not asked again. */
const NO_COUNTER_MS = 60_000;

/** Statuses that say nothing about the counter: a faulty request, or too many requests. */
const OF_REQUEST: ReadonlySet<number> = new Set([400, 413, 422, 429]);

/** The counts under way in this thread. */
let countsUnderWay = 0;
const withoutCounterUntilMs = new Map<string, number>();

interface Count {
  readonly request: ParsedRequest;
  readonly offer: Offer;
  readonly endpoint: ServedEndpoint<ModelEndpoint>;
  readonly accountId: string;
  readonly context: RelayContext;
}

/**
 * Asks the counter of an upstream that speaks the client's protocol: it alone knows the model's own
 * tokens. Undefined when there is none, or when it does not answer: the count is made here then.
 */
export async function countUpstream(count: Count): Promise<number | undefined> {
  const { request, offer, endpoint, accountId, context } = count;
  if (countsUnderWay >= COUNTS_UNDER_WAY_MAX) return undefined;
  const routes = servedRoutes(offer, endpoint).filter(hasCounter);
  const { health } = context;
  const { conversation } = request;
  const choice: Choice = { health, accountId, tried: [], conversation };
  const route = nextRoute(routes, choice);
  if (route === undefined) return undefined;
  countsUnderWay += 1;
  try {
    const tokens = await ask(route, nextCredential(route, choice), count);
    if (typeof tokens === 'number' && Number.isSafeInteger(tokens)) return tokens;
    if (tokens === 'no_counter') {
      withoutCounterUntilMs.set(route.channel.id, steadyNowMs() + NO_COUNTER_MS);
    }
    return undefined;
  } finally {
    countsUnderWay -= 1;
  }
}

function hasCounter({ channel, countPath }: ServedRoute): boolean {
  if (countPath === undefined) return false;
  const untilMs = withoutCounterUntilMs.get(channel.id);
  if (untilMs === undefined) return true;
  if (steadyNowMs() < untilMs) return false;
  withoutCounterUntilMs.delete(channel.id);
  return true;
}

async function ask(
  route: ServedRoute,
  credential: string | null,
  { request, offer, endpoint, context }: Count,
): Promise<number | 'no_counter' | 'refused'> {
  const { channel, codec, provider, upstreamModel, profile, omittedFields, envelope } = route;
  const encoded = codec.encode(request, {
    upstreamModel,
    profile,
    outputLimitField: null,
    omittedFields,
    envelope,
    outputTokensMax: offer.model.outputTokensMax,
    outputTokensCap: null,
    pricedMeters: (request.droppableMeters ?? []).filter((meter) => hasPrice(offer.prices, meter)),
    allocate: (bytes) => Buffer.allocUnsafe(bytes),
  });
  if (isRefusal(encoded)) return 'refused';
  const access = { channel, provider, credential };
  const reply = await askWithCredential(context, access, {
    path: route.countPath ?? '',
    headers: codec.headers?.(request, route) ?? [],
    body: encoded.body,
    stream: false,
    timeoutMs: COUNT_MS_MAX,
    replyBytesMax: COUNT_BYTES_MAX,
  });
  if ('failed' in reply) return 'no_counter';
  if (OF_REQUEST.has(reply.status)) return 'refused';
  if (reply.status !== 200) return 'no_counter';
  const count = endpoint.protocol.readCount?.(parseOwnObject(reply.body) ?? {});
  return count !== undefined && Number.isSafeInteger(count) ? count : 'no_counter';
}
