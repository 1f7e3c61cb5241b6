/**
 * The one list of the server's folders that have boundaries. Lint (import-boundaries.ts), the test
 * projects (vitest.config.ts) and the test of the boundaries read it.
 */

/** Steps of the request path: they never import each other, `request-path.ts` joins them. */
export const STEPS: readonly string[] = [
  'authentication',
  'admission',
  'routing',
  'upstream',
  'relay',
  'settlement',
].map((name) => `gateway/data-plane/${name}`);
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
  'platform/network',
  'platform/secrets',
  'platform/telemetry',
  'pricing',
  'protocols',
  'providers',
  'tokens',
];
