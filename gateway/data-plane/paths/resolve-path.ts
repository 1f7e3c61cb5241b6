import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import {
  clientPath,
  ENDPOINTS,
  type EndpointMatch,
  type ServedEndpoint,
} from '../../protocols/registry.ts';
import {
  BASE_ADDRESS,
  baseLength,
  endpointStart,
  explainVendorPath,
  PROBED_PATHS,
  withoutBaseAtEnd,
} from '../../protocols/vendor-paths.ts';
import { LOGIN_PATHS, type LoginPage } from './login-paths.ts';
import { BASE_ALONE, explainUnknownPath, SERVED } from './unknown-path.ts';

/** The target of a request, by its method and path. */
export type ResolvedPath =
  | ({ readonly route: 'endpoint' } & EndpointMatch)
  | { readonly route: 'health' | 'ready' }
  | { readonly route: 'login'; readonly page: LoginPage }
  /**
   * The host itself and what clients probe before their first request: any friendly answer will do.
   */
  | { readonly route: 'root' }
  /** `allow` is the value of the Allow header that belongs to a 405. */
  | { readonly route: 'refused'; readonly refusal: Refusal; readonly allow?: string };

/** A path, whatever the method. */
interface PathEntry {
  readonly answers: ReadonlyMap<string, ResolvedPath>;
  /** The target for other methods. */
  readonly otherwise: ResolvedPath;
  /** The target for GET among those; absent: the same. */
  readonly whenRead?: ResolvedPath;
}

/** The names that a path contains: a model, or ids of stored objects. */
type PathNames = Pick<EndpointMatch, 'pathModel' | 'ids'>;

const NO_NAMES: PathNames = { pathModel: null, ids: [] };

function refused(message: string): ResolvedPath {
  return { route: 'refused', refusal: refuse('unknown_url', message) };
}

function unserved(message: string): PathEntry {
  return { answers: new Map(), otherwise: refused(message) };
}

function wrongMethod(methods: Iterable<string>, message: string): ResolvedPath {
  const allow = [...methods, 'OPTIONS'].join(', ');
  return { route: 'refused', refusal: refuse('method_not_supported', message), allow };
}

function readOnly(answer: ResolvedPath): PathEntry {
  const answers = new Map([
    ['GET', answer],
    ['HEAD', answer],
  ]);
  const message = `This path is only read, with GET. ${SERVED}`;
  return { answers, otherwise: wrongMethod(answers.keys(), message) };
}

function loginEntry({ page, method }: (typeof LOGIN_PATHS)[number]): PathEntry {
  const answer: ResolvedPath = { route: 'login', page };
  if (method === 'GET') return readOnly(answer);
  const message = 'This path of a login takes a form, with POST.';
  return { answers: new Map([[method, answer]]), otherwise: wrongMethod([method], message) };
}

/** @param endpoints those of one path; of several for one method the first is answered */
function entryOf(endpoints: readonly ServedEndpoint[], names = NO_NAMES): PathEntry {
  const answers = new Map<string, ResolvedPath>();
  for (const endpoint of endpoints) {
    if (answers.has(endpoint.method)) continue;
    answers.set(endpoint.method, { route: 'endpoint', endpoint, ...names });
  }
  const [first] = endpoints;
  const [answer] = answers.values();
  if (first === undefined || answer === undefined) throw new Error('a path without an endpoint');
  if (first.operation === 'tool' && first.method === 'POST') {
    const message = 'This path takes telemetry of command-line tools, with POST.';
    return { answers, otherwise: wrongMethod(answers.keys(), message) };
  }
  if (first.operation === 'stored') {
    const words = [...answers.keys()].join(' and ');
    const message = `This path of what is stored is for ${words} alone.`;
    return { answers, otherwise: wrongMethod(answers.keys(), message) };
  }
  if (!('creates' in first)) return readOnly(answer);
  if (first.operation === 'realtime') {
    const message = `${first.creates} are opened as a WebSocket, with GET.`;
    return { answers, otherwise: wrongMethod(answers.keys(), message) };
  }
  const created = `${first.creates} are created with POST.`;
  const unlisted = first.unlisted === undefined ? '' : ` ${first.unlisted}`;
  return {
    answers,
    otherwise: wrongMethod(answers.keys(), created),
    // Clients follow a 301 or 302 from http:// to https:// with GET and without a body.
    whenRead: wrongMethod(
      answers.keys(),
      `${created}${unlisted} If your client did send POST, a redirect has turned it into GET: begin the base address with https:// instead of http://, and check its host name.`,
    ),
  };
}

const BY_PATH: ReadonlyMap<string, readonly ServedEndpoint[]> = Map.groupBy(
  ENDPOINTS,
  ({ path }) => path,
);

/** Endpoints whose path is a text, by the path behind the base address in small letters. */
const FIXED: ReadonlyMap<string, PathEntry> = new Map(
  [...BY_PATH]
    .filter(([path]) => !path.includes('{'))
    .map(([path, endpoints]) => [path.toLowerCase(), entryOf(endpoints)]),
);

/** Those of them at which a model is asked: clients may have one in their base address. */
const ASKED = [...BY_PATH].flatMap(([path, [endpoint]]) =>
  endpoint !== undefined && 'creates' in endpoint && !path.includes('{') ? [path] : [],
);

/** A path that names a model or something stored. */
interface PathPattern {
  readonly endpoints: readonly ServedEndpoint[];
  readonly pattern: RegExp;
  readonly namesModel: boolean;
}

/** IDs of models may have slashes, ids of what is stored have none. Words are in any case. */
function patternOf(path: string): RegExp {
  const pattern = path.replace('{model}', '(.+)').replaceAll(/\{\w+\}/g, '([^/]+)');
  return new RegExp(`^${pattern}$`, 'is');
}

function patternsOf(...operations: ServedEndpoint['operation'][]): readonly PathPattern[] {
  return [...BY_PATH]
    .filter(([path, [one]]) => path.includes('{') && one && operations.includes(one.operation))
    .map(([path, endpoints]) => ({
      endpoints,
      pattern: patternOf(path),
      namesModel: path.includes('{model}'),
    }));
}

const ASKED_PATTERNS = patternsOf('generate', 'embed', 'count', 'compact');
const STORED_PATTERNS = patternsOf('stored');
const SHOWN_PATTERNS = patternsOf('show');

function findPattern(patterns: readonly PathPattern[], path: string): PathEntry | undefined {
  for (const { endpoints, pattern, namesModel } of patterns) {
    const found = pattern.exec(path);
    if (found === null) continue;
    const [, ...named] = found;
    const [pathModel = null] = named;
    return entryOf(
      endpoints,
      namesModel ? { pathModel, ids: [] } : { pathModel: null, ids: named },
    );
  }
  return undefined;
}

const HEALTH = readOnly({ route: 'health' });
const READY = readOnly({ route: 'ready' });
/** POST to the host or to /v1 comes from clients that want the whole address of the endpoint. */
const ROOT: PathEntry = {
  answers: new Map([
    ['GET', { route: 'root' }],
    ['HEAD', { route: 'root' }],
  ]),
  otherwise: refused(BASE_ALONE),
};

/** Paths as they should be; everything else takes the slower way. */
const KNOWN: ReadonlyMap<string, PathEntry> = new Map<string, PathEntry>([
  ...[...FIXED].flatMap(([path, entry]): [string, PathEntry][] => [
    [`/v1/${path}`, entry],
    [`/${path}`, entry],
  ]),
  ...ENDPOINTS.filter(({ basePath }) => basePath !== undefined).map(
    (endpoint): [string, PathEntry] => [clientPath(endpoint), entryOf([endpoint])],
  ),
  ['/health', HEALTH],
  ['/healthz', HEALTH],
  ['/livez', HEALTH],
  ['/ready', READY],
  ['/readyz', READY],
  ['/', ROOT],
  ['/v1', ROOT],
  ...LOGIN_PATHS.map((login): [string, PathEntry] => [login.path, loginEntry(login)]),
  ...PROBED_PATHS.map((path): [string, PathEntry] => [path, ROOT]),
]);

/**
 * Finds what answers a request. Paths that can only mean one thing are served however they are
 * written: without /v1 or with two of it, with the prefixes of other services, with more slashes or
 * white space than they should have. The rest is refused with a message that names the right base
 * address.
 *
 * Preflights (OPTIONS) are answered on every path before this is asked.
 * @param rawPath as it is in the request line, without the query
 */
export function resolvePath(method: string, rawPath: string): ResolvedPath {
  const { answers, otherwise, whenRead } = KNOWN.get(rawPath) ?? findEntry(rawPath);
  return answers.get(method) ?? (method === 'GET' ? whenRead : undefined) ?? otherwise;
}

function findEntry(rawPath: string): PathEntry {
  const segments = rawPath
    .split('/')
    .map(decodeSegment)
    .filter((segment) => segment !== '');
  const words = segments.map((segment) => segment.toLowerCase());
  const tidy = KNOWN.get(`/${words.join('/')}`);
  if (tidy !== undefined) return tidy;

  const base = baseLength(words);
  if (base === words.length) return ROOT;
  const start = endpointStart(words, base);
  const path = words.slice(start).join('/');
  // Ids are case-sensitive.
  const sent = segments.slice(start).join('/');
  const asked = FIXED.get(path) ?? findPattern(ASKED_PATTERNS, sent);
  if (asked !== undefined) return asked;
  // A base address that already names an endpoint is mended by its owner: half of the client's
  // other paths would still be wrong.
  for (const endpoint of ASKED) {
    if (isBehindBase(path, endpoint)) return unserved(endpointAsBase(`/${endpoint}`));
    if (path === `${endpoint}/models`) return unserved(endpointAsBase('/models'));
  }
  const stored = findPattern(STORED_PATTERNS, sent);
  if (stored !== undefined) return stored;
  const explained = explainVendorPath(words, start);
  if (explained !== undefined) return unserved(`${explained} ${SERVED}`);
  return findPattern(SHOWN_PATTERNS, sent) ?? unserved(explainUnknownPath(words, start));
}

/**
 * Reports whether an endpoint's path follows only what can be a base address. Interfaces that are
 * not served have paths with the same ending, behind an id.
 */
function isBehindBase(path: string, endpoint: string): boolean {
  if (!path.endsWith(`/${endpoint}`)) return false;
  const before = withoutBaseAtEnd(path.slice(0, -endpoint.length - 1).split('/'));
  return ASKED.includes(before.join('/')) || explainVendorPath(before, 0) === undefined;
}

function endpointAsBase(appended: string): string {
  return `The base address has too much in it: the client adds ${appended} by itself. ${BASE_ADDRESS}`;
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
