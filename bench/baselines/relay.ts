import { App, us_socket_local_port, type HttpRequest, type HttpResponse } from 'uWebSockets.js';
import { Pool, type Dispatcher } from 'undici';
import { relaySockets } from './relay-sockets.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** One request on its way: undici's handler and the owner of the uWS response. */
export class Relay implements Dispatcher.DispatchHandler {
  readonly #res: HttpResponse;
  #controller: Dispatcher.DispatchController | undefined;
  #gone = false;
  #status = 200;
  #contentType = '';
  /** Length of a reply that has one and is sent whole; a reply without is relayed as it comes. */
  #length = -1;
  readonly #parts: Buffer[] = [];
  #streaming = false;
  #handedOver = false;

  constructor(res: HttpResponse) {
    this.#res = res;
    res.onAborted(() => {
      this.#gone = true;
      this.#controller?.abort(new Error('client left'));
    });
  }

  send(pool: Pool, options: Dispatcher.DispatchOptions): void {
    pool.dispatch(options, this);
  }

  get gone(): boolean {
    return this.#gone;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#gone) controller.abort(new Error('client left'));
  }

  onResponseStart(_controller: unknown, status: number, headers: Headers): void {
    this.#status = status;
    const type = headers['content-type'];
    if (typeof type === 'string') this.#contentType = type;
    const length = headers['content-length'];
    if (typeof length === 'string') this.#length = Number(length);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#gone) return;
    if (this.#length === chunk.length) this.#handOver(chunk);
    else if (this.#length >= 0) this.#parts.push(chunk);
    else if (!this.#write(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    if (this.#gone || this.#handedOver) return;
    if (!this.#streaming) {
      this.#handOver(Buffer.concat(this.#parts));
      return;
    }
    this.#gone = true;
    this.#res.cork(() => void this.#res.end());
  }

  onResponseError(): void {
    if (this.#gone) return;
    this.#gone = true;
    if (this.#streaming) this.#res.close();
    else this.#res.cork(() => void this.#res.writeStatus('502 Bad Gateway').end());
  }

  #handOver(body: Buffer): void {
    this.#handedOver = true;
    this.endWhole(body);
  }

  /** Head and body leave in one write. */
  protected endWhole(body: Buffer): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#res.cork(() => {
      this.#writeHead();
      this.#res.end(body);
    });
  }

  /** False when the client is slower than the upstream. */
  #write(chunk: Buffer): boolean {
    let flowing = true;
    this.#res.cork(() => {
      if (!this.#streaming) {
        this.#streaming = true;
        this.#writeHead();
        this.#res.onWritable(() => {
          this.#controller?.resume();
          return true;
        });
      }
      flowing = this.#res.write(chunk);
    });
    return flowing;
  }

  #writeHead(): void {
    if (this.#status !== 200) this.#res.writeStatus(String(this.#status));
    if (this.#contentType !== '') this.#res.writeHeader('content-type', this.#contentType);
  }
}

function forward(pool: Pool, relay: Relay, res: HttpResponse, req: HttpRequest): void {
  const path = req.getUrl();
  const headers = [
    'content-type',
    req.getHeader('content-type'),
    'authorization',
    req.getHeader('authorization'),
  ];
  let parts: Buffer[] | undefined;
  res.onData((bytes, isLast) => {
    if (relay.gone) return;
    // uWS takes the memory back when this function returns.
    const copy = Buffer.from(Buffer.from(bytes));
    if (!isLast) {
      (parts ??= []).push(copy);
      return;
    }
    const body = parts === undefined ? copy : Buffer.concat([...parts, copy]);
    relay.send(pool, { path, method: 'POST', headers, body });
  });
}

/** Takes requests, sends `{ port }` to the parent process and ends with it. */
export function serve(
  { origin, connections }: { readonly origin: string; readonly connections: number },
  relayFor: (res: HttpResponse) => Relay,
): void {
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: 300_000,
    headersTimeout: 120_000,
    bodyTimeout: 120_000,
    allowH2: false,
  });
  const app = App();
  relaySockets(app, origin);
  app
    .post('/*', (res, req) => {
      forward(pool, relayFor(res), res, req);
    })
    .listen('127.0.0.1', 0, (socket) => {
      if (socket === false) throw new Error('A baseline cannot listen.');
      process.send?.({ port: us_socket_local_port(socket) });
    });
  process.once('disconnect', () => process.exit(0));
}
