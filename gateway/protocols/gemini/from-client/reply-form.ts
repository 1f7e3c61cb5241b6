import type { Endpoint } from '../../endpoint.ts';

/** The suffix of the endpoint whose replies are streams. */
const STREAMING = ':streamGenerateContent';

export function isStreaming({ path }: Endpoint): boolean {
  return path.endsWith(STREAMING);
}

/**
 * Returns whether the query asks for server-sent events; without them a stream is one JSON array.
 */
export function isServerSentEvents(query: string): boolean {
  return /(?:^|&)alt=sse(?:&|$)/i.test(query);
}
