import type { StopReason } from '../../platform/errors/stop-code.ts';
import type { UpstreamFailure } from '../../platform/errors/upstream-failure.ts';
import type { UpstreamBody } from './upstream-body.ts';
import type { StreamReader } from '../../protocols/stream-reader.ts';

/** The client's side of a stream. */
export interface StreamClient {
  /** Sends the head and the first bytes. Like `write`, false means: wait for `onWritable`. */
  startStream(first: string | Uint8Array): boolean;
  write(chunk: string | Uint8Array): boolean;
  onWritable(listener: () => void): void;
  /** The upstream's first content has come. */
  contentBegins(): void;
}

/** Keeps the reply paid for; see admission/hold-meter.ts. */
export interface StreamMeter {
  delivered(outputTokens: number): void;
  readonly mustWait: boolean;
  /** Why the reply must end here; null while it may go on. */
  readonly stopCode: StopReason | null;
  onAnswer(listener: () => void): void;
}

export type StreamEnd =
  /** The whole reply has gone out but for its end marker. The body may not have ended, and may be paused: the rest is to be dropped. */
  | { readonly kind: 'completed' }
  /** Money ran out; the upstream is to be aborted. */
  | { readonly kind: 'funds_exhausted'; readonly last: string }
  /** The ledger stayed away, or has lost the hold: whether there is money for more cannot be told. */
  | { readonly kind: 'ledger_unavailable'; readonly last: string }
  /** The upstream broke off after the client had seen something. */
  | {
      readonly kind: 'upstream_disconnected';
      readonly last: string;
      readonly failure: UpstreamFailure;
    }
  /** The upstream failed and the client has seen nothing of its reply: another channel can be tried. */
  | { readonly kind: 'nothing_sent'; readonly failure: UpstreamFailure }
  | { readonly kind: 'client_disconnected' };

export interface StreamRelayOptions {
  readonly body: UpstreamBody;
  readonly client: StreamClient;
  readonly reader: StreamReader;
  readonly meter: StreamMeter;
  /** Bytes that keep the stream alive. */
  readonly keepAlive: string;
  readonly keepAliveMs: number;
  /** The client has got a head and comments from an attempt before this one. */
  readonly started: boolean;
  /** When the client has last heard of this stream, or begun to wait for it. */
  readonly lastWriteAtMs: number;
}

/**
 * How long the upstream may take to report usage when the client has left with the whole reply; it follows the
 * finish_reason at once. The clock is looked at once a second, and a thread that ends must get this bill as well:
 * twice this is less than the LAST_BILLS_MS that it waits.
 */
export const LATE_USAGE_MS_MAX = 1_000;

/**
 * Passes one upstream's stream to the client.
 *
 * States: waiting (bytes are kept back until there is content, so that an upstream that fails before it can
 * still be replaced by another) -> flowing -> over. The upstream is paused while the client is slower than it,
 * or while more money is being asked for; either one alone keeps it paused. Many programs close at the finish_reason,
 * and the usage that they are to be billed by comes after it: flowing -> left, where all is read and nothing sent,
 * -> over.
 */
export class StreamRelay {
  readonly ended: Promise<StreamEnd>;
  readonly #options: StreamRelayOptions;
  readonly #resolve: (end: StreamEnd) => void;
  #state: 'waiting' | 'flowing' | 'left' | 'over' = 'waiting';
  #headSent: boolean;
  #kept: Uint8Array[] = [];
  #clientSlow = false;
  #lastWriteAtMs: number;
  #leftAtMs = 0;

  constructor(options: StreamRelayOptions) {
    this.#options = options;
    this.#headSent = options.started;
    this.#lastWriteAtMs = options.lastWriteAtMs;
    const { promise, resolve } = Promise.withResolvers<StreamEnd>();
    this.ended = promise;
    this.#resolve = resolve;
    options.client.onWritable(() => {
      this.#clientSlow = false;
      this.#flowOrPause();
    });
    options.meter.onAnswer(() => this.#goOnOrStop());
    options.body.attach(this);
  }

  data(chunk: Buffer): void {
    if (this.#state === 'over') return;
    const { reader, meter } = this.#options;
    const bytes = reader.push(chunk);
    if (this.#state === 'left') {
      const { usage, done, failure, finished } = reader;
      if (usage !== null || done || failure !== null || !finished)
        this.#over({ kind: 'client_disconnected' });
      return;
    }
    if (bytes.length > 0) this.#send(bytes);
    if (reader.failure !== null) {
      this.failure(reader.failure);
      return;
    }
    if (reader.done) {
      // A reply that is whole asks for no more money.
      this.end();
      return;
    }
    meter.delivered(reader.outputTokensEstimate);
    this.#goOnOrStop();
  }

  end(): void {
    if (this.#state === 'over') return;
    const { reader } = this.#options;
    const bytes = reader.flush();
    if (this.#state === 'left') {
      this.#over({ kind: 'client_disconnected' });
      return;
    }
    if (bytes.length > 0) this.#send(bytes);
    // Some upstreams end without a marker. Without a finish_reason the reply is not whole, marker or not.
    if (!reader.finished) {
      this.failure({
        failed: 'connection_broke',
        detail: 'the stream ended without a finish_reason',
      });
      return;
    }
    this.#flush();
    this.#over({ kind: 'completed' });
  }

  failure(failure: UpstreamFailure): void {
    const { reader } = this.#options;
    // A connection that breaks behind the last finish_reason takes no word of the reply with it; between two choices it does.
    if (reader.whole && reader.failure === null) {
      this.end();
      return;
    }
    if (this.#state === 'waiting') this.#over({ kind: 'nothing_sent', failure });
    const last = reader.errorEvent('upstream_error');
    this.#over({ kind: 'upstream_disconnected', last, failure });
  }

  clientGone(): void {
    const { reader, body } = this.#options;
    if (this.#state === 'flowing' && reader.finished && reader.usage === null) {
      this.#state = 'left';
      this.#leftAtMs = Date.now();
      body.resume();
      return;
    }
    this.#over({ kind: 'client_disconnected' });
  }

  /** Keeps a silent stream alive, and waits no longer for a report than it may. */
  tick(nowMs: number): void {
    if (this.#state === 'left') {
      if (nowMs - this.#leftAtMs >= LATE_USAGE_MS_MAX) this.#over({ kind: 'client_disconnected' });
      return;
    }
    const { reader, keepAlive, keepAliveMs } = this.#options;
    if (this.#state === 'over' || nowMs - this.#lastWriteAtMs < keepAliveMs) return;
    if (!this.#clientSlow) this.#write(reader.keepAlive?.() ?? keepAlive, nowMs);
  }

  #send(bytes: Uint8Array): void {
    if (this.#state === 'waiting') {
      this.#kept.push(bytes);
      if (this.#options.reader.hasContent) this.#flush();
      return;
    }
    this.#write(bytes, Date.now());
  }

  /** Content has come: from here on the reply is this upstream's. */
  #flush(): void {
    if (this.#state !== 'waiting') return;
    this.#state = 'flowing';
    this.#options.client.contentBegins();
    const [first] = this.#kept;
    const bytes =
      this.#kept.length === 1 && first !== undefined ? first : Buffer.concat(this.#kept);
    this.#kept = [];
    this.#write(bytes, Date.now());
  }

  #write(bytes: string | Uint8Array, nowMs: number): void {
    const { client } = this.#options;
    this.#lastWriteAtMs = nowMs;
    const flowing = this.#headSent ? client.write(bytes) : client.startStream(bytes);
    this.#headSent = true;
    this.#clientSlow = !flowing;
  }

  #flowOrPause(): void {
    if (this.#state === 'left' || this.#state === 'over') return;
    const { body, meter, reader } = this.#options;
    // Behind the last finish_reason nothing comes that has to be paid for.
    const waitsForMoney = meter.mustWait && !reader.finished;
    if (this.#clientSlow || waitsForMoney) body.pause();
    else body.resume();
  }

  #goOnOrStop(): void {
    if (this.#state === 'left' || this.#state === 'over') return;
    const { meter, reader } = this.#options;
    const { stopCode } = meter;
    if (stopCode === null || reader.finished) this.#flowOrPause();
    else this.#stop(stopCode);
  }

  #stop(code: StopReason): void {
    const { reader } = this.#options;
    this.#flush();
    if (code === 'output_limit') {
      this.#write(reader.cutShort(), Date.now());
      this.#over({ kind: 'completed' });
      return;
    }
    if (code === 'ledger_unavailable') {
      this.#over({ kind: 'ledger_unavailable', last: reader.errorEvent(code) });
      return;
    }
    const last = reader.cutShort() + reader.errorEvent(code);
    this.#over({ kind: 'funds_exhausted', last });
  }

  #over(end: StreamEnd): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    this.#kept = [];
    this.#resolve(end);
  }
}
