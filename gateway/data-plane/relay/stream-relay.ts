import { steadyNowMs } from '../../platform/clock/steady-clock.ts';
import type { StopReason } from '../../platform/errors/stop-code.ts';
import type { UpstreamFailure } from '../../platform/errors/upstream-failure.ts';
import type { BegunReply } from '../../protocols/stream-reader.ts';
import { formOf } from '../../protocols/sse/reply-form.ts';
import type { StreamEnd, StreamRelayOptions } from './relay-parts.ts';

const NOTHING = Buffer.alloc(0);

/**
 * The time that the upstream has to report usage after the client left with the whole reply. Usage
 * follows the end of the reply at once. The clock is checked once a second, and a thread that ends
 * must get this bill as well: twice this is less than the LAST_BILLS_MS that it waits.
 */
export const LATE_USAGE_MS_MAX = 1_000;

/**
 * Passes one upstream's stream to the client.
 *
 * States: waiting (bytes are kept back until there is content, so that an upstream that fails
 * before it can still be replaced by another) -> flowing -> over. The upstream is paused while the
 * client is slower than it, or while more money is being asked for; either one alone keeps it
 * paused. Many clients close at the end of the reply, before the usage by which they are billed:
 * flowing -> left, where all is read and nothing sent, -> over. A complete reply without usage
 * waits for it as long: flowing -> late -> over.
 *
 * An upstream that sends a whole reply instead of a stream: waiting -> gathering -> waiting, as if
 * it had streamed.
 */
export class StreamRelay {
  readonly ended: Promise<StreamEnd>;
  readonly #options: StreamRelayOptions;
  readonly #resolve: (end: StreamEnd) => void;
  #state: 'waiting' | 'gathering' | 'flowing' | 'late' | 'left' | 'over' = 'waiting';
  #formKnown: boolean;
  #keptBytes = 0;
  #headSent: boolean;
  #kept: Uint8Array[] = [];
  #clientSlow = false;
  #lastWriteAtMs: number;
  /** The time at which the reply was complete except for its usage. */
  #wholeAtMs = 0;
  /** Output when money was first not asked for because the reply had ended; -1 before. */
  #outputAtEnd = -1;

  constructor(options: StreamRelayOptions) {
    this.#options = options;
    this.#formKnown = options.forms === undefined;
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
    const { begunReply } = options.client;
    if (begunReply !== null) this.#continue(begunReply);
    options.body.attach(this);
  }

  data(chunk: Buffer): void {
    if (this.#state === 'over') return;
    if (!this.#formKnown && this.#state === 'waiting') this.#learnForm(chunk);
    if (this.#state === 'gathering') {
      this.#gather(chunk);
      return;
    }
    const { reader, meter } = this.#options;
    const bytes = reader.push(chunk);
    if (this.#state === 'left') {
      if (this.#hasUsage() || reader.failure !== null || !this.#isMade())
        this.#over({ kind: 'client_disconnected' });
      return;
    }
    if (this.#state === 'late') {
      if (this.#hasUsage()) this.end();
      return;
    }
    if (bytes.length > 0) this.#send(bytes);
    if (reader.failure !== null) {
      this.failure(reader.failure);
      return;
    }
    if (reader.done) {
      // A complete reply needs no more money.
      if (reader.finished && !this.#hasUsage()) this.#awaitUsage();
      else this.end();
      return;
    }
    meter.delivered(reader.outputTokensEstimate);
    this.#goOnOrStop();
  }

  end(): void {
    if (this.#state === 'over') return;
    if (this.#state === 'gathering') {
      this.#streamGathered();
      return;
    }
    const { reader } = this.#options;
    const bytes = reader.flush();
    if (this.#state === 'left') {
      this.#over({ kind: 'client_disconnected' });
      return;
    }
    if (bytes.length > 0) this.#send(bytes);
    // Some upstreams end without a marker. Without an end reason the reply is not whole, marker or
    // not.
    if (!reader.finished) {
      this.failure({
        failed: 'connection_broke',
        detail: 'the stream ended before the reply did',
      });
      return;
    }
    this.#flush();
    this.#over({ kind: 'completed' });
  }

  failure(failure: UpstreamFailure): void {
    // The end of a call that was left.
    if (this.#state === 'over') return;
    if (this.#state === 'late') {
      this.end();
      return;
    }
    const { reader } = this.#options;
    // A connection that breaks after the last choice's end loses nothing of the reply; between two
    // choices it does.
    if (reader.whole && reader.failure === null) {
      this.end();
      return;
    }
    if (this.#state === 'waiting' || this.#state === 'gathering') {
      this.#over({ kind: 'nothing_sent', failure });
    }
    const last = reader.errorEvent('upstream_error');
    this.#over({ kind: 'upstream_disconnected', last, failure });
  }

  clientGone(): void {
    const { reader, body } = this.#options;
    if (this.#state === 'late') {
      this.#state = 'left';
      return;
    }
    if (this.#state === 'flowing' && this.#isMade() && reader.usage === null) {
      this.#state = 'left';
      this.#wholeAtMs = steadyNowMs();
      body.resume();
      return;
    }
    this.#over({ kind: 'client_disconnected' });
  }

  /** Keeps a silent stream alive, and waits no longer for a report than it may. */
  tick(nowMs: number): void {
    if (this.#state === 'left' || this.#state === 'late') {
      if (nowMs - this.#wholeAtMs < LATE_USAGE_MS_MAX) return;
      if (this.#state === 'late') this.end();
      else this.#over({ kind: 'client_disconnected' });
      return;
    }
    const { keepAliveMs } = this.#options;
    if (this.#state === 'over' || nowMs - this.#lastWriteAtMs < keepAliveMs) return;
    if (this.#clientSlow) return;
    const bytes = this.#keepAlive();
    if (bytes !== '') this.#write(bytes, nowMs);
  }

  #keepAlive(): string {
    const { reader, client } = this.#options;
    const own = reader.keepAlive?.();
    if (own !== undefined) return own;
    const before = client.begunReply;
    const bytes = client.keepAlive();
    if (client.begunReply !== null && before === null) this.#continue(client.begunReply);
    return bytes;
  }

  /** Joins the upstream's reply to the part that the client has already received. */
  #continue(begun: BegunReply): void {
    const { reader } = this.#options;
    // What is gathered are the upstream's own bytes, which the reader has not seen.
    const isRead = this.#state === 'waiting' && this.#kept.length > 0;
    const bytes = reader.continueReply?.(begun, isRead ? Buffer.concat(this.#kept) : NOTHING);
    if (isRead && bytes !== undefined) this.#kept = [bytes];
  }

  #learnForm(chunk: Buffer): void {
    const form = formOf(chunk);
    this.#formKnown = form !== undefined;
    if (form !== undefined && form !== 'other') this.#state = 'gathering';
  }

  #gather(chunk: Buffer): void {
    const { replyBytesMax } = this.#options;
    this.#keptBytes += chunk.length;
    if (this.#keptBytes > replyBytesMax) {
      const detail = `the upstream's reply is larger than REPLY_BODY_BYTES_MAX = ${replyBytesMax}`;
      this.failure({ failed: 'reply_too_large', detail });
    } else this.#kept.push(Buffer.from(chunk));
  }

  /** The whole reply is here: it goes on as the stream that was asked for. */
  #streamGathered(): void {
    const reply = Buffer.concat(this.#kept);
    this.#kept = [];
    const stream = this.#options.forms?.toStream(reply);
    if (stream === undefined) {
      const detail = 'a stream was asked for and something else came';
      this.failure({ failed: 'bad_reply', detail, body: reply });
      return;
    }
    this.#state = 'waiting';
    this.data(stream);
    this.end();
  }

  /** Reports whether nothing but the report is missing. */
  #isMade(): boolean {
    const { finished, isMade } = this.#options.reader;
    return finished || isMade === true;
  }

  /** Reports whether the reported usage covers the output. */
  #hasUsage(): boolean {
    const { usage, outputTokensEstimate } = this.#options.reader;
    return usage !== null && (usage.output >= 1 || outputTokensEstimate === 0);
  }

  /** Some servers report usage behind the end mark. */
  #awaitUsage(): void {
    this.#flush();
    this.#state = 'late';
    this.#wholeAtMs = steadyNowMs();
    this.#options.body.resume();
  }

  #send(bytes: Uint8Array): void {
    if (this.#state === 'waiting') {
      this.#kept.push(bytes);
      if (this.#options.reader.hasContent) this.#flush();
      return;
    }
    this.#write(bytes, steadyNowMs());
  }

  /** Content has come: from here on the reply is this upstream's. */
  #flush(): void {
    if (this.#state !== 'waiting') return;
    this.#state = 'flowing';
    const { client, reader, body } = this.#options;
    client.contentBegins();
    if (reader.keepsNoChunk === true) body.lend();
    const [first] = this.#kept;
    const bytes =
      this.#kept.length === 1 && first !== undefined ? first : Buffer.concat(this.#kept);
    this.#kept = [];
    this.#write(bytes, steadyNowMs());
  }

  #write(bytes: string | Uint8Array, nowMs: number): void {
    const { client } = this.#options;
    this.#lastWriteAtMs = nowMs;
    const flowing = this.#headSent ? client.write(bytes) : client.startStream(bytes);
    this.#headSent = true;
    this.#clientSlow = !flowing;
  }

  /** Nothing more is to be paused or paid for. */
  #isWhole(): boolean {
    return this.#state === 'left' || this.#state === 'late' || this.#state === 'over';
  }

  /**
   * Nothing billable follows the last choice's end, unless the upstream sent the end too early:
   * later output is billed like all output.
   */
  #isPaid(): boolean {
    const { finished, outputTokensEstimate } = this.#options.reader;
    if (!finished) return false;
    if (this.#outputAtEnd === -1) this.#outputAtEnd = outputTokensEstimate;
    return outputTokensEstimate === this.#outputAtEnd;
  }

  #flowOrPause(): void {
    if (this.#isWhole()) return;
    const { body, meter } = this.#options;
    const waitsForMoney = meter.mustWait && !this.#isPaid();
    if (this.#clientSlow || waitsForMoney) body.pause();
    else body.resume();
  }

  #goOnOrStop(): void {
    if (this.#isWhole()) return;
    const { stopCode } = this.#options.meter;
    if (stopCode === null || this.#isPaid()) this.#flowOrPause();
    else this.#stop(stopCode);
  }

  #stop(code: StopReason): void {
    const { reader } = this.#options;
    this.#flush();
    if (code === 'output_limit') {
      this.#write(reader.cutShort(), steadyNowMs());
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
