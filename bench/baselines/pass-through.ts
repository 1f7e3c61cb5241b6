/**
 * The yardstick: the least that a proxy on uWebSockets.js and undici has to do. It reads the request's
 * body, sends it to the upstream, and hands status, content type and bytes back as they come, with
 * backpressure; a client that leaves aborts its upstream request. Nothing is parsed, checked, counted
 * or logged. Arguments: upstream origin, connections to it. Sends `{ port }` to its parent and ends with it.
 */
import { App, us_socket_local_port, type HttpRequest, type HttpResponse } from 'uWebSockets.js';
import { Pool, type Dispatcher } from 'undici';

const [origin = '', connections = '512'] = process.argv.slice(2);

const pool = new Pool(origin, {
  connections: Number(connections),
  pipelining: 1,
  keepAliveTimeout: 30_000,
  keepAliveMaxTimeout: 300_000,
  headersTimeout: 120_000,
  bodyTimeout: 120_000,
  allowH2: false,
});

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** One request on its way: undici's handler and the owner of the uWS response. */
class Relay implements Dispatcher.DispatchHandler {
  readonly #res: HttpResponse;
  #controller: Dispatcher.DispatchController | undefined;
  #gone = false;
  #status = 200;
  #contentType = '';
  /** Length of a reply that has one and is sent whole; a reply without is relayed as it comes. */
  #length = -1;
  readonly #parts: Buffer[] = [];
  #streaming = false;

  constructor(res: HttpResponse) {
    this.#res = res;
    res.onAborted(() => {
      this.#gone = true;
      this.#controller?.abort(new Error('client left'));
    });
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
    if (this.#length === chunk.length) this.#endWhole(chunk);
    else if (this.#length >= 0) this.#parts.push(chunk);
    else if (!this.#write(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    if (this.#gone) return;
    if (!this.#streaming) {
      this.#endWhole(Buffer.concat(this.#parts));
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

  /** Head and body leave in one write. */
  #endWhole(body: Buffer): void {
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

function forward(res: HttpResponse, req: HttpRequest): void {
  const path = req.getUrl();
  const headers = [
    'content-type',
    req.getHeader('content-type'),
    'authorization',
    req.getHeader('authorization'),
  ];
  const relay = new Relay(res);
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
    pool.dispatch({ path, method: 'POST', headers, body }, relay);
  });
}

App()
  .post('/*', forward)
  .listen('127.0.0.1', 0, (socket) => {
    if (socket === false) throw new Error('The pass-through cannot listen.');
    process.send?.({ port: us_socket_local_port(socket) });
  });

process.once('disconnect', () => process.exit(0));
