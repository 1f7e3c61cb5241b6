import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { ERROR_CATALOGUE } from '@weir/shared/api/error-catalogue';
import { contentSecurityPolicy } from '../console/serve-console.ts';
import { completeDocument, OPENAPI_BASE, type GatheredDocument } from './openapi-document.ts';
import { REFERENCE_STYLE, REFERENCE_STYLE_PATH, referencePage } from './reference-page.ts';

/** Gathers every route that is registered after this. */
export async function gatherOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: OPENAPI_BASE,
    hideUntagged: true,
    transformObject: (document) =>
      'openapiObject' in document
        ? completeDocument(document.openapiObject as GatheredDocument)
        : document.swaggerObject,
  });
}

/** The document, and the page that people read. */
export function serveOpenApi(app: FastifyInstance, gatewayUrl: string): void {
  let document: string | undefined;
  let page: string | undefined;
  app.get('/api/openapi.json', (_request, reply) => {
    document ??= JSON.stringify(app.swagger());
    return reply.type('application/json').header('cache-control', 'no-cache').send(document);
  });
  app.get('/api/reference', (_request, reply) => {
    page ??= referencePage();
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', contentSecurityPolicy(null, gatewayUrl))
      .send(page);
  });
  app.get(REFERENCE_STYLE_PATH, (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(REFERENCE_STYLE),
  );
  // Where the `type` of a problem leads.
  app.get<{ Params: { code: string } }>('/api/problems/:code', (request, reply) => {
    const { code } = request.params;
    return reply.redirect(
      code in ERROR_CATALOGUE ? `/api/reference#${code}` : '/api/reference#problems',
    );
  });
}
