/**
 * The parts of vendors' paths that are no endpoint here: prefixes that clients put before an
 * endpoint, and interfaces that are not served.
 */
import { PROTOCOLS } from './registry.ts';

/** Says which base address a client wants. */
export const BASE_ADDRESS =
  'The base address is https://<host>/v1 for clients that expect /v1 in it, such as the OpenAI SDKs, and https://<host> for clients that add /v1 or /v1beta themselves.';

/** Clients ask for it before their first request; any friendly answer will do. */
export const PROBED_PATHS: readonly string[] = [
  // Claude Code, when it starts.
  '/api/hello',
];

/**
 * Prefixes that services put before their endpoints: /v1, /api/v1, /openai/v1, /anthropic/v1,
 * /v1beta, /v1beta/openai, /v1beta1; and gateways before those of a cloud: /bedrock, /vertex_ai/v1.
 */
const BASE_SEGMENTS = new Set([
  ...['v1', 'v1beta', 'v1beta1', 'v1alpha'],
  ...['api', 'openai', 'anthropic', 'bedrock', 'vertex_ai', 'vertex-ai'],
]);

/**
 * Segments that clouds have between a base address and an endpoint, in their order; `*` is a name
 * of the customer's own, which says nothing here.
 */
const CLOUD_SEGMENTS: readonly (readonly string[])[] = [
  // Azure
  ['deployments', '*'],
  // Google Vertex AI
  ['projects', '*', 'locations', '*'],
  // Google's SDK for Go, with a key in place of a project.
  ['projects', 'locations'],
  ['publishers', 'google'],
  ['endpoints', 'openapi'],
];

/** Returns where in a path the words behind the base address begin. */
export function baseLength(words: readonly string[]): number {
  let length = 0;
  while (BASE_SEGMENTS.has(words[length] ?? '')) length += 1;
  return length;
}

/** Returns the words before those at the end that belong to a base address. */
export function withoutBaseAtEnd(words: readonly string[]): readonly string[] {
  return words.slice(0, words.findLastIndex((word) => !BASE_SEGMENTS.has(word)) + 1);
}

/** Returns where the endpoint begins behind a base address, and behind what clouds put there. */
export function endpointStart(words: readonly string[], base: number): number {
  let start = base;
  for (const segments of CLOUD_SEGMENTS) {
    const isThere = segments.every((word, at) => word === '*' || words[start + at] === word);
    if (isThere) start += segments.length;
  }
  return start;
}

/** Interfaces of which Weir has no endpoint, by their first word. */
const UNSERVED = new Map([
  ['images', 'The interface of variations of images (/v1/images)'],
  ['videos', 'The videos interface (/v1/videos)'],
  ['audio', 'The audio interface (/v1/audio)'],
  ['files', 'The files interface (/v1/files)'],
  ['uploads', 'The uploads interface (/v1/uploads)'],
  ['batches', 'The batches interface (/v1/batches)'],
  ['assistants', 'The assistants interface (/v1/assistants)'],
  ['threads', 'The assistants interface (/v1/threads)'],
  ['vector_stores', 'The vector stores interface (/v1/vector_stores)'],
  ['fine_tuning', 'The fine-tuning interface (/v1/fine_tuning)'],
  ['containers', 'The containers interface (/v1/containers)'],
  ['evals', 'The evals interface (/v1/evals)'],
  ['skills', 'The skills interface (/v1/skills)'],
  ['engines', 'The engines interface (/v1/engines)'],
  ['organization', 'The interface of organizations (/v1/organization)'],
  ['organizations', 'The interface of organizations (/v1/organizations)'],
  ['credits', 'The billing interface (/v1/credits); the balance is in the console. It'],
  ['generation', 'The interface of past requests (/v1/generation); they are in the console. It'],
  [
    'dashboard',
    'The billing interface (/dashboard/billing); balance and usage are in the console. It',
  ],
]);

const OLLAMA_WORDS = new Set([
  'chat',
  'generate',
  'tags',
  'show',
  'ps',
  'version',
  'embed',
  'embeddings',
  'pull',
]);

/**
 * Says what a path of a vendor's interface is that Weir does not serve; undefined of other paths.
 * @param words the path's parts in small letters
 * @param start where the parts behind /v1, /api and the like begin
 */
export function explainVendorPath(words: readonly string[], start: number): string | undefined {
  const first = words[start] ?? '';
  if (words[start - 1] === 'api' && OLLAMA_WORDS.has(first)) {
    return `Ollama’s interface is not served here. Set your client to an OpenAI-compatible service. ${BASE_ADDRESS}`;
  }
  const behind = words.slice(start);
  for (const protocol of PROTOCOLS) {
    const explained = protocol.explainPath?.(behind);
    if (explained !== undefined) return explained;
  }
  const unserved = UNSERVED.get(first);
  return unserved === undefined ? undefined : `${unserved} is not served here.`;
}
