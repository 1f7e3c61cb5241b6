import type { FieldPolicy } from '@weir/shared/catalog/channels';
import type { TokenCounts } from '@weir/shared/watch/usage-record';
import type { StopCode } from '../../../platform/errors/stop-code.ts';
import type { UpstreamFailure } from '../../../platform/errors/upstream-failure.ts';
import {
  isOwnJsonObject,
  parseOwnObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { isJson } from '../../../platform/json/is-json.ts';
import { laterUsage } from '../../fields/later-usage.ts';
import { strip } from '../../fields/shape.ts';
import type { FailureFinder } from '../../protocol.ts';
import type { ReplyIds } from '../../stored-replies.ts';
import {
  EVENT_TOO_LARGE,
  EventPasser,
  type EventHandler,
  oneLine,
} from '../../sse/event-passer.ts';
import { formOf, isDoneMark } from '../../sse/reply-form.ts';
import type { SseParser } from '../../sse/sse-parser.ts';
import { CUT_SHORT_MESSAGES, type BegunReply, type StreamReader } from '../../stream-reader.ts';
import {
  eventText,
  responseError,
  responseObject,
  type KnownResponse,
} from '../to-client/render-error.ts';
import { textOfItem, textOfOutput } from '../from-upstream/delivered-text.ts';
import { ItemNames } from '../from-upstream/item-names.ts';
import { EVENT_FIELDS } from '../from-upstream/known-fields.ts';
import { responseEdits } from '../from-upstream/response-edits.ts';
import { readResponseUsage, usageObject } from '../usage.ts';
import { continuedEvent, continuedEvents } from '../wire/begun-reply.ts';
import {
  FAILURE_EVENTS,
  LIFECYCLE_EVENTS,
  TERMINAL_EVENTS,
  TEXT_DELTAS,
  isKnownType,
  typeOf,
} from '../wire/event-kinds.ts';
import {
  errorText,
  hasOnly,
  isCanonical,
  isFailure,
  isRepetition,
  namedData,
  numberOf,
} from './event-shape.ts';
import { OpenItems, type EndStatus } from './open-items.ts';
import { editResponse, finalData } from './rename-response.ts';
import { ResponseIdentity } from './response-identity.ts';

export interface ResponsesStreamOptions {
  /** The model ID the client sent. */
  readonly publicModel: string;
  /** Finds the error of a vendor that reports it in a place of its own. */
  readonly findFailure?: FailureFinder;
  /** The largest event; a reply that has a larger one cannot be passed on. */
  readonly eventBytesMax?: number | undefined;
  /** Absent: the response keeps the upstream's id. */
  readonly ids?: ReplyIds | undefined;
  /** Absent: known fields alone. */
  readonly fieldPolicy?: FieldPolicy | undefined;
}

/** Templates kept: text, reasoning, arguments of calls, with room for items that alternate. */
const RECOGNITION = { templatesMax: 6, numberKeys: ['sequence_number'] };
const OPEN_BRACE = 0x7b;
const NO_DATA = Buffer.alloc(0);

/**
 * Passes the stream of an upstream that speaks Responses. Events leave in the buffer they came in,
 * except those with the whole response, which get the public name of the model. The terminal event
 * is kept until `endMarker`.
 *
 * States: open -> done (the terminal event came) or failed. In both nothing more is read.
 */
export class ResponsesStream implements StreamReader, EventHandler {
  done = false;
  finished = false;
  failure: UpstreamFailure | null = null;
  usage: TokenCounts | null = null;
  readonly #passer: EventPasser;
  readonly #identity: ResponseIdentity;
  readonly #findFailure: FailureFinder;
  readonly #passesAll: boolean;
  readonly #items = new OpenItems();
  /** Undefined: items keep the upstream's ids. */
  readonly #itemNames: ItemNames | undefined;
  /** The event that is being read as the client gets it, its items under the names it knows. */
  #data: Buffer = NO_DATA;
  #number = -1;
  #terminal: { readonly type: string; readonly data: Buffer } | undefined;
  /** The status of a response without a terminal event of its upstream. */
  #status: EndStatus = 'incomplete';
  #failedUsage: TokenCounts | null = null;
  /** The usage reported by events before the terminal one. */
  #earlyUsage: TokenCounts | null = null;
  /** The terminal event does not have all of the usage. */
  #isLate = false;

  constructor(options: ResponsesStreamOptions) {
    const { publicModel, findFailure, eventBytesMax, ids, fieldPolicy } = options;
    this.#passer = new EventPasser(this, RECOGNITION, eventBytesMax);
    this.#identity = new ResponseIdentity(publicModel, ids);
    this.#itemNames = ids && new ItemNames(ids);
    this.#findFailure = findFailure ?? (() => undefined);
    this.#passesAll = fieldPolicy === 'all';
  }

  get hasContent(): boolean {
    return this.#passer.hasContent;
  }

  get whole(): boolean {
    return this.finished;
  }

  /** Behind the terminal event usage may still come. */
  get over(): boolean {
    return this.failure !== null || (this.done && this.usage !== null);
  }

  get promptUsage(): TokenCounts | null {
    const reported = this.usage ?? this.#failedUsage;
    return reported === null ? null : { ...reported, output: 0, reasoning: 0 };
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

  tooLarge(): void {
    this.failure = { failed: 'reply_too_large', detail: EVENT_TOO_LARGE };
  }

  readEvent(parser: SseParser): void {
    const { data, eventName } = parser;
    if (this.done) {
      this.#readLate(data);
      return;
    }
    // Heartbeats and a [DONE] are not for the client: SDKs parse whatever is in an event.
    if (data[0] !== OPEN_BRACE && formOf(data) !== 'object') {
      if (FAILURE_EVENTS.has(eventName)) this.#fail('an error event', data);
      else if (this.hasContent && isDoneMark(data)) this.#endPlainly();
      return;
    }
    this.#number = numberOf(data) ?? this.#lastNumber() + 1;
    // Most other events only repeat what was in the deltas.
    const repeats = isRepetition(eventName) && isJson(data) && this.#isKnown(data);
    if (repeats) {
      this.#name(data);
      this.#send(parser, eventName);
      return;
    }
    const event = parseOwnObject(data);
    if (event === undefined) this.#fail('an event is not a JSON object', data);
    else this.#readParsed(parser, typeOf(event, eventName), event);
  }

  /** Reports whether nothing has to be removed from an event. */
  #isKnown(data: Buffer): boolean {
    return this.#passesAll || hasOnly(data, EVENT_FIELDS);
  }

  /** Takes out of an event what is not known, and gives its items their names. */
  #close(data: Buffer, event: OwnJsonObject): OwnJsonObject {
    const closed = !this.#passesAll && strip(event, EVENT_FIELDS);
    const known = closed ? Buffer.from(JSON.stringify(event)) : data;
    this.#name(known, event);
    return this.#data === known ? event : (parseOwnObject(this.#data) ?? event);
  }

  #name(data: Buffer, event?: OwnJsonObject): void {
    this.#data = this.#itemNames?.renameEvent(data, event) ?? data;
  }

  /** Ends what is open as a response that has reached its limit. */
  cutShort(): string {
    this.finished = true;
    return this.#endItems('incomplete');
  }

  /** A marker ends a whole reply, also where no terminal event has come. */
  #endPlainly(): void {
    this.done = true;
    this.finished = true;
    this.#status = 'completed';
    this.#passer.writeRaw(this.#endItems('completed'));
    this.#passer.forgetTemplates();
  }

  #endItems(status: EndStatus, output?: unknown): string {
    const ends = this.#items.endAll(this.deliveredText(), status, output);
    return ends.map(([type, fields]) => this.#event(type, fields)).join('');
  }

  errorEvent(code: StopCode | 'upstream_error'): string {
    const error = responseError({ refused: code, message: CUT_SHORT_MESSAGES[code] });
    const response = responseObject(this.#known(), 'failed', error);
    return this.#event('response.failed', { response });
  }

  endMarker(counted: TokenCounts | null): string {
    const terminal = this.#terminal;
    if (terminal === undefined) {
      const usage = counted && usageObject(counted);
      const response = responseObject({ ...this.#known(), usage }, this.#status);
      return this.#event(`response.${this.#status}`, { response });
    }
    const { type, data } = terminal;
    const { usage: reported } = this;
    const shown = counted ?? (this.#isLate ? reported : null);
    const edited = finalData(data, { identity: this.#identity, reported, counted: shown });
    return `event: ${type}\ndata: ${edited.toString('utf8')}\n\n`;
  }

  /** Codex counts the events that it parses and gives up after 300 s without one. */
  keepAlive(): string | undefined {
    // The client may not have the beginning yet.
    if (!this.hasContent) return undefined;
    const response = responseObject({ ...this.#known(), output: [] }, 'in_progress');
    return eventText('response.in_progress', this.#lastNumber(), { response });
  }

  continueReply(begun: BegunReply, kept: Uint8Array): Uint8Array {
    this.#identity.begun = begun;
    return continuedEvents(kept, begun);
  }

  #readParsed(parser: SseParser, type: string, received: OwnJsonObject): void {
    const { data } = parser;
    if (isFailure(type, received, this.#findFailure)) {
      this.#readFailure(received, data);
      return;
    }
    if (!this.#passesAll && !isKnownType(type)) return;
    const event = this.#close(data, received);
    if (TERMINAL_EVENTS.has(type)) {
      this.#readTerminal(type, event);
    } else if (LIFECYCLE_EVENTS.has(type)) {
      this.#readLifecycle(parser, type, event);
    } else if (TEXT_DELTAS.has(type) && typeof event['delta'] === 'string') {
      this.#readDelta(parser, type, event['delta']);
    } else {
      this.#readItem(type, event);
      this.#send(parser, type);
    }
  }

  #readLifecycle(parser: SseParser, type: string, event: OwnJsonObject): void {
    const { response } = event;
    const identity = this.#identity;
    identity.note(response);
    if (isOwnJsonObject(response) && isOwnJsonObject(response['usage'])) {
      this.#earlyUsage = readResponseUsage(response);
    }
    const edits = isOwnJsonObject(response)
      ? responseEdits(response, identity.names(response))
      : [];
    const data = editResponse(this.#data, event, edits);
    if (identity.begun !== null) {
      const continued = continuedEvent(parseOwnObject(data) ?? event, identity.begun);
      this.#passer.write(Buffer.from(JSON.stringify(continued)), stringOf(continued['type']));
    } else if (data === this.#data) this.#send(parser, type);
    else this.#passer.write(data, type);
  }

  #readDelta(parser: SseParser, type: string, text: string): void {
    if (text !== '') {
      this.#passer.output.add(text);
      this.#passer.hasContent = true;
    }
    const example = { key: 'delta', text };
    if (this.#send(parser, type)) this.#passer.learn(example);
    else if (this.#data !== parser.data) this.#passer.learn(example, this.#data, type);
  }

  #readItem(type: string, event: OwnJsonObject): void {
    const { item, output_index: index } = event;
    if (!isOwnJsonObject(item)) return;
    const { output } = this.#passer;
    if (type === 'response.output_item.added') {
      const { characters: start } = output;
      this.#count(stringOf(item['name']));
      this.#items.added(event, { start, textStart: output.characters });
    } else if (type === 'response.output_item.done') {
      // Of items that came without deltas the text is here alone.
      const start = this.#items.textStart(index);
      if (start === undefined || start === output.characters) {
        const text = textOfItem(item);
        this.#count(start === undefined ? text : text.replace(stringOf(item['name']), ''));
      }
      this.#items.done(event, this.#data);
    }
  }

  #count(text: string): void {
    if (text === '') return;
    this.#passer.output.add(text);
    this.#passer.hasContent = true;
  }

  #readTerminal(type: string, event: OwnJsonObject): void {
    const { response } = event;
    if (!isOwnJsonObject(response)) {
      this.#fail('the last event has no response', this.#data);
      return;
    }
    this.#identity.note(response);
    const completed = this.#complete(type, event, response);
    this.#terminal = { type, data: completed ?? namedData(type, event, oneLine(this.#data)) };
    this.#readUsage(response);
    const { output } = this.#passer;
    if (output.pieces === 0) this.#count(textOfOutput(response['output']));
    if ((this.usage?.output ?? 0) >= 1) output.forgetText();
    this.done = true;
    this.finished = true;
    this.#passer.forgetTemplates();
  }

  /**
   * Ends items that were left open: agents act on ended ones alone. Undefined: none was missing.
   */
  #complete(type: string, event: OwnJsonObject, response: OwnJsonObject): Buffer | undefined {
    const { output } = response;
    if (!this.#items.lacksAny(output)) return undefined;
    this.#number -= 1;
    const status = type === 'response.completed' ? 'completed' : 'incomplete';
    this.#passer.writeRaw(this.#endItems(status, output));
    if (!Array.isArray(output) || output.length === 0) response['output'] = this.#items.output();
    return Buffer.from(JSON.stringify({ ...event, type, sequence_number: this.#lastNumber() + 1 }));
  }

  #readLate(data: Buffer): void {
    const event = parseOwnObject(data);
    const response = event?.['response'] ?? event;
    if (isOwnJsonObject(response)) this.#readUsage(response);
    this.#isLate = this.usage !== null;
  }

  #readUsage(response: OwnJsonObject): void {
    const reported = readResponseUsage(response);
    this.usage = reported === null ? null : laterUsage(this.#earlyUsage, reported);
    const isWhole =
      this.usage?.input === reported?.input && this.usage?.output === reported?.output;
    if (!isWhole) this.#isLate = true;
  }

  #readFailure(event: OwnJsonObject, data: Buffer): void {
    const { response } = event;
    this.#identity.note(response);
    if (isOwnJsonObject(response)) this.#failedUsage = readResponseUsage(response);
    this.#fail(errorText(event), data);
  }

  /** Sends the event, as it came where its form is the usual one. Returns whether it is. */
  #send(parser: SseParser, type: string): boolean {
    const asItCame = this.#data === parser.data && isCanonical(parser, type);
    if (asItCame) this.#passer.pass();
    else this.#passer.write(this.#data, type);
    return asItCame;
  }

  #known(): KnownResponse {
    const { id, createdAtSeconds, publicModel: model } = this.#identity;
    return { id, createdAtSeconds, model, output: this.#items.output(), usage: null };
  }

  #lastNumber(): number {
    return Math.max(this.#number, this.#passer.matched?.numbers[0] ?? -1);
  }

  #event(type: string, fields: object): string {
    this.#number = this.#lastNumber() + 1;
    return eventText(type, this.#number, fields);
  }

  #fail(detail: string, body: Buffer): void {
    this.failure = { failed: 'bad_reply', detail, body: Buffer.from(body) };
  }
}
