import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminRoute } from '@weir/shared/api/admin-route';
import { ADMIN_ROUTES } from '@weir/shared/api/admin-routes';
import { ADMIN_SCHEMAS } from '@weir/shared/api/admin-schemas';
import { createAdminFixture, type AdminFixture } from './support/fixture.ts';

let fixture: AdminFixture;
let text: string;

beforeAll(async () => {
  fixture = await createAdminFixture();
  text = (await fixture.app.inject({ url: '/api/openapi.json' })).body;
});
afterAll(() => fixture.close());

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly security?: object[];
  readonly parameters?: { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: object }> };
  readonly responses: Record<
    string,
    {
      readonly headers?: Record<string, object>;
      readonly content?: Record<string, { readonly schema: object }>;
    }
  >;
}

interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: Record<
      string,
      { readonly properties?: Record<string, { readonly description?: string }> }
    >;
  };
}

function operations(): Operation[] {
  const { paths } = JSON.parse(text) as Document;
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

const OPENAPI_RULES = {
  struct: 'error',
  'no-unresolved-refs': 'error',
  'operation-operationId-unique': 'error',
  'path-parameters-defined': 'error',
  'security-defined': 'error',
} as const;

const routes = Object.entries<AdminRoute>(ADMIN_ROUTES);

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect((JSON.parse(text) as Document).openapi).toBe('3.1.0');
    const config = await createConfig({ rules: OPENAPI_RULES });
    expect(await lintFromString({ source: text, config })).toEqual([]);
  });

  it('has each route once, by its name, with a summary', () => {
    const named = operations().map(({ operationId }) => operationId);
    expect(named.toSorted()).toEqual(routes.map(([id]) => id).toSorted());
    expect(operations().filter(({ summary }) => (summary ?? '') === '')).toEqual([]);
  });

  it.each(routes)('gives %s schemas for what goes in and comes out', (id, route) => {
    const operation = operations().find(({ operationId }) => operationId === id);
    const success = operation?.responses[String(route.status)];
    if (route.reply !== 'none') {
      const [content] = Object.values(success?.content ?? {});
      expect(content?.schema).toBeDefined();
    }
    const failures = ['4XX', '503', ...(route.outward === true ? ['501', '502'] : [])];
    expect(Object.keys(operation?.responses ?? {}).toSorted()).toEqual(
      [String(route.status), ...failures].toSorted(),
    );
    for (const failure of failures) {
      expect(operation?.responses[failure]?.content).toHaveProperty(['application/problem+json']);
    }
    const takesBody = route.body !== undefined || id === 'receiveStripeWebhook';
    expect(operation?.requestBody !== undefined).toBe(takesBody);
    const names = operation?.parameters?.map(({ name }) => name) ?? [];
    const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(inPath));
    expect(names.includes('Idempotency-Key')).toBe(route.idempotencyKey === true);
    expect(names.includes('If-Match')).toBe(route.ifMatch === true);
    const told = Object.keys(success?.headers ?? {});
    expect(told.includes('etag')).toBe(route.etag === true);
    expect(told.includes('Idempotency-Replayed')).toBe(route.idempotencyKey === true);
    const needsNone = operation?.security?.every((way) => Object.keys(way).length > 0) !== true;
    const isOpen = operation?.security?.length === 0;
    expect(isOpen || needsNone).toBe(route.caller === 'anyone');
    expect(isOpen).toBe(route.caller === 'anyone' && route.seesCaller !== true);
  });

  it.each(['cachedInputUsd', 'cacheWriteUsd', 'perCallUsd', 'extra', 'longContext'])(
    'tells what a price means without %s, and with null there',
    (field) => {
      const { components } = JSON.parse(text) as Document;
      const told = components.schemas['PriceCreate']?.properties?.[field]?.description;
      expect(told).toMatch(/Null: .+ Absent: .+/);
    },
  );

  it('names its schemas instead of repeating them', () => {
    const list = operations().find(({ operationId }) => operationId === 'listKeys');
    expect(JSON.stringify(list?.responses)).toContain('#/components/schemas/KeyPage');
    expect(text).toContain('"items":{"$ref":"#/components/schemas/KeyView"}');
  });
});

describe('the reference page', () => {
  it('shows every route and every error in the console’s theme, with nothing from elsewhere', async () => {
    const page = await fixture.app.inject({ url: '/api/reference' });
    expect(page.headers['content-type']).toContain('text/html');
    for (const [id] of routes) expect(page.body).toContain(`id="${id}"`);
    expect(page.body).not.toMatch(/style=|https?:\/\//);
    expect(page.body.match(/<script[^>]*>/g)).toEqual(['<script src="/theme.js">']);
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    const style = await fixture.app.inject({ url: '/api/reference.css' });
    expect(style.headers['content-type']).toContain('text/css');
  });

  it('is where the type of a problem leads', async () => {
    const { problem } = await fixture.ask('getOwnUser');
    const led = await fixture.app.inject({ url: problem.type });
    expect(led.statusCode).toBe(302);
    expect(led.headers.location).toBe('/api/reference#not_authenticated');
  });
});

describe('the route tables', () => {
  it('carry only schemas that have a name, by which generated clients call their types', () => {
    const named = new Set<unknown>(Object.values(ADMIN_SCHEMAS));
    const unnamed = routes.filter(([, { query, body, reply }]) =>
      [query, body, reply].some((schema) => typeof schema === 'object' && !named.has(schema)),
    );
    expect(unnamed.map(([id]) => id)).toEqual([]);
    expect(named.size).toBe(Object.keys(ADMIN_SCHEMAS).length);
  });
});
