/**
 * The one list of the server's folders that have boundaries. Lint (import-boundaries.ts), the test
 * projects (vitest.config.ts) and the test of the boundaries read it.
 */
import { readdirSync } from 'node:fs';

/**
 * The server's files and folders by level, the highest first: each imports only lower ones, types
 * included. ARCHITECTURE.md draws them.
 */
export const LEVELS: readonly (readonly string[])[] = [
  ['main.ts', 'commands'],
  ['boot'],
  ['seed'],
  ['control-plane'],
  ['data-plane', 'demo'],
  ['catalog', 'content-log', 'request-history', 'usage'],
  ['providers', 'ledger'],
  ['protocols'],
  ['tokens', 'pricing'],
  ['stores'],
  ['platform'],
];

/** Steps of the request path: they never import each other, `request-path.ts` joins them. */
export const STEPS: readonly string[] = [
  'authentication',
  'admission',
  'routing',
  'upstream',
  'relay',
  'settlement',
].map((name) => `gateway/data-plane/${name}`);

/** Folders of `gateway/protocols/` that are no protocol: what several protocols share. */
const SHARED_BY_PROTOCOLS: readonly string[] = [
  'anthropic-family',
  'neutral-form',
  'fields',
  'openai-family',
  'sse',
];

/** Protocols: none imports another, and no provider imports any of them. */
export const PROTOCOL_FOLDERS: readonly string[] = readdirSync(
  new URL('../../../gateway/protocols/', import.meta.url),
  { withFileTypes: true },
)
  .filter((entry) => entry.isDirectory() && !SHARED_BY_PROTOCOLS.includes(entry.name))
  .map(({ name }) => `gateway/protocols/${name}`);

/**
 * Folders whose tests leave nothing behind in their process: it runs many of these files. Without
 * `vi.mock`, which is too late for what another file has loaded.
 */
export const SHARING_A_PROCESS: readonly string[] = [
  'test/bedrock-converse',
  'test/bench',
  'test/client-libraries',
  'test/documents',
  'test/odd-stores',
  'test/simulator',
  ...[
    'boot',
    'catalog',
    'commands',
    'content-log',
    'control-plane',
    'data-plane',
    'demo',
    'ledger',
    'main',
    'platform',
    'pricing',
    'protocols',
    'providers',
    'request-history',
    'stores',
    'tokens',
    'usage',
  ].map((folder) => `test/gateway/${folder}`),
];
