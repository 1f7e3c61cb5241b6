import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Body = Readonly<Record<string, unknown>>;

export interface Refused {
  readonly status?: number;
  readonly error: unknown;
}

export interface RefusingUpstream {
  readonly url: string;
  /** The bodies that it has got. */
  readonly bodies: Body[];
  /** Returns the error for a body; undefined: it is taken. */
  refuse: (body: Body) => Refused | undefined;
  close(): Promise<void>;
}

const CHUNKS = [
  { delta: { role: 'assistant', content: 'ok' }, finish_reason: null },
  { delta: {}, finish_reason: 'stop' },
].map((choice) => ({
  id: 'r',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, ...choice }],
}));
const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const STREAM = [...CHUNKS, { ...CHUNKS[0], choices: [], usage: USAGE }]
  .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  .concat('data: [DONE]\n\n')
  .join('');
const WHOLE = JSON.stringify({
  id: 'r',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  usage: USAGE,
});

/** An upstream of chat completions that refuses what the test tells it to. */
export async function startRefusingUpstream(): Promise<RefusingUpstream> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(pieces).toString()) as Body;
      upstream.bodies.push(body);
      const refused = upstream.refuse(body);
      const isStream = refused === undefined && body['stream'] === true;
      response.writeHead(refused === undefined ? 200 : (refused.status ?? 400), {
        'content-type': isStream ? 'text/event-stream' : 'application/json',
      });
      response.end(refused === undefined ? (isStream ? STREAM : WHOLE) : textOf(refused.error));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const upstream: RefusingUpstream = {
    url: `http://127.0.0.1:${String(port)}/v1`,
    bodies: [],
    refuse: () => undefined,
    close: () =>
      new Promise((done) => {
        server.close(() => {
          done();
        });
        server.closeAllConnections();
      }),
  };
  return upstream;
}

function textOf(error: unknown): string {
  return typeof error === 'string' ? error : JSON.stringify(error);
}
