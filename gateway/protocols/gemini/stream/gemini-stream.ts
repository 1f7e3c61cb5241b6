import type { TokenCounts } from '@weir/shared/usage-record';
import { refuse } from '../../../platform/errors/refusal.ts';
import type { StopCode } from '../../../platform/errors/stop-code.ts';
import type { UpstreamFailure } from '../../../platform/errors/upstream-failure.ts';
import { applyEdits } from '../../../platform/json/apply-edits.ts';
import {
  isOwnJsonObject,
  parseOwnObject,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import type { FailureFinder } from '../../protocol.ts';
import { DeliveredOutput } from '../../sse/delivered-output.ts';
import { EVENT_TOO_LARGE } from '../../sse/event-passer.ts';
import { SseParser } from '../../sse/sse-parser.ts';
import { CUT_SHORT_MESSAGES, type StreamReader } from '../../stream-reader.ts';
import { sentName } from '../fields.ts';
import type { GeminiRequest } from '../parse-request.ts';
import { errorJson } from '../render-error.ts';
import { fixFinishReasons, frameEdits } from '../reply/gemini-reply.ts';
import { candidatesOf } from '../reply/parts.ts';
import { usageObject } from '../usage.ts';
import { ChunkReader } from './chunk-reader.ts';
import { openFrame, type StreamFrame } from './stream-frame.ts';

const NOTHING = Buffer.alloc(0);
const OPEN_BRACE = 0x7b;
const ERROR_LETTERS_LOGGED = 200;
/** Some servers that speak Gemini end their streams as OpenAI does. */
const DONE_MARK = '[DONE]';

/** A chunk that waits for the settle. */
interface HeldChunk {
  readonly data: Buffer;
  readonly value: OwnJsonObject;
}

/**
 * Passes a Gemini stream to a Gemini client: in the bytes it came in, but for the model's name. The
 * chunk that ends the last candidate, and what follows it, is the terminal event and held back.
 *
 * States: open -> done (an end mark came; most upstreams send none) or failed.
 */
export class GeminiStream implements StreamReader {
  done = false;
  failure: UpstreamFailure | null = null;
  readonly #parser: SseParser;
  readonly #output = new DeliveredOutput();
  readonly #reader: ChunkReader;
  readonly #frame: StreamFrame;
  readonly #passesBlocks: boolean;
  readonly #publicModel: string;
  readonly #findFailure: FailureFinder;
  #held: HeldChunk[] = [];
  #cut = false;

  /** @param eventBytesMax the largest event; a reply that has a larger one cannot be passed on */
  constructor(request: GeminiRequest, findFailure: FailureFinder, eventBytesMax?: number) {
    this.#parser = new SseParser(eventBytesMax);
    this.#reader = new ChunkReader(this.#output, request.choices);
    this.#frame = openFrame(request);
    this.#passesBlocks = request.serverSentEvents;
    this.#publicModel = request.model;
    this.#findFailure = findFailure;
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
    return this.#reader.usage;
  }

  get promptUsage(): TokenCounts | null {
    const { report } = this.#reader;
    return report === undefined ? null : { ...report, output: 0, reasoning: 0 };
  }

  get outputTokensEstimate(): number {
    return this.#output.tokensEstimate;
  }

  deliveredText(): string {
    return this.#output.text();
  }

  push(chunk: Buffer): Uint8Array {
    if (this.failure !== null) return NOTHING;
    this.#parser.feed(chunk);
    return this.#drain();
  }

  flush(): Uint8Array {
    if (this.failure !== null) return NOTHING;
    this.#parser.finish();
    return this.#drain();
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
    let events = '';
    const last = this.#held.length - 1;
    for (const [position, { data, value }] of this.#held.entries()) {
      const sent = counted === null || position < last ? data : withUsage(data, value, counted);
      events += this.#frame.event(oneLine(sent));
    }
    return events + this.#frame.close();
  }

  #cutEvent(usage: TokenCounts | null): string {
    const candidates = this.#reader.open.map((index) => endedCandidate(index, 'MAX_TOKENS'));
    const usageMetadata = usage === null ? undefined : usageObject(usage);
    const chunk = { candidates, usageMetadata, modelVersion: this.#publicModel };
    return this.#frame.event(JSON.stringify(chunk));
  }

  #drain(): Uint8Array {
    const parser = this.#parser;
    const out: Buffer[] = [];
    while (parser.hasRest && this.failure === null) {
      const step = parser.next();
      if (step === 'incomplete') break;
      if (step === 'too_large') {
        this.failure = { failed: 'reply_too_large', detail: EVENT_TOO_LARGE };
      } else this.#readEvent(out);
    }
    parser.forgetRead();
    const [only] = out;
    if (only === undefined) return NOTHING;
    return out.length === 1 ? only : Buffer.concat(out);
  }

  #readEvent(out: Buffer[]): void {
    const { data, eventName } = this.#parser;
    if (data[0] !== OPEN_BRACE && eventName !== 'error') {
      const text = data.toString('utf8').trim();
      if (text === DONE_MARK) this.#endAtMark();
      // Heartbeats are not for the client. An array is how Google reports errors elsewhere.
      if (text.startsWith('{') || (text.startsWith('[') && text !== DONE_MARK)) {
        this.#readChunk(Buffer.from(text), out);
      }
      return;
    }
    this.#readChunk(data, out);
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

  #readChunk(data: Buffer, out: Buffer[]): void {
    const chunk = parseOwnObject(data);
    // Behind the end mark only usage is of interest.
    if (this.done && (chunk === undefined || !isUsageAlone(chunk))) return;
    const failed = chunk === undefined ? data.toString('utf8') : this.#errorIn(chunk);
    if (chunk === undefined || failed !== undefined) {
      const cut = JSON.stringify(failed).slice(0, ERROR_LETTERS_LOGGED);
      this.#fail(`error event: ${cut}`, data);
      return;
    }
    this.#reader.read(chunk);
    const edits = frameEdits(chunk, this.#publicModel);
    const sent = applyEdits(data, chunk, edits, fixFinishReasons(chunk));
    if (this.#reader.finished) {
      // The parser's bytes are used again for the next packet.
      this.#held.push({ data: Buffer.from(sent), value: chunk });
      return;
    }
    for (const held of this.#held) this.#send(held.data, out);
    this.#held = [];
    this.#send(sent, out);
  }

  #send(data: Buffer, out: Buffer[]): void {
    const { bytes, blockStart, blockEnd, plain } = this.#parser;
    if (plain && this.#passesBlocks && data === this.#parser.data) {
      out.push(bytes.subarray(blockStart, blockEnd));
    } else out.push(Buffer.from(this.#frame.event(oneLine(data))));
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

function endedCandidate(index: number, finishReason: string): OwnJsonObject {
  return { content: { role: 'model', parts: [{ text: '' }] }, finishReason, index };
}

function isUsageAlone(chunk: OwnJsonObject): boolean {
  return candidatesOf(chunk).length === 0 && sentName(chunk, 'usageMetadata') !== undefined;
}

function withUsage(data: Buffer, value: OwnJsonObject, counts: TokenCounts): Buffer {
  const name = sentName(value, 'usageMetadata') ?? 'usageMetadata';
  return applyEdits(data, value, [{ name, value: JSON.stringify(usageObject(counts)) }], false);
}

/** Line feeds in valid JSON are between its tokens only. */
function oneLine(data: Buffer): string {
  return data.toString('utf8').replaceAll('\n', ' ');
}
