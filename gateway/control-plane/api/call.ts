import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import type {
  ADMIN_ROUTES,
  BodyOf,
  ParamsOf,
  QueryOf,
  ReplyOf,
  RouteId,
} from '@weir/shared/api/admin-routes';
import type { AuditedRoute, FileKind } from '@weir/shared/api/admin-route';
import type { Standing } from '@weir/shared/api/permissions';
import type { Refusal } from '../../platform/errors/refusal.ts';
import type { AuditReceipt } from '../audit/audit-receipt.ts';
import type { AdminContext } from './context.ts';

/**
 * The caller: a user, by session cookie or by access token, who acts in one of their accounts.
 * `permits` says what their roles include.
 */
export interface Identity extends Standing {
  readonly userId: string;
  /** The account that the request acts in. */
  readonly accountId: string;
  /** The account that is the caller's own, whatever others they act in. */
  readonly ownAccountId: string;
  /** The caller's membership of this account. */
  readonly memberId: string;
  readonly email: string;
  /** Null when an access token was sent. */
  readonly sessionId: string | null;
  readonly accessToken: {
    readonly id: string;
    readonly name: string;
    readonly scope: 'read' | 'full';
  } | null;
}

type CallerOf<Route extends RouteId> = (typeof ADMIN_ROUTES)[Route] extends { seesCaller: true }
  ? Identity | null
  : (typeof ADMIN_ROUTES)[Route]['caller'] extends 'anyone'
    ? null
    : Identity;

/** One request to one route, authenticated and validated. */
export interface Call<Route extends RouteId = RouteId> {
  readonly route: RouteId;
  readonly context: AdminContext;
  readonly params: ParamsOf<Route>;
  readonly query: QueryOf<Route>;
  readonly body: BodyOf<Route>;
  readonly caller: CallerOf<Route>;
  /** The client's address, behind trusted proxies. */
  readonly address: string;
  readonly requestId: string;
  /**
   * Refuses when `If-Match` names another version of this view; to be asked while its row is
   * locked.
   */
  readonly refuseStale: (view: object) => Refusal | undefined;
  /**
   * On routes with an Idempotency-Key: the id that everything made by this request is known by. A
   * repeat of the request, also after a crash, has the same one.
   */
  readonly operationId: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

type Body<Route extends RouteId> = (typeof ADMIN_ROUTES)[Route]['reply'] extends 'none'
  ? undefined
  : (typeof ADMIN_ROUTES)[Route]['reply'] extends FileKind
    ? Readable
    : ReplyOf<Route>;

/**
 * The result of a handler of an audited route. Without a receipt of the audit log it does not
 * compile.
 */
export interface Audited<View> {
  readonly view: View;
  readonly audit: AuditReceipt;
}

/**
 * The result of a handler: the reply's body, with the receipt of its audit entry where there must
 * be one, or a refusal.
 */
export type Answer<Route extends RouteId> = Promise<
  ((typeof ADMIN_ROUTES)[Route] extends AuditedRoute ? Audited<Body<Route>> : Body<Route>) | Refusal
>;

export type Handler<Route extends RouteId> = (call: Call<Route>) => Answer<Route>;

/** One handler for each route of a table. */
export type HandlersOf<Table> = { readonly [Route in keyof Table & RouteId]: Handler<Route> };
