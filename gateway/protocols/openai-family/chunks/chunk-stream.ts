import type { FieldPolicy } from '@weir/shared/catalog/channels';
import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { refuse } from '../../../platform/errors/refusal.ts';
import type { UpstreamFailure } from '../../../platform/errors/upstream-failure.ts';
import { parseOwnObject } from '../../../platform/json/json-value.ts';
import type { FailureFinder } from '../../protocol.ts';
import { CUT_SHORT_MESSAGES, type StreamReader } from '../../stream-reader.ts';
import { EVENT_TOO_LARGE, EventPasser, type EventHandler } from '../../sse/event-passer.ts';
import { renderErrorEvent } from '../render-error.ts';
import { isDoneMark } from '../../sse/reply-form.ts';
import type { SseParser } from '../../sse/sse-parser.ts';
import { ChunkReader, type ChunkFormat } from './chunk-reader.ts';
import { streamError } from './stream-error.ts';

export interface ChunkStreamOptions {
  /** The model ID the client sent. */
  readonly publicModel: string;
  /** The client asked for the usage chunk. */
  readonly includeUsage: boolean;
  /** Choices (`n`) the client asked for. */
  readonly choices: number;
  /** Finds the error of a vendor that reports it in a place of its own. */
  readonly findFailure?: FailureFinder;
  /** The largest event; a reply that has a larger one cannot be passed on. */
  readonly eventBytesMax?: number | undefined;
  /** Absent: known fields alone. */
  readonly fieldPolicy?: FieldPolicy | undefined;
}

/** Ends a stream. Exactly these bytes: a space behind the marker breaks SDKs. */
const DONE_EVENT = 'data: [DONE]\n\n';

const NOTHING = Buffer.alloc(0);
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const LF = 0x0a;
const TAB = 0x09;
const SPACE = 0x20;

/**
 * Templates kept: content, reasoning and arguments of each choice, which come in turn, up to a
 * limit.
 */
const TEMPLATES_PER_CHOICE = 3;
const TEMPLATES_MAX = 24;

/**
 * Translates one upstream's stream of chunks for the client. Well-formed chunks under the public
 * model's name go out in the very buffer they came in; chunks like one seen before are recognised
 * by their bytes; everything else is parsed, checked and brought into shape.
 *
 * States: open -> done (the end marker came) or failed (an error event, or bytes that are no such
 * stream). In both nothing more is answered; of a stream that is done the usage is still read.
 */
export class ChunkStream implements StreamReader, EventHandler {
  done = false;
  failure: UpstreamFailure | null = null;
  readonly #passer: EventPasser;
  readonly #reader: ChunkReader;
  readonly #findFailure: FailureFinder;

  constructor(options: ChunkStreamOptions, format: ChunkFormat) {
    const { publicModel, includeUsage, choices, findFailure, eventBytesMax } = options;
    const passesAll = options.fieldPolicy === 'all';
    const templatesMax = Math.min(choices * TEMPLATES_PER_CHOICE, TEMPLATES_MAX);
    this.#passer = new EventPasser(this, { templatesMax }, eventBytesMax);
    const { output } = this.#passer;
    this.#reader = new ChunkReader(
      { publicModel, includeUsage, choices, passesAll, format },
      output,
    );
    this.#findFailure = findFailure ?? (() => undefined);
  }

  get hasContent(): boolean {
    return this.#passer.hasContent;
  }

  /** Behind the end marker usage may still come. */
  get over(): boolean {
    return this.failure !== null || (this.done && this.usage !== null);
  }

  /** Every choice that began has its finish_reason. */
  get finished(): boolean {
    return this.#reader.finished;
  }

  /** Every choice that was asked for has its finish_reason: nothing more of the reply can come. */
  get whole(): boolean {
    return this.#reader.whole;
  }

  /**
   * The usage that the upstream reported; capUsage makes it fit to be billed. Some servers report
   * the prompt first and the output at the end, or never: a report that does not cover what was
   * delivered by then is none. The last word of a reply that is finished needs no such proof: in a
   * stream of single letters a token is many pieces.
   */
  get usage(): TokenCounts | null {
    const { usage, usagePieces, finished } = this.#reader;
    if (usage === undefined) return null;
    const { pieces } = this.#passer.output;
    return usage.output >= pieces || (finished && usagePieces === pieces) ? usage : null;
  }

  /**
   * The prompt as the upstream reported it, also when its report covers no output: at the beginning
   * of a stream, of which the rest never came. What was read from a cache is known from there
   * alone.
   */
  get promptUsage(): TokenCounts | null {
    const { usage } = this.#reader;
    return usage === undefined ? null : { ...usage, output: 0, reasoning: 0 };
  }

  /** Output tokens answered so far, over all choices, estimated without a tokenizer. */
  get outputTokensEstimate(): number {
    return this.#passer.output.tokensEstimate;
  }

  /** All output answered so far, to count its tokens when the upstream reports none. */
  deliveredText(): string {
    return this.#passer.output.text();
  }

  /**
   * Takes bytes as they came and answers the bytes for the client. The end marker is never among
   * them.
   */
  push(chunk: Buffer): Buffer {
    return this.#passer.push(chunk);
  }

  /** The upstream has closed the stream: answers what an unfinished last event still gives. */
  flush(): Buffer {
    return this.#passer.flush();
  }

  /**
   * The last bytes of a whole reply: the usage that the client asked for, these counts or what was
   * reported, and the end marker.
   */
  endMarker(counted: TokenCounts | null = null): string {
    return this.#reader.usageEvent(counted) + DONE_EVENT;
  }

  /** Ends every open choice with finish_reason "length". */
  cutShort(): string {
    return this.#reader.finishEvents('length');
  }

  /** The last event of a reply that cannot be completed. */
  errorEvent(code: keyof typeof CUT_SHORT_MESSAGES): string {
    return renderErrorEvent(refuse(code, CUT_SHORT_MESSAGES[code]));
  }

  tooLarge(): void {
    this.failure = { failed: 'reply_too_large', detail: EVENT_TOO_LARGE };
  }

  readEvent(parser: SseParser): void {
    const { eventName, plain } = parser;
    const data = trimmed(parser.data);
    const first = data[0];
    if (this.done) {
      if (first === OPEN_BRACE) this.#readLate(data);
      return;
    }
    if (first === OPEN_BRACKET && isDoneMark(data)) {
      this.done = true;
      // A marker ends a whole reply: servers that send no finish_reason mean "stop".
      if (this.hasContent && !this.finished) {
        this.#passer.writeRaw(this.#reader.finishEvents('stop'));
      }
      this.#passer.forgetTemplates();
      if ((this.usage?.output ?? 0) >= 1) this.#passer.output.forgetText();
      return;
    }
    // Heartbeats of all kinds are not for the client: SDKs parse whatever is in an event.
    if (first !== OPEN_BRACE && eventName !== 'error') return;
    const chunk = parseOwnObject(data);
    const error = streamError(chunk, eventName, this.#findFailure);
    if (chunk === undefined || error !== undefined) {
      this.#fail(error ?? '', data);
      return;
    }
    const { sent, hasContent, callBegan, example } = this.#reader.read(data, chunk);
    if (hasContent) this.#passer.hasContent = true;
    // Where every call has index 0, fragments of this one look like the last one's and would be
    // sent as its.
    if (callBegan) this.#passer.forgetTemplates();
    if (sent === undefined) return;
    const unchanged = sent === parser.data && plain;
    if (unchanged) this.#passer.pass();
    else this.#passer.write(sent);
    if (example === undefined || !plain) return;
    this.#passer.learn(example, unchanged ? undefined : sent);
  }

  #readLate(data: Buffer): void {
    const chunk = parseOwnObject(data);
    if (chunk === undefined) return;
    this.#reader.readLate(chunk);
    if ((this.usage?.output ?? 0) >= 1) this.#passer.output.forgetText();
  }

  #fail(detail: string, body: Buffer = NOTHING): void {
    this.failure = { failed: 'bad_reply', detail, body };
  }
}

/** The same buffer unless there is white space before the JSON. */
function trimmed(data: Buffer): Buffer {
  let start = 0;
  while (data[start] === SPACE || data[start] === LF || data[start] === TAB) start += 1;
  return start === 0 ? data : data.subarray(start);
}
