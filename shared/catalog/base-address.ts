import type { ChannelKind, UpstreamKind } from './channels.ts';
import { ENDPOINT_PATHS, HOMES, type Home } from './known-addresses.ts';

/**
 * Returns what is wrong with the base address of a channel and what to write instead: a sentence
 * without a subject, such as `ends in a path that Weir adds; write "https://api.example.com/v1".`
 * Undefined when nothing is known to be wrong.
 * @param baseUrl an address that can be parsed
 */
export function baseAddressMistake(kind: ChannelKind, baseUrl: string): string | undefined {
  const { origin, host, pathname, search, hash, username, password } = new URL(baseUrl);
  if (username !== '' || password !== '') {
    return 'has a credential in it; put that into its own field.';
  }
  const path = pathname.replace(/\/+$/, '');
  const home = HOMES.find((known) => known.host.test(host));
  return (
    endpointMistake(kind, { origin, path, home }) ??
    (search !== '' || hash !== '' || /[?#]/.test(baseUrl)
      ? `has "?" or "#", and Weir adds paths to it; write "${origin}${path}".`
      : undefined) ??
    (home === undefined ? undefined : homeMistake(kind, { origin, path, home }))
  );
}

interface Address {
  readonly origin: string;
  /** Without a slash at its end. */
  readonly path: string;
  readonly home: Home | undefined;
}

function endpointMistake(kind: ChannelKind, { origin, path, home }: Address): string | undefined {
  const endpoint = ENDPOINT_PATHS.find((known) => known.path.test(path));
  if (endpoint === undefined) return undefined;
  const [usual] = endpoint.kinds;
  const rest = `${origin}${path.replace(endpoint.path, '')}`;
  // Bedrock has the paths of several vendors.
  const isOwn = kind === 'bedrock' || endpoint.kinds.includes(spokenKind(kind));
  const fitting = isOwn ? spokenKind(kind) : usual;
  const wanted = home !== undefined && endpoint.kinds.includes(home.kind) ? home.kind : fitting;
  const [added] = endpoint.path.exec(path) ?? [''];
  const what = `ends in "${added}", which Weir adds`;
  return wanted === spokenKind(kind)
    ? `${what}; write "${rest}".`
    : `${what} for the kind "${wanted}"; set that kind and write "${rest}".`;
}

function homeMistake(
  kind: ChannelKind,
  { origin, path, home }: Address & { readonly home: Home },
): string | undefined {
  const base = home.base(origin, path);
  if (home.kind === spokenKind(kind)) {
    if (home.paths?.test(path) === false) return `lacks a part; write "${base}".`;
    if (home.kind === 'openai' && path === '') return `lacks its version; write "${base}".`;
    if (home.kind === 'gemini' && path.endsWith('/openai')) {
      return `is of the OpenAI-compatible interface; set the kind "openai", or write "${base}".`;
    }
    return undefined;
  }
  if (spokenKind(kind) === 'openai' && home.openai?.test(path) === true) return undefined;
  if (kind === 'anthropic' && home.anthropic?.test(path) === true) return undefined;
  if (kind === 'gemini' && home.gemini?.test(path) === true) return undefined;
  return `is of ${home.vendor}; set the kind "${home.kind}" and write "${base}".`;
}

/** The demo speaks what OpenAI does. */
function spokenKind(kind: ChannelKind): UpstreamKind {
  return kind === 'demo' ? 'openai' : kind;
}
