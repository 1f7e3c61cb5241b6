import { readdirSync, readFileSync } from 'node:fs';
import type { RequestHead } from '../../../gateway/protocols/protocol.ts';
import { ENDPOINTS } from '../../../gateway/protocols/registry.ts';

const RECORDINGS = new URL('../../recordings/', import.meta.url);

/** A request of a real client, and the reply that it was given. */
export interface RecordedExchange {
  readonly name: string;
  readonly path: string;
  readonly body: Buffer;
  readonly head: RequestHead;
  /** The events of a stream; undefined of a whole reply. */
  readonly events: readonly string[] | undefined;
  readonly reply: unknown;
}

interface Recording {
  /** Absent of recordings of another form. */
  readonly request?: {
    readonly path: string;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: unknown;
  };
  readonly response?: { readonly sse?: readonly string[]; readonly body?: unknown };
}

/**
 * Returns the requests that clients have sent to an endpoint, such as `messages`; their prose is
 * filler.
 */
export function recordedExchanges(endpointPath: string): RecordedExchange[] {
  const endpoint = ENDPOINTS.find(({ path }) => path === endpointPath);
  if (endpoint === undefined) throw new Error(`${endpointPath} is not served`);
  return filesBelow().flatMap((name) => {
    const { request, response } = JSON.parse(
      readFileSync(new URL(name, RECORDINGS), 'utf8'),
    ) as Recording;
    if (request?.path !== `/v1/${endpointPath}`) return [];
    const headers = Object.fromEntries(
      request.headers.map(([header, value]) => [header.toLowerCase(), value]),
    );
    return [
      {
        name: name.replace('.json', ''),
        path: request.path,
        body: Buffer.from(JSON.stringify(request.body)),
        head: { endpoint, pathModel: null, query: '', headers },
        events: response?.sse,
        reply: response?.body,
      },
    ];
  });
}

function filesBelow(): string[] {
  return readdirSync(RECORDINGS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      readdirSync(new URL(`${name}/`, RECORDINGS))
        .filter((file) => file.endsWith('.json'))
        .map((file) => `${name}/${file}`),
    );
}
