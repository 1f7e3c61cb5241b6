import { hasSecret } from '@weir/shared/redact-secrets';
import { PROTOCOLS } from '../../protocols/registry.ts';
import type { HeaderList } from './exchange-context.ts';

/**
 * Headers of a reply that scripts of a page may read; "*" would not cover requests that carry
 * Authorization.
 */
const EXPOSED_HEADERS = [
  'x-request-id',
  'request-id',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'x-weir-dropped-fields',
  'x-ratelimit-limit-requests',
  'x-ratelimit-limit-tokens',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-remaining-tokens',
  'x-ratelimit-reset-requests',
  'x-ratelimit-reset-tokens',
].join(', ');

/** Headers that SDKs and browser clients send, for preflights that name none. */
const ALLOWED_HEADERS = [
  'authorization',
  'content-type',
  'accept',
  ...PROTOCOLS.flatMap(({ keyHeaders = [], browserHeaders = [] }) => [
    ...keyHeaders,
    ...browserHeaders,
  ]),
  'user-agent',
  'x-requested-with',
  'x-stainless-arch',
  'x-stainless-lang',
  'x-stainless-os',
  'x-stainless-package-version',
  'x-stainless-runtime',
  'x-stainless-runtime-version',
  'x-stainless-retry-count',
  'x-stainless-timeout',
  'x-stainless-helper-method',
  'http-referer',
  'x-title',
].join(', ');

/** Browsers ask again after a day; Chromium after two hours, whatever is said here. */
const MAX_AGE_SECONDS = 86_400;

/** A longer list than any client has is not repeated. */
const REQUESTED_CHARACTERS_MAX = 2_048;

/**
 * Header names as clients form them, with commas between: nothing that could end the line, and no
 * "*".
 */
const HEADER_NAMES = /^[\w.-]+(?: ?, ?[\w.-]+)*$/;

const ALLOW_PRIVATE_NETWORK = ['access-control-allow-private-network', 'true'] as const;

/**
 * On every reply, errors too: without them a page gets "Failed to fetch" instead of what is
 * wrong. Any origin may call, because there are no cookies: who has a key may use it from any page.
 */
export const REPLY_HEADERS: HeaderList = [
  ['access-control-allow-origin', '*'],
  ['access-control-expose-headers', EXPOSED_HEADERS],
];

/**
 * Returns the headers that a preflight's answer has in addition to REPLY_HEADERS. Preflights carry
 * no key and are answered on every path.
 * @param requestedHeaders Access-Control-Request-Headers, '' when absent
 * @param privateNetwork Access-Control-Request-Private-Network: browsers that send it ask whether a
 *   page of the internet may call a gateway on a private address; it may, as any page may
 */
export function preflightHeaders(requestedHeaders: string, privateNetwork: string): HeaderList {
  // A literal "*" does not cover Authorization, so the names are repeated one by one.
  const sane =
    requestedHeaders.length <= REQUESTED_CHARACTERS_MAX &&
    HEADER_NAMES.test(requestedHeaders) &&
    !hasSecret(requestedHeaders);
  return [
    ['access-control-allow-methods', 'GET, POST, DELETE, OPTIONS'],
    ['access-control-allow-headers', sane ? requestedHeaders : ALLOWED_HEADERS],
    ['access-control-max-age', String(MAX_AGE_SECONDS)],
    // A cache between us and the browser must not answer one page with another's list.
    ['vary', 'Access-Control-Request-Headers'],
    ...(privateNetwork === 'true' ? [ALLOW_PRIVATE_NETWORK] : []),
  ];
}
