import { refuse, type Refusal } from '../platform/errors/refusal.ts';
import { ENDPOINTS, type EndpointMatch, type ServedEndpoint } from '../protocols/registry.ts';
import type { StoredKind } from './stored-ids.ts';
import type { StoredAction, StoredPath } from './stored-requests.ts';
import {
  BASE_ADDRESS,
  BASE_ALONE,
  explainUnknownPath,
  GEMINI_VERB_UNSERVED,
  isUnserved,
  SERVED,
} from './unknown-path.ts';

/** What answers a request, by its method and path. */
export type ResolvedPath =
  | ({ readonly route: 'endpoint' } & EndpointMatch)
  | { readonly route: 'models' | 'health' | 'ready' }
  /**
   * The host itself and what clients probe before their first request: any friendly answer will do.
   */
  | { readonly route: 'root' }
  | { readonly route: 'model'; readonly modelId: string }
  | ({ readonly route: 'stored' } & StoredPath)
  /** `allow` is the value of the Allow header that belongs to a 405. */
  | { readonly route: 'refused'; readonly refusal: Refusal; readonly allow?: string };

/** A path, whatever the method. */
interface PathEntry {
  readonly methods: readonly string[];
  readonly answer: ResolvedPath;
  /** What other methods get. */
  readonly otherwise: ResolvedPath;
  /** What GET gets of them; absent: the same. */
  readonly whenRead?: ResolvedPath;
}

const READ = ['GET', 'HEAD'] as const;

function refused(message: string): ResolvedPath {
  return { route: 'refused', refusal: refuse('unknown_url', message) };
}

function wrongMethod(methods: readonly string[], message: string): ResolvedPath {
  const allow = [...methods, 'OPTIONS'].join(', ');
  return { route: 'refused', refusal: refuse('method_not_supported', message), allow };
}

function readOnly(answer: ResolvedPath): PathEntry {
  return {
    methods: READ,
    answer,
    otherwise: wrongMethod(READ, `This path is only read, with GET. ${SERVED}`),
  };
}

/** Stands for a model in an endpoint's path. */
const MODEL = '{model}';
const CREATE = ['POST'] as const;

/** Of what vendors list with GET on the path that creates it. */
const UNLISTED: ReadonlyMap<string, string> = new Map([
  ['chat/completions', ' They are not stored here, so there is no list of them.'],
]);

function creating(endpoint: ServedEndpoint, pathModel: string | null = null): PathEntry {
  const created = `${endpoint.creates} are created with POST.`;
  const unlisted = UNLISTED.get(endpoint.path) ?? '';
  return {
    methods: CREATE,
    answer: { route: 'endpoint', endpoint, pathModel },
    otherwise: wrongMethod(CREATE, created),
    // Clients follow a 301 or 302 from http:// to https:// with GET and without a body.
    whenRead: wrongMethod(
      CREATE,
      `${created}${unlisted} If your client did send POST, a redirect has turned it into GET: begin the base address with https:// instead of http://, and check its host name.`,
    ),
  };
}

/** What the protocols serve, by the path behind the base address. */
const CREATING: ReadonlyMap<string, PathEntry> = new Map(
  ENDPOINTS.filter(({ path }) => !path.includes(MODEL)).map((endpoint) => [
    endpoint.path,
    creating(endpoint),
  ]),
);

/** Those whose path names the model, with what comes before and behind it, in small letters. */
const NAMING_MODEL = ENDPOINTS.filter(({ path }) => path.includes(MODEL)).map((endpoint) => {
  const [before = '', behind = ''] = endpoint.path.toLowerCase().split(MODEL);
  return { endpoint, before, behind };
});

function findNamingModel(path: string): PathEntry | undefined {
  const lowerCase = path.toLowerCase();
  const found = NAMING_MODEL.find(
    ({ before, behind }) =>
      lowerCase.startsWith(before) &&
      lowerCase.endsWith(behind) &&
      path.length > before.length + behind.length,
  );
  if (found === undefined) return undefined;
  const { endpoint, before, behind } = found;
  return creating(endpoint, path.slice(before.length, path.length - behind.length));
}

const MODELS = readOnly({ route: 'models' });
const HEALTH = readOnly({ route: 'health' });
const READY = readOnly({ route: 'ready' });
/** POST to the host or to /v1 comes from clients that want the whole address of the endpoint. */
const ROOT: PathEntry = {
  methods: READ,
  answer: { route: 'root' },
  otherwise: refused(BASE_ALONE),
};
const GEMINI_VERB: PathEntry = unserved(GEMINI_VERB_UNSERVED);

function unserved(message: string): PathEntry {
  const answer = refused(message);
  return { methods: [], answer, otherwise: answer };
}

/** Paths as they should be; everything else takes the slower way. */
const KNOWN: ReadonlyMap<string, PathEntry> = new Map<string, PathEntry>([
  ...[...CREATING].flatMap(([path, entry]): [string, PathEntry][] => [
    [`/v1/${path}`, entry],
    [`/${path}`, entry],
  ]),
  ['/v1/models', MODELS],
  ['/health', HEALTH],
  ['/healthz', HEALTH],
  ['/livez', HEALTH],
  ['/ready', READY],
  ['/readyz', READY],
  ['/', ROOT],
  ['/v1', ROOT],
  // Claude Code asks for it when it starts.
  ['/api/hello', ROOT],
]);

/**
 * Finds what answers a request. Paths that can only mean one thing are served however they are
 * written: without /v1 or with two of it, with the prefixes of other services, with more slashes or
 * white space than they should have. The rest is refused with a message that names the right base
 * address.
 *
 * Preflights (OPTIONS) are answered on every path before this is asked.
 * @param rawPath as it stands in the request line, without the query
 */
export function resolvePath(method: string, rawPath: string): ResolvedPath {
  const endpoint = KNOWN.get(rawPath) ?? findEndpoint(rawPath, method);
  if (endpoint.methods.includes(method)) return endpoint.answer;
  return (method === 'GET' ? endpoint.whenRead : undefined) ?? endpoint.otherwise;
}

/** What services put before their endpoints: /v1, /api/v1, /openai/v1, /v1beta, /v1beta/openai. */
const BASE_SEGMENTS = new Set(['v1', 'v1beta', 'v1alpha', 'api', 'openai']);

function findEndpoint(rawPath: string, method: string): PathEntry {
  const segments = rawPath
    .split('/')
    .map(decodeSegment)
    .filter((segment) => segment !== '');
  const words = segments.map((segment) => segment.toLowerCase());
  const tidy = KNOWN.get(`/${words.join('/')}`);
  if (tidy !== undefined) return tidy;

  let start = 0;
  while (BASE_SEGMENTS.has(words[start] ?? '')) start += 1;
  if (start === words.length) return ROOT;
  // Azure names the model in the path, and its clients name it in the body too.
  if (words[start] === 'deployments' && words[start - 1] === 'openai') start += 2;
  const path = words.slice(start).join('/');
  const created = CREATING.get(path) ?? findNamingModel(segments.slice(start).join('/'));
  if (created !== undefined) return created;
  // A base address that already names an endpoint is mended by its owner: half of the client's
  // other paths would still be wrong.
  for (const endpoint of CREATING.keys()) {
    if (isBehindBase(path, endpoint)) return unserved(endpointAsBase(`/${endpoint}`));
    if (path === `${endpoint}/models`) return unserved(endpointAsBase('/models'));
  }
  const kind = STORED_KINDS.get(words[start] ?? '');
  if (kind !== undefined) {
    const found = storedEndpoint(kind, segments.slice(start + 1), method);
    if (found !== undefined) return found;
  }
  if (words[start] === 'models') return modelEndpoint(segments.slice(start));
  return unserved(explainUnknownPath(words, start));
}

/**
 * Whether an endpoint's path is behind what can only be a base address. Interfaces that are not
 * served have paths that end alike: `threads/{id}/messages`, `chat/completions/{id}/messages`.
 */
function isBehindBase(path: string, endpoint: string): boolean {
  if (!path.endsWith(`/${endpoint}`)) return false;
  const before = path.slice(0, -endpoint.length - 1).split('/');
  while (BASE_SEGMENTS.has(before.at(-1) ?? '')) before.pop();
  return CREATING.has(before.join('/')) || !isInterface(before[0] ?? '');
}

/** Whether a word begins the paths of an interface that vendors have, served or not. */
function isInterface(word: string): boolean {
  return word === 'chat' || STORED_KINDS.has(word) || isUnserved(word);
}

/**
 * A stored reply or a conversation: what a method does is in the table below.
 * @param segments behind the word for all of them; ids are case-sensitive
 */
function storedEndpoint(
  kind: StoredKind,
  [clientId = '', behind = '', itemId = '', ...rest]: readonly string[],
  method: string,
): PathEntry | undefined {
  const shape = [clientId && '{id}', behind.toLowerCase(), itemId && '{item}'].join('/');
  const actions = STORED_ACTIONS[kind].get(shape);
  if (actions === undefined || rest.length > 0) return undefined;
  const methods = Object.keys(actions);
  const words = methods.join(' and ');
  const otherwise = wrongMethod(methods, `This path of what is stored is for ${words} alone.`);
  const action = actions[method];
  const answer: ResolvedPath =
    action === undefined ? otherwise : { route: 'stored', kind, clientId, action, itemId };
  return { methods, answer, otherwise };
}

const STORED_KINDS: ReadonlyMap<string, StoredKind> = new Map([
  ['responses', 'reply'],
  ['conversations', 'conversation'],
]);

type StoredActions = ReadonlyMap<string, Readonly<Record<string, StoredAction>>>;

/** By the shape of the path, then by method. */
const STORED_ACTIONS: Readonly<Record<StoredKind, StoredActions>> = {
  reply: new Map([
    ['{id}//', { GET: 'read', DELETE: 'delete' }],
    ['{id}/cancel/', { POST: 'cancel' }],
    ['{id}/input_items/', { GET: 'list_input' }],
  ]),
  conversation: new Map([
    ['//', { POST: 'create' }],
    ['{id}//', { GET: 'read', POST: 'update', DELETE: 'delete' }],
    ['{id}/items/', { GET: 'list_items', POST: 'add_items' }],
    ['{id}/items/{item}', { GET: 'read_item', DELETE: 'delete_item' }],
  ]),
};

function endpointAsBase(appended: string): string {
  return `The base address has too much in it: the client adds ${appended} by itself. ${BASE_ADDRESS}`;
}

/** Gemini's clients call models by a verb behind the ID. */
const UNSERVED_VERB =
  /:(?:asyncBatchEmbedContent|batchGenerateContent|predict|predictLongRunning)$/i;

function modelEndpoint(segments: readonly string[]): PathEntry {
  const modelId = segments.slice(1).join('/');
  if (UNSERVED_VERB.test(modelId)) return GEMINI_VERB;
  return modelId === '' ? MODELS : readOnly({ route: 'model', modelId });
}

/** One part of a path, without the white space that came with a copied base address. */
function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment.trim();
  try {
    return decodeURIComponent(segment).trim();
  } catch {
    // A malformed escape stands for itself.
    return segment.trim();
  }
}
