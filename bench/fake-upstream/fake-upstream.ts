import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { HANG_MS } from '../../test/support/clocks/hang.ts';
import { behaviourFromModel, DEFAULT_BEHAVIOUR, type Behaviour } from './behaviour.ts';
import { play } from './play.ts';
import { recordRequest, type RecordedRequest } from './recorded-request.ts';

export { HTML_REPLY, type Behaviour } from './behaviour.ts';
export type { RecordedRequest } from './recorded-request.ts';

/** One behaviour for every request, one for each in turn (the last stays), or one made for each. */
export type Script =
  | Behaviour
  | readonly [Behaviour, ...Behaviour[]]
  | ((request: RecordedRequest) => Behaviour);

export interface FakeUpstreamOptions {
  readonly port?: number;
  /** Idle connections are kept this long; short ones provoke the race between reuse and close. */
  readonly keepAliveMs?: number;
  /** The models of its list. */
  readonly models?: readonly string[];
}

export interface FakeUpstream {
  /** A channel's base URL: requests go to `${url}/chat/completions`. */
  readonly url: string;
  readonly port: number;
  /** Every request so far, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /**
   * Sets the behaviour for requests for a model; '*' is every model without a script of its own.
   */
  behave(model: string, script: Script): void;
  /** Resolves with the requests as soon as there are so many. */
  untilRequests(count: number): Promise<readonly RecordedRequest[]>;
  /** Forgets scripts and requests. */
  reset(): void;
  /** Closes the port and every connection: from now on connecting is refused. */
  refuse(): Promise<void>;
  /** Listens again on the same port. */
  accept(): Promise<void>;
  /** Open connections. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

const KEEP_ALIVE_MS = 60_000;
/** Less than a test may take, so that it is told how many came. */
const UNTIL_REQUESTS_TIMEOUT_MS = HANG_MS / 2;
const POLL_MS = 2;

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1' }, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No TCP port was given.');
  return address.port;
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

function connectionCount(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => {
      if (error === null) resolve(count);
      else reject(error);
    });
  });
}

/** The scripts given so far and, for scripts with turns, whose turn it is. */
function scriptBook(): {
  set(model: string, script: Script): void;
  clear(): void;
  next(request: RecordedRequest): Behaviour;
} {
  const scripts = new Map<string, { script: Script; turn: number }>();
  return {
    set: (model, script) => void scripts.set(model, { script, turn: 0 }),
    clear: () => {
      scripts.clear();
    },
    next: (request) => {
      const named = scripts.get(request.model);
      const fromName = named === undefined ? behaviourFromModel(request.model) : undefined;
      const entry = named ?? scripts.get('*');
      if (fromName !== undefined || entry === undefined) return fromName ?? DEFAULT_BEHAVIOUR;
      const { script } = entry;
      if (typeof script === 'function') return script(request);
      if (!('length' in script)) return script;
      const behaviour = script[Math.min(entry.turn, script.length - 1)] ?? script[0];
      entry.turn += 1;
      return behaviour;
    },
  };
}

/**
 * An OpenAI-compatible upstream on 127.0.0.1 that does what it is told and writes down what it saw.
 */
export async function startFakeUpstream(options: FakeUpstreamOptions = {}): Promise<FakeUpstream> {
  const requests: RecordedRequest[] = [];
  const book = scriptBook();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    const recorded = recordRequest(request, response, await readBody(request));
    requests.push(recorded);
    const [path] = recorded.path.split('?');
    if (path === '/v1/models') {
      response.writeHead(200, { 'content-type': 'application/json' });
      const data = (options.models ?? ['fake']).map((id) => ({ id, object: 'model' }));
      response.end(JSON.stringify({ object: 'list', data }));
    } else if (path !== '/v1/chat/completions') {
      // Strict on purpose: a doubled or missing /v1 must fail here as it would at a real upstream.
      await play({ request: recorded, response }, { kind: 'status', status: 404 });
    } else await play({ request: recorded, response }, book.next(recorded));
  }

  const server = createServer(
    { keepAliveTimeout: options.keepAliveMs ?? KEEP_ALIVE_MS, requestTimeout: 0 },
    (request, response) => {
      handle(request, response).catch((error: unknown) => {
        response.destroy();
        // A client that leaves while it sends its body is no fault of ours; anything else is.
        if (request.complete) throw error;
      });
    },
  );
  const port = await listen(server, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${String(port)}/v1`,
    port,
    requests,
    behave: (model, script) => {
      book.set(model, script);
    },
    untilRequests: async (count) => {
      const deadline = Date.now() + UNTIL_REQUESTS_TIMEOUT_MS;
      while (requests.length < count) {
        if (Date.now() > deadline) {
          throw new Error(`${String(requests.length)} of ${String(count)} requests arrived.`);
        }
        await sleep(POLL_MS);
      }
      return requests;
    },
    reset: () => {
      book.clear();
      requests.length = 0;
    },
    refuse: () => closeServer(server),
    accept: async () => {
      await listen(server, port);
    },
    connections: () => connectionCount(server),
    close: async () => {
      if (server.listening) await closeServer(server);
    },
  };
}
