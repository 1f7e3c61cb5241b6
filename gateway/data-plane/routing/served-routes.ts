import type { Offer, Route } from '../../catalog/catalog.ts';
import { channelCodecs } from '../../catalog/channel-codecs.ts';
import type { LearnedField } from '../../catalog/snapshot.ts';
import type { Refusal } from '../../platform/errors/refusal.ts';
import type { ModelEndpoint } from '../../protocols/endpoint.ts';
import type { Envelope } from '../../protocols/envelope.ts';
import type { ServedEndpoint } from '../../protocols/registry.ts';
import type { Codec, Operation, UpstreamProtocolId } from '../../protocols/protocol.ts';
import type { Provider } from '../../providers/provider.ts';
import { profileOf } from '../../providers/profiles/profile-of.ts';
import { providerOf } from '../../providers/registry.ts';
import { tellingName } from '../../providers/spoken-protocols.ts';
import { locatedRoutes } from './located-routes.ts';
import type { TargetProfile } from '../../protocols/target-profile.ts';

/** A route with what it takes to serve one endpoint there. */
export interface ServedRoute extends Route {
  readonly provider: Provider;
  readonly codec: Codec;
  /** Behind the channel's base address. */
  readonly path: string;
  /** The same where the reply is streamed. */
  readonly streamPath: string;
  /**
   * The path of the channel's token counter; undefined if it has none for the client's protocol.
   */
  readonly countPath?: string | undefined;
  /** The features that the model accepts there. */
  readonly profile: TargetProfile;
  /** Fields that the channel's operator, the profile or the envelope keeps from the upstream. */
  readonly omittedFields: readonly string[];
  /** The envelope of requests, where the upstream does not take its protocol's own form. */
  readonly envelope?: Envelope | undefined;
  /** The operator's project and location there, where the vendor has such. */
  readonly place?: string | undefined;
  /** Fields that its upstream has refused by name, of some account's requests or of all. */
  readonly learned: readonly LearnedField[];
  /** The endpoint's refusal where no upstream has it. */
  readonly unserved?: Refusal | undefined;
  /** Unique for channel, model, location, protocol of the upstream and operation. */
  readonly healthKey: string;
  /**
   * The same in the upstream's next best protocol or at its next location, for a model that it does
   * not have or cannot serve in this one.
   */
  readonly alternative?: ServedRoute | undefined;
  /**
   * The same in another protocol, in which the model thinks with tools; undefined where it does
   * so in this one, or in none.
   */
  readonly thinking?: ServedRoute | undefined;
}

type AskedEndpoint = ServedEndpoint<ModelEndpoint>;

/** Offers live as long as their catalog snapshot, and what is resolved for them as long as they. */
const resolved = new WeakMap<Offer, Map<AskedEndpoint, readonly ServedRoute[]>>();

/** The routes of an offer that can serve an endpoint, in the offer's order. */
export function servedRoutes(offer: Offer, endpoint: AskedEndpoint): readonly ServedRoute[] {
  let byEndpoint = resolved.get(offer);
  if (byEndpoint === undefined) {
    byEndpoint = new Map();
    resolved.set(offer, byEndpoint);
  }
  let routes = byEndpoint.get(endpoint);
  if (routes === undefined) {
    routes = offer.routes.flatMap((route) => serve(route, endpoint));
    byEndpoint.set(endpoint, routes);
  }
  return routes;
}

function serve(route: Route, endpoint: AskedEndpoint): ServedRoute[] {
  const { operation } = endpoint;
  const provider = providerOf(route.channel.kind);
  // What an upstream stores, it stores in its own protocol.
  const isStored = operation !== 'generate' || route.channel.storesResponses;
  const served = locatedRoutes(route)
    .flatMap((located) =>
      channelCodecs(located, endpoint)
        .slice(0, isStored ? 1 : undefined)
        .map((codec) => ({ located, codec })),
    )
    .reduceRight<ServedRoute | undefined>(
      (alternative, { located, codec }) => ({
        ...routeWith(located, codec, endpoint),
        provider,
        alternative,
      }),
      undefined,
    );
  return served === undefined ? [] : [{ ...served, thinking: thinkingRoute(served) }];
}

/** The alternatives of a route, the one first in which the model thinks with tools. */
function thinkingRoute(route: ServedRoute): ServedRoute | undefined {
  const { profile, alternative } = route;
  if (profile.effortWithTools === 'accepted') return undefined;
  if (alternative?.profile.effortWithTools !== 'accepted') return undefined;
  return { ...alternative, alternative: { ...route, alternative: alternative.alternative } };
}

function routeWith(
  route: Route,
  codec: Codec,
  { protocol, operation, unserved }: AskedEndpoint,
): Omit<ServedRoute, 'provider' | 'alternative'> {
  const { channel, upstreamModel, location } = route;
  const { upstreamProtocol } = codec;
  const countPath =
    operation === 'count' && upstreamProtocol === protocol.id
      ? providerOf(channel.kind).countPath?.(protocol.id, upstreamModel, channel.baseUrl)
      : undefined;
  const paths = upstreamPaths(route, upstreamProtocol, operation);
  const way = `${channel.id} ${upstreamProtocol} ${operation} ${upstreamModel}`;
  const healthKey = location === undefined ? way : `${way} ${location}`;
  const rules = targetRules(route, upstreamProtocol, operation);
  const learned = learnedFields(route, upstreamProtocol);
  const place = providerOf(channel.kind).placeOf?.(channel.baseUrl);
  return { ...route, codec, ...paths, countPath, unserved, healthKey, place, ...rules, learned };
}

/** Returns the fields that a route's upstream has refused of its model, in one protocol. */
export function learnedFields(
  { channel: { learned = [] }, upstreamModel }: Route,
  upstreamProtocol: UpstreamProtocolId,
): readonly LearnedField[] {
  return learned.filter(
    (refusal) => refusal.upstreamModel === upstreamModel && refusal.protocol === upstreamProtocol,
  );
}

/** Returns what a route's model takes in a protocol of its upstream. */
export function targetRules(
  { channel: { kind, baseUrl, omittedFields }, chosenProfile: chosen = null, ...names }: Route,
  upstreamProtocol: UpstreamProtocolId,
  operation: Operation,
): Pick<ServedRoute, 'profile' | 'omittedFields' | 'envelope'> {
  const provider = providerOf(kind);
  const upstreamModel = tellingName(provider, names);
  const profile = profileOf({ kind, baseUrl, upstreamModel, upstreamProtocol, chosen });
  const envelope = provider.envelope?.(upstreamProtocol, baseUrl, operation);
  const refused = [...profile.refusedFields, ...(envelope?.refusedMembers ?? [])];
  return { profile, envelope, omittedFields: [...omittedFields, ...refused] };
}

/** Returns the paths of an operation at a route's upstream, for whole replies and for streams. */
export function upstreamPaths(
  { channel: { kind, baseUrl }, upstreamModel }: Route,
  protocol: UpstreamProtocolId,
  operation: Operation,
): Pick<ServedRoute, 'path' | 'streamPath'> {
  const provider = providerOf(kind);
  const path = provider.path(protocol, operation, upstreamModel, baseUrl);
  return { path, streamPath: provider.streamPath?.(protocol, upstreamModel, baseUrl) ?? path };
}
