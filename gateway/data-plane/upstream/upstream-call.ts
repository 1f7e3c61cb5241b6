import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { Readable, type Duplex } from 'node:stream';
import type { Dispatcher } from 'undici';
import { steadyNowMs } from '../../platform/clock/steady-clock.ts';
import { StoredBody } from '../../platform/multipart/stored-body.ts';
import { openDecoder, type DecoderSink, type ReplyDecoder } from './decoder.ts';
import { FrameDecoder, isFramed } from './frame-decoder.ts';
import { lendReads } from './reading-connector.ts';
import { readHead, textOf, type UpstreamHead, type UpstreamHeaders } from './upstream-head.ts';
import type { UpstreamFailure } from '../../platform/errors/upstream-failure.ts';
import { credentialFault, failureFrom, isConnectionEnd } from './undici-failures.ts';

/**
 * Takes the body of a reply. `data` may be called after `pause`, for what was already on its way.
 */
export interface BodySink {
  data(chunk: Buffer): void;
  end(): void;
  failure(failure: UpstreamFailure): void;
}

/**
 * undici names the socket of a request in no callback but on this channel, in the same turn as it
 * has called `onRequestStart` and before it writes the first byte.
 */
const SENDING_CHANNEL = 'undici:client:sendHeaders';

/**
 * A connection that the upstream has closed as idle breaks off as soon as the request reaches it:
 * within a round trip and what a busy thread takes to see it. Later than this the upstream may have
 * worked on the request.
 */
const STALE_MS_MAX = 1_000;
/** Times that one request is sent again for that; a pool may hold several such connections. */
const RESENDS_MAX = 2;

/** A request in undici's terms. */
type SendOptions = Omit<Dispatcher.DispatchOptions, 'body'> & {
  readonly body: Buffer | StoredBody | null;
};

/**
 * One request to an upstream, as an undici dispatch handler.
 *
 * States: waiting (no head yet) -> body (head known; chunks are kept until a sink is attached, then
 * passed on)
 * -> over. A failure in `waiting` resolves `head`, a later one goes to the sink. undici calls back
 * in one go for a small reply - head, data and end before any promise has run - hence the keeping.
 */
export class UpstreamCall implements Dispatcher.DispatchHandler {
  static #starting: UpstreamCall | undefined;
  /** Connections that have brought a reply before. */
  static readonly #used = new WeakSet<Socket>();
  static {
    subscribe(SENDING_CHANNEL, (message) => {
      const call = UpstreamCall.#starting;
      UpstreamCall.#starting = undefined;
      if (call !== undefined) call.#socket = (message as { readonly socket: Socket }).socket;
    });
  }

  readonly head: Promise<UpstreamHead | UpstreamFailure>;
  #resolveHead: (head: UpstreamHead | UpstreamFailure) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #sink: BodySink | undefined;
  #kept: Buffer[] = [];
  #outcome: 'ended' | UpstreamFailure | undefined;
  #headKnown = false;
  #abortedWith: UpstreamFailure | undefined;
  #paused = false;
  #socket: Socket | undefined;
  #bodySent = false;
  #storedBody: StoredBody | undefined;
  /**
   * The dispatcher and options to send the request again, until the reply begins. Not a closure: V8
   * kept those, and with them each call, until its next full collection.
   */
  #dispatcher: Dispatcher | undefined;
  #options: SendOptions | undefined;
  #resends = 0;
  #startedAtMs = 0;
  /** The connection, once the upstream has upgraded it; its status is 101 then. */
  upgraded: { readonly connection: Duplex; readonly headers: UpstreamHeaders } | undefined;
  /** The decoder of a reply that comes in a content coding, or in frames. */
  #decoder: ReplyDecoder | undefined;
  #isLent = false;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<UpstreamHead | UpstreamFailure>();
    this.head = promise;
    this.#resolveHead = resolve;
  }

  /**
   * Sends the request, and again when it met a connection that the upstream was just closing; see
   * `#isStale`.
   */
  dispatch(dispatcher: Dispatcher, options: SendOptions): void {
    this.#dispatcher = dispatcher;
    this.#options = options;
    this.#send(dispatcher, options);
  }

  #send(dispatcher: Dispatcher, options: SendOptions): void {
    const { body } = options;
    if (!(body instanceof StoredBody)) dispatcher.dispatch({ ...options, body }, this);
    else {
      this.#storedBody = body;
      dispatcher.dispatch({ ...options, body: Readable.from(body) }, this);
    }
  }

  /** True once the reply has ended or failed. */
  get over(): boolean {
    return this.#outcome !== undefined;
  }

  /**
   * True once the kernel has every byte of the request: nothing in this process reads its body any
   * more.
   */
  get bodySent(): boolean {
    const form = this.#storedBody;
    return this.#bodySent || (form?.wasRead !== false && this.#socket?.writableLength === 0);
  }

  /** Passes the body to a sink, first what has been kept. */
  attach(sink: BodySink): void {
    this.#sink = sink;
    const kept = this.#kept;
    this.#kept = [];
    for (const chunk of kept) sink.data(chunk);
    if (this.#outcome === 'ended') sink.end();
    else if (this.#outcome !== undefined) sink.failure(this.#outcome);
  }

  /** Stops reading from the upstream's socket: TCP then slows the upstream down. */
  pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#controller?.pause();
    this.#decoder?.pause();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#controller?.resume();
    this.#decoder?.resume();
  }

  /** From here on the sink uses each chunk before it returns, and keeps none. */
  lend(): void {
    if (this.#socket === undefined || this.#decoder !== undefined) return;
    this.#isLent = true;
    lendReads(this.#socket, true);
  }

  /** Ends the call and its connection, so that the upstream can stop generating. */
  abort(failure: UpstreamFailure): void {
    if (this.#outcome !== undefined || this.#abortedWith !== undefined) return;
    this.#abortedWith = failure;
    // Without a controller the request still waits for a connection: onRequestStart then aborts it.
    this.#controller?.abort(new Error(failure.failed));
    this.#finish(failure);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    UpstreamCall.#starting = this;
    this.#controller = controller;
    this.#startedAtMs = steadyNowMs();
    if (this.#abortedWith !== undefined) controller.abort(new Error(this.#abortedWith.failed));
  }

  onRequestUpgrade(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: UpstreamHeaders,
    connection: Duplex,
  ): void {
    if (this.#abortedWith !== undefined) {
      connection.destroy();
      return;
    }
    this.#dispatcher = undefined;
    this.#options = undefined;
    this.upgraded = { connection, headers };
    this.#headKnown = true;
    this.#outcome = 'ended';
    this.#resolveHead(readHead(status, headers));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: UpstreamHeaders,
  ): void {
    this.#dispatcher = undefined;
    this.#options = undefined;
    // 102 and 103 come before the reply, and undici reports them as well. They too show that the
    // upstream has the request.
    if (status < 200) return;
    // undici keeps them as slices of the packet they came in: a kilobyte and more for as long as
    // the reply lasts.
    controller.rawHeaders = null;
    this.#headKnown = true;
    if (this.#socket !== undefined) UpstreamCall.#used.add(this.#socket);
    const coding = textOf(headers['content-encoding']);
    const contentType = textOf(headers['content-type']).toLowerCase();
    if (coding !== '' || isFramed(contentType)) this.#decode(coding, contentType);
    this.#resolveHead(readHead(status, headers));
  }

  #decode(coding: string, contentType: string): void {
    const sink: DecoderSink = {
      data: (chunk) => this.#pass(chunk),
      end: () => this.#end(),
      broken: (error) => this.abort({ failed: 'connection_broke', detail: error.message }),
    };
    if (!isFramed(contentType)) {
      this.#decoder = openDecoder(coding, sink);
      return;
    }
    const frames = new FrameDecoder(sink);
    const decoded: DecoderSink = {
      data: (chunk) => frames.write(chunk),
      end: () => frames.end(),
      broken: (error) => sink.broken(error),
    };
    this.#decoder = (coding === '' ? undefined : openDecoder(coding, decoded)) ?? frames;
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#decoder !== undefined) this.#decoder.write(chunk);
    else this.#pass(chunk);
  }

  onResponseEnd(): void {
    // The socket's next request begins after this: until then all that it has to write is ours.
    this.#bodySent = this.bodySent;
    if (this.#isLent && this.#socket !== undefined) lendReads(this.#socket, false);
    this.#socket = undefined;
    if (this.#decoder !== undefined) this.#decoder.end();
    else this.#end();
  }

  #pass(chunk: Buffer): void {
    if (this.#outcome !== undefined) return;
    if (this.#sink !== undefined) this.#sink.data(chunk);
    else this.#kept.push(chunk);
  }

  #end(): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = 'ended';
    this.#sink?.end();
  }

  onResponseError(_controller: unknown, error: Error): void {
    const failure =
      this.#abortedWith ??
      credentialFault(error, this.#options?.headers) ??
      failureFrom(error, this.#headKnown);
    const again = this.#abortedWith === undefined && this.#isStale(error);
    if (this.#options === undefined || this.#resends === RESENDS_MAX || !again) {
      this.#finish(failure);
      return;
    }
    this.#resends += 1;
    this.#controller = undefined;
    this.#socket = undefined;
    if (this.#dispatcher !== undefined) this.#send(this.#dispatcher, this.#options);
  }

  /**
   * Reports whether the upstream closed a kept connection while the request was on its way, and so
   * never had it. A client cannot rule that out before sending (RFC 9112, 9.6). It must cost
   * neither the client a 502 nor the channel a cooldown: upstreams tend to close all kept
   * connections at once.
   */
  #isStale(error: Error): boolean {
    return (
      isConnectionEnd(error) &&
      this.#socket !== undefined &&
      UpstreamCall.#used.has(this.#socket) &&
      steadyNowMs() - this.#startedAtMs < STALE_MS_MAX
    );
  }

  #finish(failure: UpstreamFailure): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = failure;
    this.#decoder?.destroy();
    if (this.#headKnown) this.#sink?.failure(failure);
    else this.#resolveHead(failure);
  }
}
