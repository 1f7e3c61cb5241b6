/**
 * The one list of the server's folders that have boundaries. Lint (eslint.config.js), the test projects (vitest.config.ts) and
 * the test of the boundaries read it.
 */

/** Steps of the request path, folders of `gateway/data-plane/`. They never import each other; `request-path.ts` joins them. */
export const STEPS = ['authentication', 'admission', 'routing', 'relay', 'settlement'] as const;

/** Transports of the data plane: each is the only folder that sees its library. */
export const TRANSPORTS = ['http', 'upstream'] as const;

/** A leaf of the data plane, as a path from the repository's root. */
export const LEAVES: readonly string[] = [...STEPS, ...TRANSPORTS].map(
  (name) => `gateway/data-plane/${name}`,
);

/** Folders of `test/gateway/` whose tests leave nothing behind in their process: it runs many of these files. */
export const SHARING_A_PROCESS: readonly string[] = [
  'catalog',
  'control-plane',
  'data-plane/admission',
  'data-plane/authentication',
  'data-plane/http',
  'data-plane/relay',
  'data-plane/request-path',
  'data-plane/routing',
  'data-plane/settlement',
  'platform/config',
  'platform/event-loop',
  'platform/json',
  'platform/secrets',
  'platform/telemetry',
  'pricing',
  'protocols',
  'providers',
  'tokens',
];
