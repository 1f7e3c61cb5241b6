import type { TokenCounts } from '@weir/shared/watch/usage-record';
import type { StopCode } from '../../../platform/errors/stop-code.ts';
import type { UpstreamFailure } from '../../../platform/errors/upstream-failure.ts';
import { laterUsage } from '../../fields/later-usage.ts';
import { DeliveredOutput } from '../../sse/delivered-output.ts';
import { EVENT_TOO_LARGE } from '../../sse/event-passer.ts';
import { SseParser } from '../../sse/sse-parser.ts';
import type { BegunReply, StreamReader } from '../../stream-reader.ts';
import type { EventReader, EventWriter } from '../neutral-form.ts';
import type { NeutralEvent } from '../reply.ts';

const NOTHING = Buffer.alloc(0);

type EndEvent = Extract<NeutralEvent, { type: 'end' }>;

/**
 * A stream of one protocol on its way to a client of another: its events are read and written.
 *
 * Some upstreams give an end reason with each chunk, or content behind it. So the end waits until
 * nothing more can come, and the last reason is in force: clients read nothing behind an end.
 */
export class TranslatedStream implements StreamReader {
  hasContent = false;
  finished = false;
  done = false;
  isFree = false;
  failure: UpstreamFailure | null = null;
  readonly #parser: SseParser;
  readonly #output = new DeliveredOutput();
  readonly #reader: EventReader;
  readonly #writer: EventWriter;
  #usage: TokenCounts | null = null;
  /** Pieces of output that the last report of output covers. */
  #reportedPieces = 0;
  /** Not written yet. */
  #end: EndEvent | undefined;
  /** An image has been delivered, whose tokens cannot be counted here. */
  #hasImage = false;
  /** The last report came with it or behind it. */
  #reportHasImage = false;

  constructor(reader: EventReader, writer: EventWriter, eventBytesMax?: number) {
    this.#parser = new SseParser(eventBytesMax);
    this.#reader = reader;
    this.#writer = writer;
  }

  get whole(): boolean {
    return this.finished;
  }

  get usage(): TokenCounts | null {
    // A client that leaves with its image would have it for nothing.
    const usage = this.#usage;
    if (usage === null) return null;
    const hasImage = this.#reportHasImage && usage.output >= 1;
    const { pieces } = this.#output;
    const isCovered = usage.output >= pieces || this.#reportedPieces === pieces;
    return hasImage || (this.finished && isCovered) ? usage : null;
  }

  get promptUsage(): TokenCounts | null {
    return this.#usage === null ? null : { ...this.#usage, output: 0, reasoning: 0 };
  }

  get outputTokensEstimate(): number {
    return this.#output.tokensEstimate;
  }

  deliveredText(): string {
    return this.#output.text();
  }

  push(chunk: Buffer): Uint8Array {
    if (this.#over) return NOTHING;
    this.#parser.feed(chunk);
    return this.#drain();
  }

  flush(): Uint8Array {
    if (this.failure !== null) return NOTHING;
    if (this.#over) return Buffer.from(this.#writeEnd());
    this.#parser.finish();
    const bytes = this.#drain();
    const rest = this.#translate(this.#reader.close()) + this.#writeEnd();
    return rest === '' ? bytes : Buffer.concat([bytes, Buffer.from(rest)]);
  }

  keepAlive(): string | undefined {
    return this.hasContent ? this.#writer.keepAlive?.() : undefined;
  }

  continueReply(begun: BegunReply, kept: Uint8Array): Uint8Array {
    return this.#writer.continueReply?.(begun, kept) ?? kept;
  }

  cutShort(): string {
    this.finished = true;
    this.#end = undefined;
    return this.#writer.cutShort();
  }

  errorEvent(code: StopCode | 'upstream_error'): string {
    return this.#writer.errorEvent(code);
  }

  endMarker(counted: TokenCounts | null): string {
    return this.#writer.endMarker(counted ?? this.#usage);
  }

  /** Behind the terminal event usage may still come. */
  get #over(): boolean {
    const { failure, done, usage } = this;
    return failure !== null || (done && (usage?.output ?? 0) >= 1);
  }

  #drain(): Uint8Array {
    const parser = this.#parser;
    let text = '';
    while (parser.hasRest && !this.#over) {
      const step = parser.next();
      if (step === 'incomplete') break;
      if (step === 'too_large') {
        this.failure = { failed: 'reply_too_large', detail: EVENT_TOO_LARGE };
      } else text += this.#translate(this.#reader.read(parser.eventName, parser.data), parser.data);
    }
    parser.forgetRead();
    return text === '' ? NOTHING : Buffer.from(text);
  }

  #translate(events: readonly NeutralEvent[], data: Buffer = NOTHING): string {
    let text = '';
    for (const event of events) {
      if (this.done && event.type !== 'usage') continue;
      switch (event.type) {
        case 'usage':
          this.#noteUsage(event.usage);
          break;
        case 'done':
          this.done = true;
          text += this.#writeEnd();
          break;
        case 'failure':
          this.#fail(event.detail, data);
          return text;
        case 'end':
          this.finished = true;
          this.#end = event;
          this.isFree = event.isFree === true;
          break;
        default:
          this.#count(event);
          text += this.#writer.write(event);
      }
    }
    return text;
  }

  #noteUsage(usage: TokenCounts): void {
    this.#usage = laterUsage(this.#usage, usage);
    this.#reportHasImage = this.#hasImage;
    if (usage.output >= 1) this.#reportedPieces = this.#output.pieces;
  }

  #writeEnd(): string {
    const end = this.#end;
    this.#end = undefined;
    return end === undefined ? '' : this.#writer.write(end);
  }

  #count(event: NeutralEvent): void {
    switch (event.type) {
      case 'text':
      case 'refusal':
      case 'reasoning':
      case 'tool_input':
        if (event.text === '') return;
        this.#output.add(event.text);
        break;
      case 'tool_call':
        this.#output.add(event.name);
        break;
      case 'image':
        this.#hasImage = true;
        break;
      default:
        return;
    }
    this.hasContent = true;
  }

  #fail(detail: string, data: Buffer): void {
    // The parser's bytes are used again for the next packet.
    this.failure = { failed: 'bad_reply', detail, body: Buffer.from(data) };
  }
}
