import { readdirSync, readFileSync } from 'node:fs';

const RECORDINGS = new URL('../../recordings/', import.meta.url);

/** A request of a real client as it was recorded, with the reply that was played to it. */
export interface ClientRecording {
  /** The client and the number of its request, such as "codex/01". */
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** The events of a streamed reply; empty of another one. */
  readonly events: readonly string[];
  readonly reply: unknown;
}

interface RecordingFile {
  readonly request: {
    readonly path: string;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: ClientRecording['body'];
  };
  readonly response: { readonly sse?: readonly string[]; readonly body?: unknown };
}

/** The recordings of requests to a path, or to the paths of a pattern, of all clients. */
export function clientRecordings(path: string | RegExp): ClientRecording[] {
  const clients = readdirSync(RECORDINGS, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  return clients.flatMap(({ name: client }) =>
    readdirSync(new URL(`${client}/`, RECORDINGS))
      .filter((file) => file.endsWith('.json') && /^\d\d-/.test(file))
      .map((file) => readRecording(client, file))
      .filter((recording) =>
        typeof path === 'string' ? recording.path === path : path.test(recording.path),
      ),
  );
}

function readRecording(client: string, file: string): ClientRecording {
  const { request, response } = JSON.parse(
    readFileSync(new URL(`${client}/${file}`, RECORDINGS), 'utf8'),
  ) as RecordingFile;
  return {
    name: `${client}/${file.slice(0, 2)}`,
    path: request.path,
    headers: Object.fromEntries(request.headers),
    body: request.body,
    events: response.sse ?? [],
    reply: response.body,
  };
}
