import type { TokenCounts } from '@weir/shared/usage-record';
import { refuse } from '../../../platform/errors/refusal.ts';
import type { UpstreamFailure } from '../../../platform/errors/upstream-failure.ts';
import { parseOwnObject } from '../../../platform/json/json-value.ts';
import type { FailureFinder } from '../../protocol.ts';
import { CUT_SHORT_MESSAGES, type StreamReader } from '../../stream-reader.ts';
import { ByteWriter } from '../../sse/byte-writer.ts';
import { learnTemplate, type ChunkTemplate } from './chunk-template.ts';
import { DeliveredOutput } from '../../sse/delivered-output.ts';
import { renderErrorEvent } from '../../openai-family/render-error.ts';
import { SseParser } from '../../sse/sse-parser.ts';
import { ChunkReader, type ChunkReading } from './stream-chunk.ts';
import { streamError } from './stream-error.ts';

export interface ChatStreamOptions {
  /** The model ID the client sent. */
  readonly publicModel: string;
  /** The client asked for the usage chunk. */
  readonly includeUsage: boolean;
  /** Choices (`n`) the client asked for. */
  readonly choices: number;
  /** Finds the error of a vendor that reports it in a place of its own. */
  readonly findFailure?: FailureFinder;
}

/** Ends a stream. Exactly these bytes: a space behind the marker breaks SDKs. */
const DONE_EVENT = 'data: [DONE]\n\n';
const DONE_MARK = '[DONE]';

const DATA_PREFIX = Buffer.from('data: ');
const EVENT_END = Buffer.from('\n\n');
const NOTHING = Buffer.alloc(0);
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const LF = 0x0a;
const TAB = 0x09;
const SPACE = 0x20;

/** Templates kept: content, reasoning and arguments of each choice, which come in turn, up to a limit. */
const TEMPLATES_PER_CHOICE = 3;
const TEMPLATES_MAX = 24;
/** Templates learnt in a row without one ever fitting: this upstream's chunks are never alike. */
const FRUITLESS_LESSONS_MAX = 8;
/** A packet of rewritten chunks grows by about this much at most; beyond it the writer copies once more. */
const REWRITTEN_BYTES_MORE = 64;

/**
 * Translates one upstream's stream for the client. Well-formed chunks under the public model's name go out in
 * the very buffer they came in; chunks like one seen before are recognised by their bytes; everything else is
 * parsed, checked and brought into shape.
 *
 * States: open -> done (the end marker came) or failed (an error event, or bytes that are no such stream). In both
 * nothing more is answered.
 */
export class ChatStream implements StreamReader {
  hasContent = false;
  done = false;
  failure: UpstreamFailure | null = null;
  readonly #parser = new SseParser();
  readonly #output = new DeliveredOutput();
  readonly #reader: ChunkReader;
  readonly #out = new ByteWriter({ stays: false });
  #templates: ChunkTemplate[] = [];
  readonly #templatesMax: number;
  readonly #findFailure: FailureFinder;
  #fruitlessLessons = 0;
  /** Bytes in hand that go out as they are and have not been copied yet. */
  #passStart = 0;
  #passEnd = 0;

  constructor({ publicModel, includeUsage, choices, findFailure }: ChatStreamOptions) {
    this.#reader = new ChunkReader({ publicModel, includeUsage, choices }, this.#output);
    this.#findFailure = findFailure ?? (() => undefined);
    this.#templatesMax = Math.min(choices * TEMPLATES_PER_CHOICE, TEMPLATES_MAX);
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
   * What the upstream reported; capUsage makes it fit to be billed. Some servers report the prompt first and the
   * output at the end, or never: a report that does not cover what was delivered by then is none. The last word of a
   * reply that is finished needs no such proof: in a stream of single letters a token is many pieces.
   */
  get usage(): TokenCounts | null {
    const { usage, usagePieces, finished } = this.#reader;
    if (usage === undefined) return null;
    const { pieces } = this.#output;
    return usage.output >= pieces || (finished && usagePieces === pieces) ? usage : null;
  }

  /**
   * The prompt as the upstream reported it, also when its report covers no output: at the beginning of a stream, of
   * which the rest never came. What was read from a cache is known from there alone.
   */
  get promptUsage(): TokenCounts | null {
    const { usage } = this.#reader;
    return usage === undefined ? null : { ...usage, output: 0, reasoning: 0 };
  }

  /** Output tokens answered so far, over all choices, estimated without a tokenizer. */
  get outputTokensEstimate(): number {
    return this.#output.tokensEstimate;
  }

  /** All output answered so far, to count its tokens when the upstream reports none. */
  deliveredText(): string {
    return this.#output.text();
  }

  /** Takes bytes as they came and answers the bytes for the client. The end marker is never among them. */
  push(chunk: Buffer): Buffer {
    if (this.done || this.failure !== null) return NOTHING;
    this.#parser.feed(chunk);
    return this.#drain();
  }

  /** The upstream has closed the stream: answers what an unfinished last event still gives. */
  flush(): Buffer {
    if (this.done || this.failure !== null) return NOTHING;
    this.#parser.finish();
    return this.#drain();
  }

  /** The last bytes of a whole reply: the usage that the client asked for, these counts or what was reported, and the end marker. */
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

  #drain(): Buffer {
    const parser = this.#parser;
    this.#passStart = 0;
    this.#passEnd = 0;
    while (parser.hasRest && !this.done && this.failure === null) {
      if (this.#passByTemplate()) continue;
      const step = parser.next();
      if (step === 'incomplete') break;
      if (step === 'too_large') this.#fail('an event is larger than EVENT_BYTES_MAX');
      else this.#readEvent();
    }
    const { bytes } = parser;
    if (this.#out.length > 0) this.#copyPassed();
    parser.forgetRead();
    if (this.#out.length > 0) return this.#out.take();
    if (this.#passEnd === 0) return NOTHING;
    const whole = this.#passStart === 0 && this.#passEnd === bytes.length;
    return whole ? bytes : bytes.subarray(this.#passStart, this.#passEnd);
  }

  /** Handles the event at the parser's position when it fits a template. */
  #passByTemplate(): boolean {
    const { bytes, position } = this.#parser;
    const templates = this.#templates;
    for (let index = 0; index < templates.length; index += 1) {
      const template = templates[index];
      if (template === undefined) continue;
      const end = template.match(bytes, position);
      if (end === -1) continue;
      if (index > 0) {
        templates[index] = templates[0] ?? template;
        templates[0] = template;
      }
      this.#fruitlessLessons = 0;
      this.#parser.position = end;
      if (template.textEnd > template.textStart) {
        this.hasContent = true;
        this.#output.addEscaped(bytes, template, template);
      }
      if (template.unchanged) {
        this.#pass(position, end);
      } else {
        this.#copyPassed();
        this.#out.expect(bytes.length + REWRITTEN_BYTES_MORE);
        template.write(bytes, this.#out);
      }
      return true;
    }
    return false;
  }

  #readEvent(): void {
    const { eventName } = this.#parser;
    const data = trimmed(this.#parser.data);
    const first = data[0];
    if (first === OPEN_BRACKET && data.toString('latin1').trim() === DONE_MARK) {
      this.done = true;
      if ((this.usage?.output ?? 0) > 0) this.#output.forgetText();
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
    const reading = this.#reader.read(data, chunk);
    if (reading.hasContent) this.hasContent = true;
    // Where every call has index 0, fragments of this one look like the last one's and would be sent as its.
    if (reading.callBegan) this.#templates = [];
    if (reading.sent !== undefined) this.#send(reading, reading.sent);
  }

  #send({ example }: ChunkReading, sent: Buffer): void {
    const { bytes, blockStart, blockEnd, plain, data } = this.#parser;
    const unchanged = sent === data && plain;
    if (unchanged) this.#pass(blockStart, blockEnd);
    else this.#writeEvent(sent);
    if (example === undefined || !plain || this.#fruitlessLessons >= FRUITLESS_LESSONS_MAX) return;
    const received = bytes.subarray(blockStart, blockEnd);
    const block = unchanged ? received : Buffer.concat([DATA_PREFIX, sent, EVENT_END]);
    const template = learnTemplate({ received, sent: block, ...example });
    this.#fruitlessLessons += 1;
    if (template === undefined) return;
    this.#templates = [template, ...this.#templates.slice(0, this.#templatesMax - 1)];
  }

  /** Marks bytes in hand to go out as they are, without copying while they adjoin. */
  #pass(start: number, end: number): void {
    if (this.#passEnd !== start || this.#passEnd === 0) {
      this.#copyPassed();
      this.#passStart = start;
    }
    this.#passEnd = end;
  }

  #copyPassed(): void {
    if (this.#passEnd === 0) return;
    this.#out.append(this.#parser.bytes, this.#passStart, this.#passEnd);
    this.#passEnd = 0;
  }

  #writeEvent(data: Buffer): void {
    this.#copyPassed();
    const line = data.includes(LF) ? oneLine(data) : data;
    this.#out.append(DATA_PREFIX, 0, DATA_PREFIX.length);
    this.#out.append(line, 0, line.length);
    this.#out.append(EVENT_END, 0, EVENT_END.length);
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

/** Line feeds in valid JSON stand between its parts only. */
function oneLine(data: Buffer): Buffer {
  return Buffer.from(data.map((byte) => (byte === LF ? SPACE : byte)));
}
