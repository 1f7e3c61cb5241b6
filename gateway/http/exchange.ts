import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { refuse, type Refusal } from '../errors/refusal.ts';
import type { BodyBuffers } from './body-buffers.ts';
import type { BodyRoom } from './body-room.ts';
import { IncomingBody } from './incoming-body.ts';

/** Status lines are made once; uWS wants code and reason in one string. */
const STATUS_LINES = new Map<number, string>(
  Object.entries({
    200: 'OK',
    204: 'No Content',
    308: 'Permanent Redirect',
    400: 'Bad Request',
    401: 'Unauthorized',
    402: 'Payment Required',
    403: 'Forbidden',
    404: 'Not Found',
    405: 'Method Not Allowed',
    408: 'Request Timeout',
    413: 'Content Too Large',
    415: 'Unsupported Media Type',
    429: 'Too Many Requests',
    500: 'Internal Server Error',
    502: 'Bad Gateway',
    503: 'Service Unavailable',
    504: 'Gateway Timeout',
  }).map(([code, reason]) => [Number(code), `${code} ${reason}`]),
);

export type HeaderList = readonly (readonly [name: string, value: string])[];

export interface BodyLimits {
  readonly bytesMax: number;
  readonly timeoutMs: number;
  readonly room: BodyRoom;
}

/**
 * uWS closes connections that have been idle for 8 to 12 s, a time that is compiled into it. A client that keeps them
 * longer would now and then send into one that is just being closed, and may not repeat a POST: so it is told a shorter time.
 */
const KEEP_ALIVE_HINT = 'timeout=5';

/** What all exchanges of one listener share. */
export interface ExchangeContext {
  /** Every reply closes its connection: after shutdown began, or because the operator wants it so. */
  closing: boolean;
  /** Requests that have not been answered in full. */
  inFlight: number;
  /** Headers of every reply to a page in a browser; programs send no Origin and need none of them. */
  readonly crossOriginHeaders: HeaderList;
}

/**
 * One request and its reply: the only owner of the uWS response.
 *
 * States: open -> (streaming ->) ended, or aborted from any of them when the client leaves. uWS frees the
 * response when it is ended or aborted, and touching it then kills the process, so every method checks first.
 *
 * The uWS request lives only as long as the handler that got it: headers are read before the first await.
 */
export class Exchange {
  readonly method: string;
  readonly path: string;
  readonly #res: HttpResponse;
  readonly #context: ExchangeContext;
  readonly #crossOrigin: boolean;
  #req: HttpRequest | undefined;
  #state: 'open' | 'streaming' | 'ended' | 'aborted' = 'open';
  #onAborted: (() => void) | undefined;
  #onWritable: (() => void) | undefined;
  /** Set while a body is on its way. */
  #dropBody: (() => void) | undefined;
  #address: string | undefined;

  constructor(res: HttpResponse, req: HttpRequest, context: ExchangeContext) {
    this.#res = res;
    this.#req = req;
    this.#context = context;
    this.method = req.getCaseSensitiveMethod();
    this.path = req.getUrl();
    this.#crossOrigin = req.getHeader('origin') !== '';
    context.inFlight += 1;
  }

  get aborted(): boolean {
    return this.#state === 'aborted';
  }

  get streaming(): boolean {
    return this.#state === 'streaming';
  }

  /** A header's value, '' when absent. Only before the handler's first await. */
  header(lowerCaseName: string): string {
    if (this.#req === undefined) throw new Error('headers are read before the first await');
    return this.#req.getHeader(lowerCaseName);
  }

  /**
   * All lines of a header as one list, in their order, '' when there is none. Only before the handler's first await.
   * `header` answers the first line: of a header to which proxies add lines, that one is the client's to choose.
   */
  headerList(lowerCaseName: string): string {
    if (this.#req === undefined) throw new Error('headers are read before the first await');
    const lines: string[] = [];
    this.#req.forEach((name, value) => {
      if (name === lowerCaseName) lines.push(value);
    });
    return lines.join(', ');
  }

  /** The query string without "?". Only before the handler's first await. */
  query(): string {
    if (this.#req === undefined) throw new Error('the query is read before the first await');
    // Without a query uWS answers undefined, whatever its types say.
    return this.#req.getQuery() || '';
  }

  /** Called by the listener when the handler has returned: the uWS request is gone from here on. */
  forgetRequest(): void {
    this.#req = undefined;
    // uWS must be told by now what to do when the client leaves. A reply that has gone out at once needs it no more.
    if (this.#state !== 'ended') this.#res.onAborted(() => this.#abort());
  }

  /** The address of the connection's other end as text. */
  remoteAddress(): string {
    if (this.#address === undefined) {
      if (this.#state === 'aborted' || this.#state === 'ended') return '';
      this.#address = Buffer.from(this.#res.getRemoteAddressAsText()).toString('latin1');
    }
    return this.#address;
  }

  /** Called at most once, when the client leaves before the reply has ended. */
  onAborted(listener: () => void): void {
    if (this.#state === 'aborted') listener();
    else this.#onAborted = listener;
  }

  /**
   * Reads the whole body. Refuses one that is larger than the limit, by its declared length before a byte
   * of it is kept, that does not arrive in time or that there is no room for. Must be called before the handler's first
   * await. The caller owns the body and may give it back to `buffers`.
   *
   * @param sender who is to share the room with others; a body that comes more slowly than 16 kB/s is cut off by uWS
   */
  readBody(limits: BodyLimits, buffers: BodyBuffers, sender: string): Promise<Buffer | Refusal> {
    const declared = Number(this.header('content-length'));
    if (declared > limits.bytesMax) return Promise.resolve(tooLarge(limits.bytesMax));
    const body = new IncomingBody(limits.room, sender);
    const unexpected = body.expect(declared, buffers);
    if (unexpected !== undefined) return Promise.resolve(unexpected);
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const settle = (result: Buffer | Refusal): void => {
        clearTimeout(timer);
        this.#dropBody = undefined;
        body.close();
        resolve(result);
      };
      const drop = (): void => settle(refuse('request_timeout'));
      this.#dropBody = drop;
      this.#res.onData((chunk, isLast) => {
        // uWS goes on with what it receives, be the request refused or not.
        if (this.#dropBody === undefined) return;
        const refused =
          body.length + chunk.byteLength > limits.bytesMax
            ? tooLarge(limits.bytesMax)
            : body.append(chunk);
        if (refused !== undefined) settle(refused);
        else if (isLast) settle(body.take());
        else timer ??= setTimeout(drop, limits.timeoutMs);
      });
      // A client that leaves while it sends must not leave a promise behind that nobody resolves.
      this.onAborted(drop);
    });
  }

  /** Sends the whole reply. */
  reply(status: number, headers: HeaderList, body: string | Uint8Array): void {
    if (this.#state !== 'open') return;
    // Whoever was refused by his head may send on for as long as he likes, and none of it is to be kept.
    this.#dropBody?.();
    if (this.method === 'HEAD') {
      // A body here would be taken for the beginning of the connection's next reply.
      this.replyWithoutBody(status, headers, Buffer.byteLength(body));
      return;
    }
    this.#state = 'ended';
    this.#context.inFlight -= 1;
    const closing = this.#context.closing || status === 413 || status === 408;
    this.#res.cork(() => {
      this.#writeHead(status, headers, closing);
      this.#res.end(body, closing);
    });
  }

  /** Sends a head alone. `contentLength` is what a GET would have had; none for 204, which has no such header. */
  replyWithoutBody(status: number, headers: HeaderList, contentLength?: number): void {
    if (this.#state !== 'open') return;
    this.#state = 'ended';
    this.#context.inFlight -= 1;
    const { closing } = this.#context;
    this.#res.cork(() => {
      this.#writeHead(status, headers, closing);
      if (closing) this.#res.writeHeader('connection', 'close');
      // Told the length itself, uWS would wait for that many bytes for ever, and end the process when the handler returns.
      if (contentLength !== undefined) {
        this.#res.writeHeader('content-length', String(contentLength));
      }
      this.#res.endWithoutBody();
    });
  }

  /** Sends the head of a stream and its first bytes. Answers like `write`. */
  startStream(headers: HeaderList, first: string | Uint8Array): boolean {
    if (this.#state !== 'open') return true;
    this.#state = 'streaming';
    this.#watchWritable();
    const { closing } = this.#context;
    let flowing = true;
    this.#res.cork(() => {
      this.#writeHead(200, headers, closing);
      if (closing) this.#res.writeHeader('connection', 'close');
      flowing = this.#res.write(first);
    });
    return flowing;
  }

  /** By itself, so that what uWS keeps until the stream ends holds on to nothing but the exchange. */
  #watchWritable(): void {
    this.#res.onWritable(() => {
      this.#onWritable?.();
      return true;
    });
  }

  /** Sends bytes of a stream. False when the client is slower than we are: wait for `onWritable`. */
  write(chunk: string | Uint8Array): boolean {
    if (this.#state !== 'streaming') return true;
    let flowing = true;
    this.#res.cork(() => {
      flowing = this.#res.write(chunk);
    });
    return flowing;
  }

  /** Called each time the client has taken everything that was written. */
  onWritable(listener: () => void): void {
    this.#onWritable = listener;
  }

  /** Sends a stream's last bytes and ends it. */
  endStream(last: string | Uint8Array): void {
    if (this.#state !== 'streaming') return;
    this.#state = 'ended';
    this.#context.inFlight -= 1;
    this.#onWritable = undefined;
    this.#res.cork(() => {
      if (last.length > 0) this.#res.write(last);
      // Asked to close here, uWS would write a header into the middle of the chunked body.
      this.#res.end();
    });
  }

  #writeHead(status: number, headers: HeaderList, closing: boolean): void {
    if (status !== 200) this.#res.writeStatus(STATUS_LINES.get(status) ?? `${status} Status`);
    if (!closing) this.#res.writeHeader('keep-alive', KEEP_ALIVE_HINT);
    for (const header of headers) this.#res.writeHeader(header[0], header[1]);
    if (this.#crossOrigin) {
      for (const [name, value] of this.#context.crossOriginHeaders)
        this.#res.writeHeader(name, value);
    }
  }

  #abort(): void {
    if (this.#state === 'ended') return;
    this.#state = 'aborted';
    this.#context.inFlight -= 1;
    this.#onWritable = undefined;
    this.#onAborted?.();
  }
}

function tooLarge(bytesMax: number): Refusal {
  return refuse(
    'request_too_large',
    `The request body is larger than ${bytesMax} bytes. Send fewer or smaller messages, or ask the operator to raise REQUEST_BODY_BYTES_MAX.`,
  );
}
