import type { TSchema } from 'typebox';
import type { MemberPermission, OperatorPermission } from './permissions.ts';

/**
 * `user` is anyone logged in, who acts in one account and sees only what belongs to it; `admin`
 * operates the installation. permissions.ts says which roles have the permission of a route.
 */
export const CALLERS = ['anyone', 'user', 'admin'] as const;
export type Caller = (typeof CALLERS)[number];

/** The kinds of files that routes reply with, and their media types. */
const FILE_KINDS = ['csv', 'pdf'] as const;
export type FileKind = (typeof FILE_KINDS)[number];
export const FILE_MEDIA_TYPES: Readonly<Record<FileKind, string>> = {
  csv: 'text/csv',
  pdf: 'application/pdf',
};

/** The kind of file that a route replies with; undefined for any other reply. */
export function fileKindOf({ reply }: Pick<AdminRoute, 'reply'>): FileKind | undefined {
  return FILE_KINDS.find((kind) => kind === reply);
}

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One route of the admin API. The tables in admin-routes/ are the only place where routes are
 * declared: the server registers them, OpenAPI is written from them, the route-matrix test walks
 * them and the console's client calls them by name.
 */
export type AdminRoute = RouteDeclaration & RouteCaller;

/** A route that demands a login and names no permission does not compile. */
type RouteCaller =
  | { readonly caller: 'anyone' }
  | { readonly caller: 'user'; readonly permission: MemberPermission | 'self' }
  | { readonly caller: 'admin'; readonly permission: OperatorPermission };

interface RouteDeclaration {
  readonly method: RouteMethod;
  /** Below `/api/v1`; parameters as `:keyId`. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** The status of success. */
  readonly status: 200 | 201 | 202 | 204;
  /** The schema of the reply; `none` for 204, `csv` and `pdf` for a streamed file. */
  readonly reply: TSchema | 'none' | FileKind;
  /** The header `Idempotency-Key` is demanded: money moves, or a repeat would make more. */
  readonly idempotencyKey?: true;
  /**
   * The reply shows values that are stored nowhere, so it is not remembered for a repeat either.
   * The handler runs again, under the same operation id, and finds what it did.
   */
  readonly secretReply?: true;
  /** The reply carries an ETag. */
  readonly etag?: true;
  /**
   * The header `If-Match` is demanded, with the ETag last seen or `*`. Routes that set one status
   * need none: the last one wins as a whole.
   */
  readonly ifMatch?: true;
  /** The reply to a user who is logged in differs from that to a visitor. Of routes for anyone. */
  readonly seesCaller?: true;
  /** Only with the session cookie, never with an access token: it concerns credentials. */
  readonly sessionOnly?: true;
  /**
   * An access token needs scope `full` even to read it: anyone with the codes in the reply can use
   * them.
   */
  readonly fullScope?: true;
  /**
   * In the audit log although the route is open to every user, or only reads: an administrator's
   * credentials open everything, and codes in clear are money. Requests that change something for
   * `admin` are there anyway.
   */
  readonly audited?: true;
  /**
   * The route calls another service for its reply: it fails with 502 when that service does, and
   * with 501 where the operator has not set it up.
   */
  readonly outward?: true;
  /** Guessing would pay: counted per address and per e-mail address. */
  readonly guarded?: true;
}

/**
 * True when what the route does has an entry in the audit log. `AuditedRoute` says the same in
 * types.
 */
export function isAudited({ caller, method, audited }: AdminRoute): boolean {
  return (caller === 'admin' && method !== 'GET') || audited === true;
}

/** The declarations of routes that `isAudited` finds. */
export type AuditedRoute =
  | { readonly audited: true }
  | { readonly caller: 'admin'; readonly method: Exclude<RouteMethod, 'GET'> };
