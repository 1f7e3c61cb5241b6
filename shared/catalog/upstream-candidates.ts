import type { UpstreamKind } from './channels.ts';
import { ENDPOINT_PATHS, HOMES } from './known-addresses.ts';

/** A kind that an upstream may be, with the base address that a channel of that kind takes. */
export interface UpstreamCandidate {
  readonly kind: UpstreamKind;
  readonly baseUrl: string;
}

/** Local hosts, which have no certificate. */
const LOCAL_HOST =
  /^(?:localhost|\[.*\]|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|[^.:/]+(?::|\/|$))/;

/** Paths that only upstreams of one kind have at their end. */
const KIND_OF_PATH: readonly (readonly [RegExp, UpstreamKind])[] = [
  [/\/projects\/[^/]+\/locations\/[^/]+$/, 'vertex'],
  [/\/anthropic$/, 'anthropic'],
  [/\/(?:v1beta\d?|v1alpha|publishers\/[^/]+)$/, 'gemini'],
  [/\/openai$/, 'openai'],
];

/**
 * Returns what may be meant by an address as a person has it, the most likely first: without its
 * `https://`, without `/v1`, or with the path of an endpoint at its end. Undefined when it is none.
 */
export function upstreamCandidates(address: string): readonly UpstreamCandidate[] | undefined {
  const url = parse(address.trim());
  if (url === undefined) return undefined;
  const { origin, host, pathname } = url;
  const whole = pathname.replace(/\/+$/, '');
  const endpoint = ENDPOINT_PATHS.find(({ path }) => path.test(whole));
  const path = endpoint === undefined ? whole : whole.replace(endpoint.path, '');
  const home = HOMES.find((known) => known.host.test(host));
  if (home !== undefined) {
    const isOther = home.kind !== 'azure' && home.kind !== 'bedrock';
    const isOpenai = isOther && home.openai?.test(path) === true;
    const wantsOpenai = isOpenai && (home.kind !== 'anthropic' || endpoint?.kinds[0] === 'openai');
    if (wantsOpenai) return [{ kind: 'openai', baseUrl: origin + path }];
    const isComplete = home.paths?.test(path) === true;
    return [{ kind: home.kind, baseUrl: isComplete ? origin + path : home.base(origin, path) }];
  }
  return candidatesAt(origin, path, endpoint?.kinds ?? []);
}

function parse(address: string): URL | undefined {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(address);
  const scheme = LOCAL_HOST.test(address) ? 'http' : 'https';
  const text = hasScheme ? address : `${scheme}://${address}`;
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text);
}

function candidatesAt(
  origin: string,
  path: string,
  spoken: readonly UpstreamKind[],
): readonly UpstreamCandidate[] {
  const base = origin + path;
  const known = KIND_OF_PATH.find(([ending]) => ending.test(path))?.[1];
  const usual: readonly UpstreamKind[] = ['openai', 'anthropic', 'gemini', 'azure', 'bedrock'];
  const first = known === undefined ? spoken : [known];
  const kinds = [...new Set([...first, ...usual])];
  return kinds.flatMap((kind): UpstreamCandidate[] => {
    if (kind !== 'openai' || path !== '') return [{ kind, baseUrl: base }];
    return [
      { kind, baseUrl: `${base}/v1` },
      { kind, baseUrl: base },
    ];
  });
}
