import { HttpHeaders, type HttpClient, type HttpResponse } from '@angular/common/http';
import { lastValueFrom } from 'rxjs';
import type { AdminRoute } from '@weir/shared/api/admin-route';
import { ADMIN_ROUTES, type ReplyOf, type RouteId } from '@weir/shared/api/admin-routes';
import { ApiFailure } from './api-failure';
import { matchesSchema } from './matches-schema';
import { routeAddress, type QueryValue } from './route-address';
import type { ActRoute, ApiPort, CallArguments, Done, Tagged } from './call-input';

/** The parts of any route's input, as the transport sees them. */
interface LooseInput {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly body?: unknown;
  readonly ifMatch?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

function headersOf({ ifMatch, idempotencyKey }: LooseInput): HttpHeaders {
  let headers = new HttpHeaders();
  if (ifMatch !== undefined) headers = headers.set('If-Match', ifMatch);
  if (idempotencyKey !== undefined) headers = headers.set('Idempotency-Key', idempotencyKey);
  return headers;
}

/** Parses a reply by the schema the server declared for it. */
function isReply<Route extends RouteId>(route: Route, reply: unknown): reply is ReplyOf<Route> {
  const { reply: schema }: AdminRoute = ADMIN_ROUTES[route];
  if (schema === 'none') return true;
  if (typeof schema === 'string') return typeof reply === 'string';
  return matchesSchema(schema, reply);
}

/** The client of the admin API: routes by name, replies parsed, failures as `ApiFailure`. */
export class Api implements ApiPort {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  async call<Route extends RouteId>(
    route: Route,
    ...[input]: CallArguments<Route>
  ): Promise<ReplyOf<Route>> {
    return this.#read(route, await this.#send(route, input ?? {}));
  }

  async callTagged<Route extends RouteId>(
    route: Route,
    ...[input]: CallArguments<Route>
  ): Promise<Tagged<ReplyOf<Route>>> {
    const response = await this.#send(route, input ?? {});
    // Without an ETag (a proxy may drop it) the change goes ahead unguarded rather than not at all.
    return { value: this.#read(route, response), etag: response.headers.get('etag') ?? '*' };
  }

  async callOnce<Route extends ActRoute>(
    route: Route,
    ...[input]: CallArguments<Route>
  ): Promise<Done<ReplyOf<Route>>> {
    const response = await this.#send(route, input ?? {});
    const before = response.headers.get('idempotency-replayed') === 'true';
    return { value: this.#read(route, response), before };
  }

  addressOf<Route extends RouteId>(route: Route, ...[input]: CallArguments<Route>): string {
    const { params, query }: LooseInput = input ?? {};
    return routeAddress(ADMIN_ROUTES[route].path, params, query);
  }

  #send(route: RouteId, input: LooseInput): Promise<HttpResponse<unknown>> {
    const { method, path }: AdminRoute = ADMIN_ROUTES[route];
    const request = this.#http.request<unknown>(
      method,
      routeAddress(path, input.params, input.query),
      {
        body: input.body,
        headers: headersOf(input),
        observe: 'response',
        withCredentials: true,
      },
    );
    return lastValueFrom(request);
  }

  #read<Route extends RouteId>(route: Route, response: HttpResponse<unknown>): ReplyOf<Route> {
    const { body } = response;
    if (isReply(route, body)) return body;
    throw new ApiFailure({
      code: 'unreadable_reply',
      status: response.status,
      detail: route,
      requestId: response.headers.get('x-request-id'),
    });
  }
}
