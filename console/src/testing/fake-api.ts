import type { BodyOf, ParamsOf, QueryOf, ReplyOf, RouteId } from '@weir/shared/api/admin-routes';
import type { ActRoute, ApiPort, CallArguments, Done, Tagged } from '../app/core/api/call-input';

/** The content of a call, loosely typed. */
export interface SeenCall {
  readonly route: RouteId;
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly ifMatch?: string;
  readonly idempotencyKey?: string;
}

type Answers = {
  [Route in RouteId]?: (input: {
    params: ParamsOf<Route>;
    query: QueryOf<Route>;
    body: BodyOf<Route>;
  }) => ReplyOf<Route> | Promise<ReplyOf<Route>>;
};

/**
 * An admin API that returns prepared replies and records its calls. A route without a prepared
 * reply fails the test.
 */
export class FakeApi implements ApiPort {
  readonly seen: SeenCall[] = [];
  /** True if acts were done before, under the same key. */
  before = false;
  #answers: Answers;

  constructor(answers: Answers = {}) {
    this.#answers = answers;
  }

  answer(answers: Answers): void {
    this.#answers = { ...this.#answers, ...answers };
  }

  async call<Route extends RouteId>(
    route: Route,
    ...[input]: CallArguments<Route>
  ): Promise<ReplyOf<Route>> {
    this.seen.push({ route, ...input });
    const answer = this.#answers[route] as
      | ((input: unknown) => ReplyOf<Route> | Promise<ReplyOf<Route>>)
      | undefined;
    if (answer === undefined) throw new Error(`Nobody told the fake API how to answer ${route}`);
    return answer(input ?? {});
  }

  async callTagged<Route extends RouteId>(
    route: Route,
    ...input: CallArguments<Route>
  ): Promise<Tagged<ReplyOf<Route>>> {
    return { value: await this.call(route, ...input), etag: '"tag"' };
  }

  async callOnce<Route extends ActRoute>(
    route: Route,
    ...input: CallArguments<Route>
  ): Promise<Done<ReplyOf<Route>>> {
    return { value: await this.call(route, ...input), before: this.before };
  }

  addressOf<Route extends RouteId>(route: Route, ...[input]: CallArguments<Route>): string {
    return `/api/v1/${route}?${JSON.stringify(input ?? {})}`;
  }

  callsOf(route: RouteId): SeenCall[] {
    return this.seen.filter((call) => call.route === route);
  }
}
