import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import type { Refusal } from '../../platform/errors/refusal.ts';
import type { BodyBuffers } from './body/body-buffers.ts';
import { ChunkedEnd } from './body/chunked-end.ts';
import type { SocketData, SocketHandler, SocketUpgrade } from './client-socket.ts';
import { ClientWait } from './client-wait.ts';
import { copyHeaders, type CopiedHead } from './copied-head.ts';
import type { ListenerState, HeaderList } from './exchange-context.ts';
import { checkTransferCoding, KEEP_ALIVE_HINT } from './connection-end.ts';
import type { Exchange, StreamForm } from './exchange.ts';
import { IncomingBody, type BodyCollector, type BodyLimits } from './body/incoming-body.ts';
import { receiveBody } from './body/receive-body.ts';
import { IncomingForm, type ReceivedForm, type UploadLimits } from './body/incoming-form.ts';
import { statusLine } from './status-lines.ts';
import { streamWriter, type StreamWriter } from './stream-writer.ts';
import { UwsHead } from './uws-head.ts';

/**
 * A longer whole reply goes out as its client takes it. So much the kernel takes at once; what it
 * does not take of a reply that has ended, uWS keeps for 10 s only, and no client can be waited for
 * then.
 */
const COPIED_BYTES_MAX = 16 * 1024;

/**
 * One request over HTTP and its reply: the only owner of the uWS response.
 *
 * States: open -> (waiting ->) (streaming or sending ->) ended, or aborted from any of them when
 * the client leaves. uWS frees the response when it is ended or aborted, and touching it then kills
 * the process, so every method checks first.
 */
export class HttpExchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly #res: HttpResponse;
  readonly #context: ListenerState;
  readonly #head: UwsHead;
  /** The end of a request body that comes in chunks; undefined for other requests. */
  readonly #chunks: ChunkedEnd | undefined;
  #state: 'open' | 'waiting' | 'streaming' | 'sending' | 'ended' | 'aborted' = 'open';
  #onAborted: (() => void) | undefined;
  #onWritable: (() => void) | undefined;
  #dropBody: (() => void) | undefined;
  #wait: ClientWait | undefined;
  #address: string | undefined;
  #writer: StreamWriter | undefined;
  /** Absent unless the client asks for a WebSocket. */
  readonly #upgrade: SocketUpgrade | undefined;

  constructor(
    res: HttpResponse,
    req: HttpRequest,
    context: ListenerState,
    socketContext?: SocketUpgrade['socketContext'],
  ) {
    this.#res = res;
    this.#head = new UwsHead(req);
    this.#context = context;
    this.method = this.#head.method;
    this.path = this.#head.path;
    this.#chunks = this.#head.transferCoding === '' ? undefined : new ChunkedEnd();
    if (socketContext !== undefined) {
      this.#upgrade = { key: req.getHeader('sec-websocket-key'), socketContext };
    }
    context.inFlight += 1;
  }

  get aborted(): boolean {
    return this.#state === 'aborted';
  }

  get streaming(): boolean {
    return this.#state === 'streaming';
  }

  header(lowerCaseName: string): string {
    return this.#head.request.getHeader(lowerCaseName);
  }

  headerList(lowerCaseName: string): string {
    return this.#head.list(lowerCaseName);
  }

  query(): string {
    return this.#head.query();
  }

  /** Returns a copy of the head. Only before the handler's first await. */
  copyHead(): CopiedHead {
    return {
      path: this.path,
      query: this.query(),
      headers: copyHeaders(this.#head.request),
      remoteAddress: this.remoteAddress(),
    };
  }

  /** Makes a WebSocket of a request that asks for one; `subprotocol` is one of its own, or ''. */
  upgrade(handler: SocketHandler, subprotocol = ''): void {
    if (this.#state !== 'open' || this.#upgrade === undefined) return;
    const { key, socketContext } = this.#upgrade;
    this.#over('ended');
    const data: SocketData = { handler };
    // Not corked: behind the callback uWS would read the state of the HTTP response in memory that
    // the WebSocket has taken over, and close some connections (uWebSockets #1929). Outside its own
    // callback, which is where an unknown key is verified, uWS warns on stderr instead.
    this.#res.upgrade(data, key, subprotocol, '', socketContext);
  }

  /** Called by the listener when the handler has returned: the uWS request is gone from here on. */
  forgetRequest(): void {
    this.#head.forget();
    const chunks = this.#chunks;
    if (chunks?.watched === false && this.#state !== 'ended') {
      this.#res.onData((_chunk, isLast) => chunks.chunk(isLast));
    }
    // uWS must know by now what to do when the client leaves. A reply that has gone out at once
    // needs it no more.
    if (this.#state !== 'ended') this.#res.onAborted(() => this.#abort());
  }

  remoteAddress(): string {
    if (this.#address === undefined) {
      if (this.#state === 'aborted' || this.#state === 'ended') return '';
      this.#address = Buffer.from(this.#res.getRemoteAddressAsText()).toString('latin1');
    }
    return this.#address;
  }

  onAborted(listener: () => void): void {
    if (this.#state === 'aborted') listener();
    else this.#onAborted = listener;
  }

  readBody(limits: BodyLimits, buffers: BodyBuffers, sender: string): Promise<Buffer | Refusal> {
    return this.#receive(new IncomingBody(limits, buffers, sender), limits.timeoutMs);
  }

  readForm(
    limits: UploadLimits,
    boundary: string,
    sender: string,
  ): Promise<ReceivedForm | Refusal> {
    const flow = { pause: () => this.#flow(false), resume: () => this.#flow(true) };
    const form = new IncomingForm(limits, { name: sender, boundary, flow });
    return this.#receive(form, limits.timeoutMs);
  }

  /** Stops or continues the reading of a body. */
  #flow(isFlowing: boolean): void {
    if (this.#state !== 'open') return;
    if (isFlowing) {
      this.#res.resume();
      // uWS now closes the connection after 10 s, also one whose body is over.
      this.#clientWait().forBody();
    } else {
      // A paused connection has no time-out, and restarting it would resume it.
      this.#wait?.end();
      this.#res.pause();
    }
  }

  #receive<Body>(body: BodyCollector<Body>, timeoutMs: number): Promise<Body | Refusal> {
    const unknown = checkTransferCoding(this.#head.transferCoding);
    if (unknown !== undefined) return Promise.resolve(unknown);
    // Behind a head that came in pieces uWS never says that a body of 0 bytes is over.
    if (this.#head.contentLength === '0') return Promise.resolve(body.take());
    const unexpected = body.expect(Number(this.#head.contentLength));
    if (unexpected !== undefined) return Promise.resolve(unexpected);
    const { received, drop } = receiveBody({
      res: this.#res,
      body,
      timeoutMs,
      chunks: this.#chunks,
      wait: () => this.#clientWait(),
      onEnd: () => (this.#dropBody = undefined),
    });
    this.#dropBody = drop;
    // A client that leaves while it sends must not leave behind a promise that never resolves.
    this.onAborted(drop);
    return received;
  }

  reply(status: number, headers: HeaderList, body: string | Uint8Array): void {
    if (this.#state !== 'open') return;
    // A client that was refused by its head may go on sending; none of it is kept.
    this.#dropBody?.();
    if (this.method === 'HEAD') {
      // A body here would be taken for the beginning of the connection's next reply.
      this.replyWithoutBody(status, headers, Buffer.byteLength(body));
    } else if (this.#chunks?.over === false) {
      this.#replyLater(this.#chunks, () => this.#send(status, headers, body));
    } else this.#send(status, headers, body);
  }

  #replyLater(chunks: ChunkedEnd, send: () => void): void {
    this.#state = 'waiting';
    this.#onAborted = undefined;
    chunks.replyThen(send);
  }

  #send(status: number, headers: HeaderList, body: string | Uint8Array): void {
    if (body.length > COPIED_BYTES_MAX) {
      this.#sendInPieces(status, headers, typeof body === 'string' ? Buffer.from(body) : body);
      return;
    }
    this.#over('ended');
    // Asked to close while its client still sends, uWS would reset the connection, and the reply
    // would be lost. It writes the header itself, unless the client has.
    const closes = this.#chunks?.over === true && !this.#head.uwsCloses;
    this.#res.cork(() => {
      this.#writeHead(status, headers, closes);
      if (!closes) this.#stopReading();
      this.#res.end(body, closes);
    });
  }

  /**
   * Nothing is parsed behind a chunked body whose connection uWS does not close at once; it closes
   * it as idle. To be called right before the last bytes: uWS reads again unless all are sent.
   */
  #stopReading(): void {
    if (this.#chunks !== undefined) this.#res.pause();
  }

  /** Sends a long reply as the client takes it, without a copy; it is in flight until then. */
  #sendInPieces(status: number, headers: HeaderList, body: Uint8Array): void {
    this.#state = 'sending';
    this.#onAborted = undefined;
    this.#res.cork(() => {
      this.#writeHead(status, headers);
      if (this.#sendRest(body)) return;
      this.#onWritable = () => this.#res.cork(() => this.#sendRest(body));
      this.#watchWritable();
    });
  }

  #sendRest(body: Uint8Array): boolean {
    this.#stopReading();
    const [, done] = this.#res.tryEnd(body.subarray(this.#res.getWriteOffset()), body.length);
    if (done) this.#over('ended');
    else this.#clientWait().forReader();
    return done;
  }

  replyWithoutBody(status: number, headers: HeaderList, contentLength?: number): void {
    if (this.#state !== 'open') return;
    if (this.#chunks?.over === false) {
      this.#replyLater(this.#chunks, () => this.#sendWithoutBody(status, headers, contentLength));
    } else this.#sendWithoutBody(status, headers, contentLength);
  }

  #sendWithoutBody(status: number, headers: HeaderList, contentLength?: number): void {
    this.#over('ended');
    this.#res.cork(() => {
      this.#writeHead(status, headers);
      // Given the length itself, uWS would wait for that many bytes for ever, and end the process
      // when the handler returns.
      if (contentLength !== undefined) {
        this.#res.writeHeader('content-length', String(contentLength));
      }
      this.#stopReading();
      this.#res.endWithoutBody();
    });
  }

  startStream(headers: HeaderList, first: string | Uint8Array, form: StreamForm): boolean {
    if (this.#state !== 'open') return true;
    this.#writer = streamWriter(this.#res, form);
    this.#state = 'streaming';
    this.#watchWritable();
    let flowing = true;
    this.#res.cork(() => {
      this.#writeHead(200, headers);
      flowing = this.#put(first);
    });
    return flowing;
  }

  /** By itself, so that what uWS keeps until the stream ends holds on to the exchange alone. */
  #watchWritable(): void {
    this.#res.onWritable(() => {
      this.#wait?.end();
      this.#onWritable?.();
      return true;
    });
  }

  write(chunk: string | Uint8Array): boolean {
    return this.#state !== 'streaming' || this.#corked(() => this.#put(chunk));
  }

  #put(bytes: string | Uint8Array): boolean {
    return this.#isTaken(this.#writer?.write(bytes) ?? true);
  }

  #isTaken(flowing: boolean): boolean {
    if (!flowing) this.#clientWait().forReader();
    return flowing;
  }

  #corked(write: () => boolean): boolean {
    let flowing = true;
    this.#res.cork(() => {
      flowing = write();
    });
    return flowing;
  }

  onWritable(listener: () => void): void {
    this.#onWritable = () => {
      if (this.#corked(() => this.#isTaken(this.#writer?.drain() ?? true))) listener();
    };
  }

  endStream(last: string | Uint8Array): void {
    if (this.#state !== 'streaming') return;
    this.#state = 'sending';
    this.#onAborted = undefined;
    this.#res.cork(() => {
      if (this.#put(last)) this.#end();
      else this.onWritable(() => this.#res.cork(() => this.#end()));
    });
  }

  breakOff(): void {
    if (this.#state !== 'streaming') return;
    this.#onAborted = undefined;
    this.#over('ended');
    this.#res.close();
  }

  #end(): void {
    this.#over('ended');
    this.#stopReading();
    // Asked to close here, uWS would write a header into the middle of the chunked body.
    this.#res.end(this.#writer?.rest ?? '');
  }

  /**
   * A client that gets `Connection: close` closes when it has the reply. uWS closes others as idle.
   * @param uwsTells uWS itself writes that the connection closes
   */
  #writeHead(status: number, headers: HeaderList, uwsTells = false): void {
    if (status !== 200) this.#res.writeStatus(statusLine(status));
    if (!uwsTells) {
      if (this.#endsConnection(status)) this.#res.writeHeader('connection', 'close');
      else this.#res.writeHeader('keep-alive', KEEP_ALIVE_HINT);
    }
    for (const header of headers) this.#res.writeHeader(header[0], header[1]);
    if (this.#head.crossOrigin) {
      for (const [name, value] of this.#context.crossOriginHeaders)
        this.#res.writeHeader(name, value);
    }
  }

  #endsConnection(status: number): boolean {
    const asked = this.#head.asksToClose || this.#head.uwsCloses || this.#context.closing;
    return asked || this.#chunks !== undefined || status === 413 || status === 408;
  }

  #abort(): void {
    if (this.#state === 'ended') return;
    this.#over('aborted');
    this.#onAborted?.();
  }

  #over(state: 'ended' | 'aborted'): void {
    this.#state = state;
    this.#context.inFlight -= 1;
    this.#onWritable = undefined;
    this.#chunks?.drop();
    this.#wait?.end();
  }

  #clientWait(): ClientWait {
    return (this.#wait ??= new ClientWait(this.#res, this.#context.ticker));
  }
}
