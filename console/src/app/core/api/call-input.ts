import type {
  ADMIN_ROUTES,
  BodyOf,
  ParamsOf,
  QueryOf,
  ReplyOf,
  RouteId,
} from '@weir/shared/api/admin-routes';
import type { QueryValue } from './route-address';

type Routes = typeof ADMIN_ROUTES;
/** Adds nothing to what it is joined with. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- Exactly what is meant: no property.
interface Nothing {}

type ParamsPart<Route extends RouteId> = [keyof ParamsOf<Route>] extends [never]
  ? Nothing
  : { readonly params: ParamsOf<Route> };
/** Empty values are left out of the address: an empty filter filters nothing. */
type Filled<Query> = {
  readonly [Name in keyof Query]:
    | (Query[Name] & QueryValue)
    | (Nothing extends Pick<Query, Name> ? '' | undefined : never);
};
type QueryPart<Route extends RouteId> = [QueryOf<Route>] extends [undefined]
  ? Nothing
  : { readonly query?: Filled<QueryOf<Route>> };
type BodyPart<Route extends RouteId> = [BodyOf<Route>] extends [undefined]
  ? Nothing
  : { readonly body: BodyOf<Route> };
/** `*` overwrites whatever is there: for switches that mean the same whatever else was changed. */
type IfMatchPart<Route extends RouteId> = Routes[Route] extends { readonly ifMatch: true }
  ? { readonly ifMatch: string }
  : Nothing;
/** One value for each act of the person, kept when the act is repeated. */
type IdempotencyPart<Route extends RouteId> = Routes[Route] extends {
  readonly idempotencyKey: true;
}
  ? { readonly idempotencyKey: string }
  : Nothing;

export type CallInput<Route extends RouteId> = ParamsPart<Route> &
  QueryPart<Route> &
  BodyPart<Route> &
  IfMatchPart<Route> &
  IdempotencyPart<Route>;

/** The input may be left out where nothing in it is demanded. */
export type CallArguments<Route extends RouteId> =
  Nothing extends CallInput<Route> ? [input?: CallInput<Route>] : [input: CallInput<Route>];

/** A reply with the version that `If-Match` wants back. */
export interface Tagged<Value> {
  readonly value: Value;
  readonly etag: string;
}

/** The reply to an act under an Idempotency-Key. */
export interface Done<Value> {
  readonly value: Value;
  /**
   * It was done under this key before: nothing was done now, and this is what was answered then.
   */
  readonly before: boolean;
}

/** The routes that move money: a repetition under the same key does nothing. */
export type ActRoute = {
  [Route in RouteId]: Routes[Route] extends { readonly idempotencyKey: true } ? Route : never;
}[RouteId];

/** The part of the admin API that pages use; tests replace it. */
export interface ApiPort {
  call<Route extends RouteId>(
    route: Route,
    ...input: CallArguments<Route>
  ): Promise<ReplyOf<Route>>;
  /** Like `call`, for routes whose reply carries an ETag. */
  callTagged<Route extends RouteId>(
    route: Route,
    ...input: CallArguments<Route>
  ): Promise<Tagged<ReplyOf<Route>>>;
  /**
   * Like `call`, for acts under an Idempotency-Key: also reports whether this one had been done
   * before.
   */
  callOnce<Route extends ActRoute>(
    route: Route,
    ...input: CallArguments<Route>
  ): Promise<Done<ReplyOf<Route>>>;
  /** The address of a route, for links that the browser follows itself: downloads. */
  addressOf<Route extends RouteId>(route: Route, ...input: CallArguments<Route>): string;
}
