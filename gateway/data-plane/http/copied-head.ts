import type { HttpRequest } from 'uWebSockets.js';

/** The head of a request, as it is known after its handler's first await. */
export interface CopiedHead {
  readonly path: string;
  readonly query: string;
  /** The lines of each header, by its name in small letters. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly remoteAddress: string;
}

/** Copies the headers of a request before uWS takes it back. */
export function copyHeaders(request: HttpRequest): CopiedHead['headers'] {
  const headers = new Map<string, string[]>();
  request.forEach((name, value) => {
    const lines = headers.get(name);
    if (lines === undefined) headers.set(name, [value]);
    else lines.push(value);
  });
  return headers;
}
