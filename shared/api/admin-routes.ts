import { SESSION_ROUTES } from './admin-routes/sessions.ts';
import { ACCOUNT_ROUTES } from './admin-routes/accounts.ts';
import { ALERT_ROUTES } from './admin-routes/alerts.ts';
import { BULK_ROUTES } from './admin-routes/bulk-changes.ts';
import { MEMBER_ROUTES } from './admin-routes/members.ts';
import { BUDGET_ROUTES } from './admin-routes/budgets.ts';
import { KEY_ROUTES } from './admin-routes/keys.ts';
import { CONTENT_LOG_ROUTES } from './admin-routes/content-log.ts';
import { DEVICE_LOGIN_ROUTES } from './admin-routes/device-logins.ts';
import { CATALOG_ROUTES } from './admin-routes/catalog.ts';
import { CHANNEL_ROUTES } from './admin-routes/channels.ts';
import { TARGET_ROUTES } from './admin-routes/targets.ts';
import { ACCOUNTING_ROUTES } from './admin-routes/accounting.ts';
import { BILLING_ROUTES } from './admin-routes/billing.ts';
import { CODE_ROUTES } from './admin-routes/codes.ts';
import { USAGE_ROUTES } from './admin-routes/usage.ts';
import { REQUEST_ROUTES } from './admin-routes/requests.ts';
import { OPERATION_ROUTES } from './admin-routes/operation.ts';
import { SIGN_ON_ROUTES } from './admin-routes/sign-on.ts';
import { DIRECTORY_ROUTES } from './admin-routes/directories.ts';
import { UPSTREAM_ROUTES } from './admin-routes/upstreams.ts';
import { SAVED_VIEW_ROUTES } from './admin-routes/saved-views.ts';
import type { FileKind } from './admin-route.ts';
import type { Static, TSchema } from 'typebox';

/** Everything below is under this path. */
export const ADMIN_API_ROOT = '/api/v1';

/** All routes by operation id, each with its schemas. A browser may load this file. */
export const ADMIN_ROUTES = {
  ...SESSION_ROUTES,
  ...ACCOUNT_ROUTES,
  ...MEMBER_ROUTES,
  ...KEY_ROUTES,
  ...DEVICE_LOGIN_ROUTES,
  ...BUDGET_ROUTES,
  ...CATALOG_ROUTES,
  ...CHANNEL_ROUTES,
  ...TARGET_ROUTES,
  ...BILLING_ROUTES,
  ...ACCOUNTING_ROUTES,
  ...CODE_ROUTES,
  ...USAGE_ROUTES,
  ...REQUEST_ROUTES,
  ...CONTENT_LOG_ROUTES,
  ...OPERATION_ROUTES,
  ...ALERT_ROUTES,
  ...UPSTREAM_ROUTES,
  ...BULK_ROUTES,
  ...SAVED_VIEW_ROUTES,
  ...SIGN_ON_ROUTES,
  ...DIRECTORY_ROUTES,
} as const;

export type RouteId = keyof typeof ADMIN_ROUTES;
type Routes = typeof ADMIN_ROUTES;

type Shape<Schema> = Schema extends TSchema ? Static<Schema> : never;

type ParamNames<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

/** The path's parameters: `{ keyId: string }`. */
export type ParamsOf<Route extends RouteId> = Record<ParamNames<Routes[Route]['path']>, string>;
/**
 * Mapped types that are looked up, not conditional types: wherever a reply is destructured or
 * returned, the compiler compares a conditional type with all that it could be, which takes it
 * three seconds.
 */
type Shapes<Part extends 'query' | 'body'> = {
  [Route in RouteId]: Routes[Route] extends Readonly<Record<Part, infer Schema>>
    ? Shape<Schema>
    : undefined;
};
type Replies = {
  [Route in RouteId]: Routes[Route]['reply'] extends 'none'
    ? undefined
    : Routes[Route]['reply'] extends FileKind
      ? string
      : Shape<Routes[Route]['reply']>;
};
/** The query's shape, `undefined` when the route takes none. */
export type QueryOf<Route extends RouteId> = Shapes<'query'>[Route];
/** The body's shape, `undefined` when the route takes none. */
export type BodyOf<Route extends RouteId> = Shapes<'body'>[Route];
/** The reply's shape, `undefined` for an empty reply, `string` for a file. */
export type ReplyOf<Route extends RouteId> = Replies[Route];
