import type { FieldPolicy } from '@weir/shared/catalog/channels';
import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { refuse } from '../../../platform/errors/refusal.ts';
import type { StopCode } from '../../../platform/errors/stop-code.ts';
import type { UpstreamFailure } from '../../../platform/errors/upstream-failure.ts';
import { applyEdits } from '../../../platform/json/apply-edits.ts';
import {
  isOwnJsonObject,
  parseOwnObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { strip } from '../../fields/shape.ts';
import type { FailureFinder } from '../../protocol.ts';
import {
  EVENT_TOO_LARGE,
  EventPasser,
  oneLine,
  type EventHandler,
} from '../../sse/event-passer.ts';
import { DONE_MARK } from '../../sse/reply-form.ts';
import type { SseParser } from '../../sse/sse-parser.ts';
import { CUT_SHORT_MESSAGES, type StreamReader } from '../../stream-reader.ts';
import { sentName } from '../fields.ts';
import type { GeminiRequest } from '../from-client/parse-request.ts';
import { errorJson } from '../to-client/render-error.ts';
import { fixFinishReasons, frameEdits } from '../from-upstream/gemini-reply.ts';
import { GEMINI_REPLY_FIELDS } from '../from-upstream/known-fields.ts';
import { candidatesOf, hasContent, partsOf } from '../from-upstream/parts.ts';
import { usageObject } from '../usage.ts';
import { ChunkReader } from './chunk-reader.ts';
import { openFrame, type StreamFrame } from '../wire/stream-frame.ts';

/** Chunks differ in one text and in counts that grow; one kind follows the other. */
const RECOGNITION = {
  templatesMax: 1,
  numberKeys: ['candidatesTokenCount', 'thoughtsTokenCount', 'totalTokenCount'],
};
const OPEN_BRACE = 0x7b;
const ERROR_LETTERS_LOGGED = 200;

export interface GeminiStreamOptions {
  readonly findFailure: FailureFinder;
  /** The largest event; a reply that has a larger one cannot be passed on. */
  readonly eventBytesMax?: number | undefined;
  /** Absent: known fields alone. */
  readonly fieldPolicy?: FieldPolicy | undefined;
}

/** A chunk that waits for the settle. */
interface HeldChunk {
  readonly data: Buffer;
  readonly value: OwnJsonObject;
}

/**
 * Passes a Gemini stream to a Gemini client: in the bytes it came in, except the model's name. The
 * chunk that ends the last candidate, and what follows it, is the terminal event and held back.
 *
 * States: open -> done (an end mark came; most upstreams send none) or failed.
 */
export class GeminiStream implements StreamReader, EventHandler {
  done = false;
  failure: UpstreamFailure | null = null;
  readonly #passer: EventPasser;
  readonly #reader: ChunkReader;
  readonly #frame: StreamFrame;
  readonly #passesBlocks: boolean;
  readonly #publicModel: string;
  readonly #passesAll: boolean;
  readonly #findFailure: FailureFinder;
  #held: HeldChunk[] = [];
  /** The finish reason of a held chunk that was sent without it; '' for none. */
  #owedReason = '';
  #cut = false;

  constructor(
    request: GeminiRequest,
    { findFailure, eventBytesMax, fieldPolicy }: GeminiStreamOptions,
  ) {
    this.#passer = new EventPasser(this, RECOGNITION, eventBytesMax);
    this.#reader = new ChunkReader(this.#passer.output, request.choices);
    this.#frame = openFrame(request);
    this.#passesBlocks = request.serverSentEvents;
    this.#publicModel = request.model;
    this.#passesAll = fieldPolicy === 'all';
    this.#findFailure = findFailure;
  }

  get over(): boolean {
    return this.failure !== null;
  }

  get hasContent(): boolean {
    return this.#reader.hasContent;
  }

  get finished(): boolean {
    return this.#cut || this.#reader.finished;
  }

  get whole(): boolean {
    return this.#reader.whole;
  }

  get usage(): TokenCounts | null {
    this.#readRecognised();
    return this.#reader.usage;
  }

  get promptUsage(): TokenCounts | null {
    this.#readRecognised();
    const { report } = this.#reader;
    return report === undefined ? null : { ...report, output: 0, reasoning: 0 };
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

  /** Nothing is sent: what ends the candidates is the terminal event, or comes before an error. */
  cutShort(): string {
    this.#cut = true;
    return '';
  }

  errorEvent(code: StopCode | 'upstream_error'): string {
    const ending = this.#cut ? this.#cutEvent(null) : '';
    const error = errorJson(refuse(code, CUT_SHORT_MESSAGES[code]));
    return ending + this.#frame.event(error) + this.#frame.close();
  }

  endMarker(counted: TokenCounts | null): string {
    if (this.#cut) return this.#cutEvent(counted ?? this.usage) + this.#frame.close();
    this.#giveOwedReason();
    const usage = counted ?? this.#reader.completedReport;
    let events = '';
    const last = this.#held.length - 1;
    for (const [position, { data, value }] of this.#held.entries()) {
      const sent = usage === null || position < last ? data : withUsage(data, value, usage);
      events += this.#frame.event(oneLine(sent).toString('utf8'));
    }
    return events + this.#frame.close();
  }

  #cutEvent(usage: TokenCounts | null): string {
    const candidates = this.#reader.open.map((index) => endedCandidate(index, 'MAX_TOKENS'));
    const usageMetadata = usage === null ? undefined : usageObject(usage);
    const chunk = { candidates, usageMetadata, modelVersion: this.#publicModel };
    return this.#frame.event(JSON.stringify(chunk));
  }

  tooLarge(): void {
    this.failure = { failed: 'reply_too_large', detail: EVENT_TOO_LARGE };
  }

  readEvent(parser: SseParser): void {
    const { data, eventName } = parser;
    this.#readRecognised();
    this.#passer.forgetTemplates();
    if (data[0] !== OPEN_BRACE && eventName !== 'error') {
      const text = data.toString('utf8').trim();
      if (text === DONE_MARK) this.#endAtMark();
      // Heartbeats are not for the client. An array is how Google reports errors elsewhere.
      if (text.startsWith('{') || (text.startsWith('[') && text !== DONE_MARK)) {
        this.#readChunk(Buffer.from(text), parser);
      }
      return;
    }
    this.#readChunk(data, parser);
  }

  /** A mark ends a whole reply: servers that give no reason mean a plain end. */
  #endAtMark(): void {
    if (!this.done && this.#reader.hasContent && !this.#reader.finished) {
      const candidates = this.#reader.open.map((index) => endedCandidate(index, 'STOP'));
      const value = { candidates, modelVersion: this.#publicModel };
      this.#reader.read(value);
      this.#held.push({ data: Buffer.from(JSON.stringify(value)), value });
    }
    this.done = true;
  }

  #readChunk(data: Buffer, parser: SseParser): void {
    const chunk = parseOwnObject(data);
    // Behind the end mark only usage is of interest.
    if (this.done && (chunk === undefined || !isUsageAlone(chunk))) return;
    const failed = chunk === undefined ? data.toString('utf8') : this.#errorIn(chunk);
    if (chunk === undefined || failed !== undefined) {
      const cut = JSON.stringify(failed).slice(0, ERROR_LETTERS_LOGGED);
      this.#fail(`error event: ${cut}`, data);
      return;
    }
    const closed = !this.#passesAll && strip(chunk, GEMINI_REPLY_FIELDS);
    if (this.#held.length > 0 && candidatesOf(chunk).flatMap(partsOf).some(hasContent)) {
      this.#sendHeld();
    }
    this.#reader.read(chunk);
    const edits = frameEdits(chunk, this.#publicModel);
    const sent = applyEdits(data, chunk, edits, fixFinishReasons(chunk) || closed);
    if (this.#reader.finished) {
      // The parser's bytes are used again for the next packet.
      this.#held.push({ data: Buffer.from(sent), value: chunk });
      return;
    }
    if (!this.#passesBlocks) {
      this.#send(sent);
      return;
    }
    const unchanged = sent === parser.data && parser.plain;
    if (unchanged) this.#passer.pass();
    else this.#passer.write(sent);
    const text = onlyText(chunk);
    if (text !== undefined) this.#passer.learn({ key: 'text', text }, unchanged ? undefined : sent);
  }

  /**
   * Content comes behind the end: some servers give a finishReason with each chunk. Clients read
   * nothing behind one, so the last chunk alone has it.
   */
  #sendHeld(): void {
    for (const { data } of this.#held) {
      const reopened = takeFinishReason(data);
      this.#owedReason = reopened?.reason ?? this.#owedReason;
      this.#send(reopened?.data ?? data);
    }
    this.#held = [];
  }

  /** The last of the held chunks with a candidate gets the finishReason that came too early. */
  #giveOwedReason(): void {
    const at = this.#held.findLastIndex(({ value }) => candidatesOf(value).length > 0);
    const held = this.#held[at];
    if (this.#owedReason === '' || held === undefined) return;
    const value = parseOwnObject(held.data) ?? held.value;
    const [candidate] = candidatesOf(value);
    if (candidate === undefined || sentName(candidate, 'finishReason') !== undefined) return;
    candidate['finishReason'] = this.#owedReason;
    this.#held[at] = { data: Buffer.from(JSON.stringify(value)), value };
  }

  #send(data: Buffer): void {
    this.#passer.writeRaw(this.#frame.event(oneLine(data).toString('utf8')));
  }

  /** Takes the counts of the chunks that were recognised since the last one that was read. */
  #readRecognised(): void {
    const { matched } = this.#passer;
    if (matched === undefined) return;
    this.#passer.matched = undefined;
    this.#reader.recount(matched.numberKeys, matched.numbers);
  }

  /** Returns what a chunk says that is an error; undefined of others. */
  #errorIn(chunk: OwnJsonObject): unknown {
    const { error } = chunk;
    if (error !== undefined && error !== null) {
      return isOwnJsonObject(error) ? (error['message'] ?? error) : error;
    }
    return candidatesOf(chunk).length === 0 ? this.#findFailure(chunk) : undefined;
  }

  #fail(detail: string, data: Buffer): void {
    this.failure = { failed: 'bad_reply', detail, body: Buffer.from(data) };
  }
}

/** Returns a chunk without its finishReason, and that; undefined when it has none. */
function takeFinishReason(
  data: Buffer,
): { readonly data: Buffer; readonly reason: string } | undefined {
  const chunk = parseOwnObject(data);
  if (chunk === undefined) return undefined;
  let reason = '';
  for (const candidate of candidatesOf(chunk)) {
    const name = sentName(candidate, 'finishReason');
    if (name === undefined) continue;
    reason = stringOf(candidate[name]);
    Reflect.deleteProperty(candidate, name);
  }
  return reason === '' ? undefined : { data: Buffer.from(JSON.stringify(chunk)), reason };
}

function endedCandidate(index: number, finishReason: string): OwnJsonObject {
  return { content: { role: 'model', parts: [{ text: '' }] }, finishReason, index };
}

/**
 * Returns the text of a chunk that has nothing else for the client. Chunks like it are recognised,
 * so that their usage has to be of the numbers that are read then.
 */
function onlyText(chunk: OwnJsonObject): string | undefined {
  const candidates = candidatesOf(chunk);
  const [candidate] = candidates;
  if (candidate === undefined || candidates.length !== 1) return undefined;
  const parts = partsOf(candidate);
  const text = parts[0]?.['text'];
  if (parts.length !== 1 || typeof text !== 'string' || text === '') return undefined;
  const { usageMetadata: usage } = chunk;
  if (usage === undefined) return sentName(chunk, 'usageMetadata') === undefined ? text : undefined;
  return isOwnJsonObject(usage) && typeof usage['totalTokenCount'] === 'number' ? text : undefined;
}

function isUsageAlone(chunk: OwnJsonObject): boolean {
  return candidatesOf(chunk).length === 0 && sentName(chunk, 'usageMetadata') !== undefined;
}

function withUsage(data: Buffer, value: OwnJsonObject, counts: TokenCounts): Buffer {
  const name = sentName(value, 'usageMetadata') ?? 'usageMetadata';
  return applyEdits(data, value, [{ name, value: JSON.stringify(usageObject(counts)) }], false);
}
