import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { SCIM_ROOT } from '@weir/shared/people/directories';
import { clientAddressOf } from '../../api/callers/client-address.ts';
import type { AdminContext } from '../../api/context.ts';
import type { ProviderRow } from '../../sign-on/providers/provider-row.ts';
import { GROUPS } from '../resources/groups.ts';
import { parameter, type ScimQuery } from '../resources/resource-page.ts';
import { USERS } from '../resources/users.ts';
import { authenticate } from './authenticate.ts';
import { resourceTypes, schemas, serviceProviderConfig } from './describe.ts';
import { handleScimErrors } from './handle-errors.ts';
import type { ScimCall, ScimHandler } from './scim-call.ts';
import { invalid, SCIM_MEDIA_TYPE, ScimError } from './scim-error.ts';

/** Entra sends 25 requests a second and more at a first sync. */
const REQUESTS_PER_MINUTE = 6_000;
const MINUTE_MS = 60_000;

declare module 'fastify' {
  interface FastifyRequest {
    /** The provider whose directory calls; null for a request without its token. */
    directory: ProviderRow | null;
  }
}

interface Route {
  readonly method: HTTPMethods;
  readonly url: string;
  readonly handler: ScimHandler;
  readonly created?: true;
}

const listOf = (resources: readonly object[]): object => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: resources.length,
  startIndex: 1,
  itemsPerPage: resources.length,
  Resources: resources,
});

function oneOf(resources: readonly { readonly id: string }[], wanted: string): object {
  const found = resources.find(({ id }) => id.toLowerCase() === wanted.toLowerCase());
  if (found === undefined) throw new ScimError(404, `There is no "${wanted.slice(0, 100)}".`);
  return found;
}

const DESCRIPTIONS: readonly Route[] = [
  {
    method: 'GET',
    url: '/ServiceProviderConfig',
    handler: ({ root }) => Promise.resolve(serviceProviderConfig(root)),
  },
  {
    method: 'GET',
    url: '/Schemas',
    handler: ({ root }) => Promise.resolve(listOf(schemas(root))),
  },
  {
    method: 'GET',
    url: '/Schemas/:id',
    handler: ({ root, id }) => Promise.resolve(oneOf(schemas(root), id)),
  },
  {
    method: 'GET',
    url: '/ResourceTypes',
    handler: ({ root }) => Promise.resolve(listOf(resourceTypes(root))),
  },
  {
    method: 'GET',
    url: '/ResourceTypes/:id',
    handler: ({ root, id }) => Promise.resolve(oneOf(resourceTypes(root), id)),
  },
];

const resourceRoutes = (endpoint: string, handlers: typeof USERS): readonly Route[] => [
  { method: 'GET', url: endpoint, handler: handlers.list },
  { method: 'POST', url: endpoint, handler: handlers.create, created: true },
  { method: 'GET', url: `${endpoint}/:id`, handler: handlers.get },
  { method: 'PUT', url: `${endpoint}/:id`, handler: handlers.replace },
  { method: 'PATCH', url: `${endpoint}/:id`, handler: handlers.patch },
  { method: 'DELETE', url: `${endpoint}/:id`, handler: handlers.remove },
];

const ROUTES = [
  ...DESCRIPTIONS,
  ...resourceRoutes('/Users', USERS),
  ...resourceRoutes('/Groups', GROUPS),
];

function callOf(context: AdminContext, request: FastifyRequest): ScimCall {
  const { directory: provider } = request;
  if (provider === null) throw new Error('a request of SCIM without its directory');
  const query = request.query as ScimQuery;
  const { id = '' } = request.params as { readonly id?: string };
  return {
    context,
    provider,
    address: clientAddressOf(request),
    requestId: request.id,
    root: `${context.consoleUrl}${SCIM_ROOT}`,
    query,
    selection: {
      attributes: parameter(query, 'attributes'),
      excludedAttributes: parameter(query, 'excludedAttributes'),
    },
    body: request.body,
    id,
  };
}

function answer(reply: FastifyReply, body: object | undefined, { created }: Route): FastifyReply {
  if (body === undefined) return reply.code(204).send();
  const { meta } = body as { readonly meta?: { readonly location?: string } };
  if (created === true && meta?.location !== undefined)
    void reply.header('location', meta.location);
  return reply
    .header('cache-control', 'no-store')
    .code(created === true ? 201 : 200)
    .type(SCIM_MEDIA_TYPE)
    .send(JSON.stringify(body));
}

/** Clients send JSON under the name of SCIM, or under its own. */
function parseBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  const types = ['application/scim+json', 'application/json'];
  scope.addContentTypeParser<string>(types, { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(body));
    } catch {
      done(invalid('invalidSyntax', 'The body is not valid JSON.'));
    }
  });
}

function addRoutes(scope: FastifyInstance, context: AdminContext): void {
  for (const route of ROUTES) {
    scope.route({
      method: route.method,
      url: route.url,
      config: { rateLimit: { max: REQUESTS_PER_MINUTE, timeWindow: MINUTE_MS } },
      preParsing: async (request) => {
        const { authorization } = request.headers;
        request.directory = await authenticate(context, authorization, clientAddressOf(request));
      },
      handler: async (request, reply) => {
        const body = await route.handler(callOf(context, request));
        return answer(reply, body, route);
      },
    });
  }
}

function logRequests(scope: FastifyInstance): void {
  scope.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        route: request.routeOptions.url,
        method: request.method,
        status: reply.statusCode,
        latencyMs: Math.round(reply.elapsedTime),
        provider: request.directory?.slug,
        address: clientAddressOf(request),
      },
      'SCIM request',
    );
    done();
  });
}

/**
 * The address of a directory is often entered with a slash at its end, to which the directory adds
 * its own; others put one behind the path.
 */
export function withoutSpareSlashes(url: string): string {
  if (!url.startsWith(`${SCIM_ROOT}/`)) return url;
  const [path = ''] = url.split('?', 1);
  const plain = path.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '');
  return `${plain}${url.slice(path.length)}`;
}

/**
 * Serves SCIM 2.0 (RFC 7643, RFC 7644) to the directories of identity providers. The token says
 * which provider calls: it sees its own users and groups alone.
 */
export async function serveScim(app: FastifyInstance, context: AdminContext): Promise<void> {
  app.decorateRequest('directory', null);
  await app.register(
    (scope, _options, done) => {
      parseBodies(scope);
      logRequests(scope);
      handleScimErrors(scope, context);
      addRoutes(scope, context);
      done();
    },
    { prefix: SCIM_ROOT },
  );
}
