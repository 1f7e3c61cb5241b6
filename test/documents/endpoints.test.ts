import { describe, expect, it } from 'vitest';
import { resolvePath } from '../../gateway/data-plane/path-hints.ts';
import { servedRoutes } from '../../gateway/data-plane/routing/served-routes.ts';
import type { Offer } from '../../gateway/catalog/catalog.ts';
import { ENDPOINTS, type ServedEndpoint } from '../../gateway/protocols/registry.ts';
import { readSource } from '../support/source-files.ts';
import { sectionOf, tableHeads, tableRows } from './support/markdown.ts';

const METHODS = ['GET', 'POST', 'DELETE'] as const;

/** As clients write the path: those of Gemini have a prefix of their own. */
function pathOf({ path }: ServedEndpoint): string {
  return path.startsWith('models/') ? `/v1beta/${path}` : `/v1/${path}`;
}

/** What is served besides the endpoints of protocols; `resolvePath` knows whether it is. */
const OTHER_PATHS = [
  '/health',
  '/ready',
  '/v1/models',
  '/v1/models/{model}',
  ...['responses', 'conversations'].flatMap((kind) =>
    ['', '/{id}', '/{id}/cancel', '/{id}/input_items', '/{id}/items', '/{id}/items/{item}'].map(
      (behind) => `/v1/${kind}${behind}`,
    ),
  ),
];

function isServed(method: string, path: string): boolean {
  const filled = path.replaceAll(/\{\w+\}/g, 'x');
  return !['refused', 'root'].includes(resolvePath(method, filled).route);
}

const SERVED = new Set([
  ...ENDPOINTS.map((endpoint) => `POST ${pathOf(endpoint)}`),
  ...OTHER_PATHS.flatMap((path) =>
    METHODS.filter((method) => isServed(method, path)).map((method) => `${method} ${path}`),
  ),
]);

describe('README', () => {
  it('lists every path that clients can call, and no other', () => {
    const listed = tableRows(sectionOf(readSource('README.md'), 'Endpoints')).flatMap(([paths]) =>
      [...(paths ?? '').matchAll(/`([A-Z, ]+) (\/\S+)`/g)].flatMap(([, methods = '', path = '']) =>
        methods.split(', ').map((method) => `${method} ${path}`),
      ),
    );
    expect(listed.toSorted()).toEqual([...SERVED].toSorted());
    expect(SERVED.size).toBeGreaterThan(ENDPOINTS.length + 15);
  });
});

/** Upstreams by the heads of the table in docs/protocols.md: a channel's kind and what it speaks. */
const UPSTREAMS = {
  'Chat Completions': ['openai', ['openai-chat']],
  Responses: ['openai', ['openai-responses']],
  Messages: ['anthropic', null],
  Gemini: ['gemini', null],
  Completions: ['openai', ['openai-completions']],
  Embeddings: ['openai', ['openai-embeddings']],
} as const;

type Upstream = keyof typeof UPSTREAMS;

/** An offer with one route, of which nothing but the channel is looked at. */
function offerAt(upstream: Upstream): Offer {
  const [kind, protocols] = UPSTREAMS[upstream];
  const channel = { kind, protocols, baseUrl: 'https://upstream.example/v1' };
  return { routes: [{ channel, upstreamModel: 'model' }] } as unknown as Offer;
}

/** What the table says of an endpoint over an upstream. */
function served(endpoint: ServedEndpoint, upstream: Upstream): string {
  const [route] = servedRoutes(offerAt(upstream), endpoint);
  if (endpoint.operation === 'count') return route?.countPath === undefined ? 'counted' : 'asked';
  if (route === undefined) return '–';
  return route.codec.upstreamProtocol === endpoint.protocol.id ? 'passed' : 'translated';
}

describe('docs/protocols.md', () => {
  const table = sectionOf(readSource('docs/protocols.md'), 'Endpoints and upstreams');

  it('says of every endpoint how it is served over each protocol of an upstream', () => {
    expect(tableHeads(table)).toEqual([['Endpoint', ...Object.keys(UPSTREAMS)]]);
    const expected = ENDPOINTS.map((endpoint) => [
      `\`POST ${pathOf(endpoint)}\``,
      ...Object.keys(UPSTREAMS).map((upstream) => served(endpoint, upstream as Upstream)),
    ]);
    expect(tableRows(table)).toEqual(expected);
  });
});
