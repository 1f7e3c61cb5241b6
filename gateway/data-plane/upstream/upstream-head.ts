import { TIER_HEADER } from '../../providers/tier-header.ts';

export interface UpstreamHead {
  readonly status: number;
  /** In small letters, however the upstream spells it; empty when it says none. */
  readonly contentType: string;
  /** Read from an error alone; null where it names none. */
  readonly retryAfterMs: number | null;
  /** The type of an error, where a header names it; '' otherwise. */
  readonly errorType: string;
  /** The tier of processing that served the request, where a header names it; '' otherwise. */
  readonly servedTier: string;
  /** The upstream's own request id, for the log. */
  readonly upstreamRequestId: string | null;
  /**
   * The target of a redirect without its query; null for other replies. It is never followed: the
   * credential is for the channel's address alone.
   */
  readonly redirect: string | null;
}

export type UpstreamHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The longest part of a redirect's target that is reported. */
const LOCATION_CHARACTERS_MAX = 500;

/** Reads the head of a reply, without what could have a secret in it. */
export function readHead(status: number, headers: UpstreamHeaders): UpstreamHead {
  return {
    status,
    contentType: textOf(headers['content-type']).toLowerCase(),
    retryAfterMs: status < 400 ? null : retryAfterMs(headers),
    errorType: textOf(headers['x-amzn-errortype']),
    servedTier: textOf(headers[TIER_HEADER]),
    upstreamRequestId: textOf(headers['x-request-id'] ?? headers['x-amzn-requestid']) || null,
    redirect: status >= 300 && status < 400 ? withoutQuery(textOf(headers['location'])) : null,
  };
}

/** Returns the first line of a header; '' where it is absent. */
export function textOf(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : (value?.[0] ?? '');
}

/** The query may have secrets in it. */
function withoutQuery(location: string): string {
  return location.replace(/[?#].*$/s, '').slice(0, LOCATION_CHARACTERS_MAX);
}

/** `retry-after-ms`, or `retry-after` as seconds or as an HTTP date (RFC 9110, 10.2.3). */
function retryAfterMs(headers: UpstreamHeaders): number | null {
  const milliseconds = Number.parseFloat(textOf(headers['retry-after-ms']));
  if (milliseconds >= 0) return milliseconds;
  const value = textOf(headers['retry-after']);
  if (value === '') return null;
  const seconds = Number(value);
  if (seconds >= 0) return seconds * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

/** Says for the operator where a redirect leads; '' of other replies. */
export function redirectText({ redirect }: Pick<UpstreamHead, 'redirect'>): string {
  if (redirect === null) return '';
  const target = redirect === '' ? 'an address that is not named' : redirect;
  return `: the upstream redirects to ${target}, which is not followed. Set the base address to where it leads`;
}
