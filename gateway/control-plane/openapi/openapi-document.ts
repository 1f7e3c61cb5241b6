import type { TSchema } from 'typebox';
import {
  FILE_MEDIA_TYPES,
  fileKindOf,
  type AdminRoute,
  type Caller,
} from '@weir/shared/api/admin-route';
import { ADMIN_ROUTES, type RouteId } from '@weir/shared/api/admin-routes';
import { ADMIN_SCHEMAS } from '@weir/shared/api/admin-schemas';
import { Problem } from '@weir/shared/api/problem';
import { SESSION_COOKIE } from '@weir/shared/people/sessions';
import { PROBLEM_MEDIA_TYPE } from '../api/problem-reply.ts';
import { routeSchemaName, schemaName } from './schema-names.ts';

/** The part of an OpenAPI 3.1 operation that is written here. */
interface Operation {
  operationId?: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: object[];
  requestBody?: object;
  responses?: Record<string, object>;
}

/** The document that @fastify/swagger made from the registered routes. */
export interface GatheredDocument {
  paths?: Record<string, Record<string, Operation> | undefined>;
  components?: object;
}

export const OPENAPI_BASE = {
  openapi: '3.1.0',
  info: {
    title: 'Weir admin API',
    description:
      'Accounts, keys, groups, prices, channels, money and usage of a Weir gateway. Money is a decimal string in USD; times are RFC 3339 in UTC; lists are paged by cursor; failures are RFC 9457 problem details whose `code` is stable.',
    version: '1',
    license: { name: 'MIT', identifier: 'MIT' },
  },
} as const;

const SECURITY_SCHEMES = {
  session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
  accessToken: { type: 'http', scheme: 'bearer', description: 'A personal access token.' },
};

/** A copy in which every schema that has a name is a reference to it. */
function withReferences(value: unknown, isTop: boolean): unknown {
  const name = schemaName(value);
  if (name !== undefined && !isTop) return { $ref: `#/components/schemas/${name}` };
  if (Array.isArray(value)) return value.map((item) => withReferences(item, false));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withReferences(item, false)]),
  );
}

function reference(schema: TSchema) {
  return { $ref: `#/components/schemas/${routeSchemaName(schema)}` };
}

const WHO: Readonly<Record<Caller, string>> = {
  anyone: 'Anyone may call it.',
  user: 'For users who are logged in; they see and change only what is their own.',
  admin: 'For administrators.',
};

function description(route: AdminRoute): string {
  const notes = [WHO[route.caller]];
  if (route.seesCaller === true) notes.push('The reply depends on who is logged in.');
  if (route.sessionOnly === true) notes.push('Only with a session, not with an access token.');
  if (route.fullScope === true) notes.push('An access token needs the scope `full`.');
  if (route.guarded === true) notes.push('Attempts are limited per address and per account.');
  return notes.join(' ');
}

const TEXT = { type: 'string' };

/**
 * A client that repeats a request whose answer was lost learns by it whether the first one had been
 * carried out.
 */
const REPLAYED = {
  description:
    '`true` on a repeat of a request that was carried out before: this is the reply of then, without values that are shown once, and nothing was done now. Absent on the first.',
  schema: { type: 'string', enum: ['true'] },
};

function headerParameters(route: AdminRoute): object[] {
  const headers: object[] = [];
  if (route.idempotencyKey === true) {
    headers.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: true,
      description:
        'A value of your own for each purchase or batch; the same one when you repeat it.',
      schema: { type: 'string', minLength: 8, maxLength: 128 },
    });
  }
  if (route.ifMatch === true) {
    const text = 'The ETag last seen, or `*`.';
    headers.push({
      name: 'If-Match',
      in: 'header',
      required: true,
      description: text,
      schema: TEXT,
    });
  }
  return headers;
}

function replyHeaders(route: AdminRoute): { headers?: object } {
  const headers = {
    ...(route.etag === true ? { etag: { description: 'The version.', schema: TEXT } } : {}),
    ...(route.idempotencyKey === true ? { 'Idempotency-Replayed': REPLAYED } : {}),
  };
  return Object.keys(headers).length === 0 ? {} : { headers };
}

function successResponse(route: AdminRoute): object {
  if (route.reply === 'none') return { description: 'Done.' };
  const file = fileKindOf(route);
  if (file !== undefined) {
    const schema = file === 'csv' ? { type: 'string' } : { type: 'string', format: 'binary' };
    return { description: 'A file.', content: { [FILE_MEDIA_TYPES[file]]: { schema } } };
  }
  return {
    description: 'Success.',
    ...replyHeaders(route),
    content: { 'application/json': { schema: reference(route.reply) } },
  };
}

const FAILURE = {
  description: 'Any failure, as problem details.',
  content: { [PROBLEM_MEDIA_TYPE]: { schema: reference(Problem) } },
};

const OUTWARD_FAILURES = { '501': FAILURE, '502': FAILURE };

/**
 * Every reply that a route may give. There is no `default`: a reply that is in none of these is a
 * fault of Weir, and tests against the document find it.
 */
function responses(route: AdminRoute): Record<string, object> {
  return {
    [String(route.status)]: successResponse(route),
    '4XX': FAILURE,
    ...(route.outward === true ? OUTWARD_FAILURES : {}),
    '503': FAILURE,
  };
}

/** The webhook takes Stripe's own event, whose shape is Stripe's. */
const STRIPE_EVENT = { type: 'object', description: 'An event, as Stripe signs it.' };

function requestBody(routeId: string, route: AdminRoute): { requestBody?: object } {
  const schema = route.body === undefined ? undefined : reference(route.body);
  const shown = routeId === 'receiveStripeWebhook' ? STRIPE_EVENT : schema;
  if (shown === undefined) return {};
  return { requestBody: { required: true, content: { 'application/json': { schema: shown } } } };
}

/** Returns the ways to authenticate of which a caller needs one; an empty one stands for none. */
function security({ caller, seesCaller }: AdminRoute): Record<string, string[]>[] {
  const ways = [{ session: [] }, { accessToken: [] }];
  if (caller !== 'anyone') return ways;
  return seesCaller === true ? [{}, ...ways] : [];
}

function completeOperation(operation: Operation): Operation {
  const routeId = operation.operationId as RouteId;
  const route: AdminRoute = ADMIN_ROUTES[routeId];
  return {
    ...operation,
    description: description(route),
    security: security(route),
    parameters: [...(operation.parameters ?? []), ...headerParameters(route)],
    ...requestBody(routeId, route),
    responses: responses(route),
  };
}

/** Completes what was gathered: named schemas, who may call, headers, failures. */
export function completeDocument<Gathered extends GatheredDocument>(gathered: Gathered): Gathered {
  const paths = Object.fromEntries(
    Object.entries(gathered.paths ?? {}).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations ?? {}).map(([method, operation]) => [
          method,
          completeOperation(operation),
        ]),
      ),
    ]),
  );
  const schemas = Object.fromEntries(
    Object.entries<TSchema>(ADMIN_SCHEMAS).map(([name, schema]) => [
      name,
      withReferences(schema, true),
    ]),
  );
  return { ...gathered, paths, components: { schemas, securitySchemes: SECURITY_SCHEMES } };
}
