import { ByteWriter } from './byte-writer.ts';
import { learnTemplate, type ChunkTemplate } from './chunk-template.ts';
import { DeliveredOutput } from './delivered-output.ts';
import { SseParser } from './sse-parser.ts';

/** A protocol's handler of the events of its stream. */
export interface EventHandler {
  /** Nothing more is to be read: the stream is over or has failed. */
  readonly over: boolean;
  /** An event is whole: `pass` or `write` it, else the client does not get it. */
  readEvent(parser: SseParser): void;
  /** An event is larger than it may be. */
  tooLarge(): void;
}

/** Recognises events that are alike. */
export interface Recognition {
  /** Kinds of events at a time. */
  readonly templatesMax: number;
  /** Keys of numbers that differ from event to event. */
  readonly numberKeys?: readonly string[];
}

const NO_KEYS: readonly string[] = [];

/** For the log: why a reply with such an event fails. */
export const EVENT_TOO_LARGE = 'an event of the stream is larger than REPLY_BODY_BYTES_MAX';

const DATA_PREFIX = Buffer.from('data: ');
const EVENT_PREFIX = Buffer.from('event: ');
const EVENT_END = Buffer.from('\n\n');
const NOTHING = Buffer.alloc(0);
const LF = 0x0a;
const SPACE = 0x20;

/** Templates learnt in a row without one ever fitting: this upstream's events are never alike. */
const FRUITLESS_LESSONS_MAX = 8;
/** A packet of rewritten events grows by about this much; beyond it the writer copies once more. */
const REWRITTEN_BYTES_MORE = 64;

/**
 * Passes the events of a stream of one protocol to a client of the same. Events that are sent as
 * they came leave in the buffer they came in; events like one that was read before are recognised
 * by their bytes and are not read.
 */
export class EventPasser {
  /**
   * Content has been among the bytes for the client. Set by the handler, and by what is recognised.
   */
  hasContent = false;
  readonly output = new DeliveredOutput();
  /** The template that the last recognised event fits, with its values; undefined before one. */
  matched: ChunkTemplate | undefined;
  readonly #parser: SseParser;
  readonly #out = new ByteWriter({ stays: false });
  readonly #handler: EventHandler;
  readonly #templatesMax: number;
  readonly #numberKeys: readonly string[];
  #templates: ChunkTemplate[] = [];
  #fruitlessLessons = 0;
  /** Bytes in hand that leave as they are and have not been copied yet. */
  #passStart = 0;
  #passEnd = 0;

  /** @param eventBytesMax the largest event */
  constructor(
    handler: EventHandler,
    { templatesMax, numberKeys = NO_KEYS }: Recognition,
    eventBytesMax?: number,
  ) {
    this.#parser = new SseParser(eventBytesMax);
    this.#handler = handler;
    this.#templatesMax = templatesMax;
    this.#numberKeys = numberKeys;
  }

  /** Takes bytes as they came and returns those for the client. */
  push(chunk: Buffer): Buffer {
    if (this.#handler.over) return NOTHING;
    this.#parser.feed(chunk);
    return this.#drain();
  }

  /** The upstream has closed the stream: returns what an unfinished last event still gives. */
  flush(): Buffer {
    if (this.#handler.over) return NOTHING;
    this.#parser.finish();
    return this.#drain();
  }

  /** The event that is being read leaves as it came. */
  pass(): void {
    this.#pass(this.#parser.blockStart, this.#parser.blockEnd);
  }

  /** The event that is being read leaves with other data, or under a name. */
  write(data: Buffer, name = ''): void {
    this.#copyPassed();
    if (name !== '') {
      this.#append(EVENT_PREFIX);
      this.#append(Buffer.from(`${name}\n`));
    }
    this.#append(DATA_PREFIX);
    this.#append(oneLine(data));
    this.#append(EVENT_END);
  }

  /** Whole events of our own leave behind those that have left. */
  writeRaw(events: string): void {
    this.#copyPassed();
    this.#append(Buffer.from(events));
  }

  /**
   * Events like the one that is being read are recognised from here on: those that differ in
   * nothing but this string.
   * @param sent the data that left in its place; undefined when it left as it came
   * @param name under which it left; '' for none
   */
  learn(example: { readonly key: string; readonly text: string }, sent?: Buffer, name = ''): void {
    if (this.#fruitlessLessons >= FRUITLESS_LESSONS_MAX) return;
    const { bytes, blockStart, blockEnd } = this.#parser;
    const received = bytes.subarray(blockStart, blockEnd);
    const head = name === '' ? NOTHING : Buffer.from(`event: ${name}\n`);
    const block =
      sent === undefined ? received : Buffer.concat([head, DATA_PREFIX, oneLine(sent), EVENT_END]);
    const template = learnTemplate({
      received,
      sent: block,
      numberKeys: this.#numberKeys,
      ...example,
    });
    this.#fruitlessLessons += 1;
    if (template === undefined) return;
    this.#templates = [template, ...this.#templates.slice(0, this.#templatesMax - 1)];
  }

  /** Forgets all templates, because events have changed. */
  forgetTemplates(): void {
    if (this.#templates.length > 0) this.#templates = [];
  }

  #drain(): Buffer {
    const parser = this.#parser;
    const handler = this.#handler;
    this.#passStart = 0;
    this.#passEnd = 0;
    while (parser.hasRest && !handler.over) {
      if (this.#passByTemplate()) continue;
      const step = parser.next();
      if (step === 'incomplete') break;
      if (step === 'too_large') handler.tooLarge();
      else handler.readEvent(parser);
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
      this.matched = template;
      if (template.textEnd > template.textStart) {
        this.hasContent = true;
        this.output.addEscaped(bytes, template, template);
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

  /** Marks bytes in hand to leave as they are, without copying while they adjoin. */
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

  #append(bytes: Buffer): void {
    this.#out.append(bytes, 0, bytes.length);
  }
}

/** Data over several lines as one line. Line feeds in valid JSON are between its parts only. */
export function oneLine(data: Buffer): Buffer {
  return data.includes(LF) ? Buffer.from(data.map((byte) => (byte === LF ? SPACE : byte))) : data;
}
