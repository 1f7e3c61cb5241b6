import type { FieldPolicy } from '@weir/shared/catalog/channels';
import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { refuse } from '../../../platform/errors/refusal.ts';
import type { UpstreamFailure } from '../../../platform/errors/upstream-failure.ts';
import {
  isOwnJsonObject,
  parseOwnObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import type { FailureFinder } from '../../protocol.ts';
import {
  EVENT_TOO_LARGE,
  EventPasser,
  oneLine,
  type EventHandler,
} from '../../sse/event-passer.ts';
import type { SseParser } from '../../sse/sse-parser.ts';
import { CUT_SHORT_MESSAGES, type StreamReader } from '../../stream-reader.ts';
import { renderErrorEvent } from '../to-client/render-error.ts';
import { ReplyCloser } from './close-reply.ts';
import { EVENT_FIELDS, KNOWN_EVENTS } from '../from-upstream/known-fields.ts';
import { beginning, namedEvent } from '../wire/beginning.ts';
import { MessageEnd } from '../from-upstream/message-end.ts';
import { streamError } from '../from-upstream/stream-error.ts';

export interface MessagesStreamOptions {
  /** The model ID the client sent. */
  readonly publicModel: string;
  /** For a reply that ends before its upstream has begun it; absent: 0. */
  readonly promptTokensEstimate?: number;
  readonly findFailure: FailureFinder;
  /** The largest event; a reply that has a larger one cannot be passed on. */
  readonly eventBytesMax?: number | undefined;
  /** Absent: known fields alone. */
  readonly fieldPolicy?: FieldPolicy | undefined;
}

/** Text, thinking and input of tools come in blocks one after the other. */
const RECOGNITION = { templatesMax: 3 };
const NOTHING = Buffer.alloc(0);

const DELTA_EVENT = 'content_block_delta';

/** The string of each kind of delta that is output of the model. */
const DELTA_KEYS: ReadonlyMap<unknown, string> = new Map([
  ['text_delta', 'text'],
  ['thinking_delta', 'thinking'],
  ['input_json_delta', 'partial_json'],
  ['compaction_delta', 'content'],
]);

/**
 * Passes a stream of Messages to the client. Known events are sent as they came, except the model's
 * name in `message_start`, and for the terminal events, which wait for the settle.
 *
 * States: open -> done (`message_stop` came) or failed (an error event, or bytes that are no such
 * stream). In both nothing more is read.
 */
export class MessagesStream implements StreamReader, EventHandler {
  done = false;
  failure: UpstreamFailure | null = null;
  readonly #passer: EventPasser;
  readonly #end = new MessageEnd();
  readonly #publicModel: string;
  readonly #promptTokensEstimate: number;
  readonly #findFailure: FailureFinder;
  readonly #closer: ReplyCloser;
  readonly #passesAll: boolean;
  readonly #openBlocks = new Set<number>();
  /** The event that is being read, as far as the client gets it. */
  #data: Buffer = NOTHING;
  #begun = false;

  constructor(options: MessagesStreamOptions) {
    const { publicModel, promptTokensEstimate = 0, findFailure, eventBytesMax } = options;
    this.#promptTokensEstimate = promptTokensEstimate;
    this.#passer = new EventPasser(this, RECOGNITION, eventBytesMax);
    this.#publicModel = publicModel;
    this.#findFailure = findFailure;
    this.#passesAll = options.fieldPolicy === 'all';
    this.#closer = new ReplyCloser(publicModel, this.#passesAll);
  }

  /** Behind the terminal event usage may still come. */
  get over(): boolean {
    return this.failure !== null || (this.done && this.usage !== null);
  }

  get hasContent(): boolean {
    return this.#passer.hasContent;
  }

  /** The message has its stop reason. */
  get finished(): boolean {
    return this.#end.reached;
  }

  get whole(): boolean {
    return this.#end.reached;
  }

  get isFree(): boolean {
    return this.#end.isFree;
  }

  /** `message_start` reports the prompt alone, and output as far as it has begun. */
  get usage(): TokenCounts | null {
    return this.#end.reached && this.#end.hasOutput ? this.#end.counts : null;
  }

  get promptUsage(): TokenCounts | null {
    const { counts } = this.#end;
    return counts === null ? null : { ...counts, output: 0, reasoning: 0 };
  }

  get outputTokensEstimate(): number {
    return this.#passer.output.tokensEstimate;
  }

  deliveredText(): string {
    return this.#passer.output.text();
  }

  push(chunk: Buffer): Uint8Array {
    return this.#passer.push(chunk);
  }

  flush(): Uint8Array {
    return this.#passer.flush();
  }

  endMarker(counted: TokenCounts | null): string {
    return this.#end.events(counted);
  }

  /** Ends the open block; the stop reason follows with the terminal events. */
  cutShort(): string {
    let events = this.#begun ? '' : this.#ownStart();
    for (const index of this.#openBlocks) {
      events += namedEvent('content_block_stop', `{"type":"content_block_stop","index":${index}}`);
    }
    this.#openBlocks.clear();
    this.#end.cutShort();
    return events;
  }

  errorEvent(code: keyof typeof CUT_SHORT_MESSAGES): string {
    return renderErrorEvent(refuse(code, CUT_SHORT_MESSAGES[code]));
  }

  tooLarge(): void {
    this.failure = { failed: 'reply_too_large', detail: EVENT_TOO_LARGE };
  }

  readEvent(parser: SseParser): void {
    const { data, eventName } = parser;
    const event = parseOwnObject(data);
    const type = stringOf(event?.['type']) || eventName;
    if (this.done) {
      if (event === undefined || type !== 'message_delta') return;
      this.#close(event, data);
      this.#readEnd(event);
      return;
    }
    const error = streamError(event, { type, data, findFailure: this.#findFailure });
    if (error !== undefined) {
      this.#fail(error, data);
      return;
    }
    // A name is what Anthropic's clients go by.
    if (event === undefined || type === '') return;
    if (!this.#passesAll && !KNOWN_EVENTS.has(type)) return;
    this.#close(event, data);
    switch (type) {
      case 'message_start':
        this.#start(event, parser);
        return;
      case 'content_block_start':
        this.#blockStart(event);
        break;
      case DELTA_EVENT:
        this.#delta(event, parser);
        return;
      case 'content_block_stop':
        this.#openBlocks.delete(Number(event['index']));
        this.#passer.forgetTemplates();
        break;
      case 'message_delta':
        this.#readEnd(event);
        return;
      case 'message_stop':
        this.done = true;
        if (this.hasContent) this.#end.close();
        this.#passer.forgetTemplates();
        if ((this.usage?.output ?? 0) >= 1) this.#passer.output.forgetText();
        return;
      default:
    }
    this.#pass(parser, type);
  }

  #close(event: OwnJsonObject, data: Buffer): void {
    const changed = this.#closer.close(event, EVENT_FIELDS);
    this.#data = changed ? Buffer.from(JSON.stringify(event)) : data;
  }

  #readEnd(event: OwnJsonObject): void {
    this.#end.read(event, oneLine(this.#data).toString('utf8'));
  }

  /** Clients know one message a stream. */
  #start(event: OwnJsonObject, parser: SseParser): void {
    if (this.#begun) return;
    this.#begun = true;
    const { message } = event;
    if (!isOwnJsonObject(message)) {
      this.#fail('a message_start has no message', parser.data);
      return;
    }
    this.#end.start(message['usage']);
    if (message['model'] === this.#publicModel) {
      this.#pass(parser, 'message_start');
      return;
    }
    message['model'] = this.#publicModel;
    this.#passer.write(Buffer.from(JSON.stringify(event)), 'message_start');
  }

  #blockStart(event: OwnJsonObject): void {
    const { index, content_block: block } = event;
    // Others could not be ended: 1e400 is read as a number that JSON has no word for.
    if (isIndex(index)) this.#openBlocks.add(index);
    if (!isOwnJsonObject(block)) return;
    this.#end.hasBlocks = true;
    if (block['type'] === 'tool_use') this.#end.callsTools = true;
    const output = [block['name'], block['text'], block['thinking']].map(stringOf).join('');
    if (output === '' && block['data'] === undefined) return;
    this.#passer.hasContent = true;
    if (output !== '') this.#passer.output.add(output);
  }

  #delta(event: OwnJsonObject, parser: SseParser): void {
    const { delta } = event;
    const passer = this.#passer;
    if (!isOwnJsonObject(delta)) {
      this.#pass(parser, DELTA_EVENT);
      return;
    }
    const key = DELTA_KEYS.get(delta['type']);
    // A client may show the text of a delta whose type it does not know, or that has none.
    const text = stringOf(delta[key ?? 'text']);
    if (text !== '') passer.output.add(text);
    // A signature is of thinking that the client is not shown.
    if (text !== '' || key === undefined) passer.hasContent = true;
    const passed = this.#pass(parser, DELTA_EVENT);
    if (key === undefined || text === '') return;
    if (passed) passer.learn({ key, text });
    else if (this.#data !== parser.data) passer.learn({ key, text }, this.#data, DELTA_EVENT);
  }

  /** Sends an event on. Returns whether it left as it came. */
  #pass(parser: SseParser, type: string): boolean {
    const asItCame = this.#data === parser.data && parser.isNamed(type);
    if (asItCame) this.#passer.pass();
    else this.#passer.write(this.#data, type);
    return asItCame;
  }

  /** For a reply that ends before its upstream has begun it. */
  #ownStart(): string {
    this.#begun = true;
    const message = beginning('', this.#publicModel, this.#promptTokensEstimate);
    return namedEvent('message_start', JSON.stringify({ type: 'message_start', message }));
  }

  #fail(detail: string, data: Buffer = NOTHING): void {
    // The parser's bytes are used again for the next packet.
    this.failure = { failed: 'bad_reply', detail, body: Buffer.from(data) };
  }
}

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
