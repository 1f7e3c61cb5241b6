import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { refuse } from '../../../platform/errors/refusal.ts';
import type { StopCode } from '../../../platform/errors/stop-code.ts';
import type { UpstreamFailure } from '../../../platform/errors/upstream-failure.ts';
import {
  isOwnJsonObject,
  parseOwnObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { renderErrorEvent } from '../../openai-family/render-error.ts';
import { streamError } from '../../openai-family/chunks/stream-error.ts';
import { readUsage } from '../../openai-family/usage.ts';
import type { FailureFinder } from '../../protocol.ts';
import { EVENT_TOO_LARGE } from '../../sse/event-passer.ts';
import { isDoneMark } from '../../sse/reply-form.ts';
import { SseParser } from '../../sse/sse-parser.ts';
import { CUT_SHORT_MESSAGES, type StreamReader } from '../../stream-reader.ts';
import type { SpeechRequest } from '../from-client/parse-request.ts';
import { speechTokens, spokenCharacters } from '../wire/speech-estimate.ts';

const NOTHING = Buffer.alloc(0);
/** Events are told from sound by so many bytes. */
const FORM_BYTES = 6;
const EVENTS_BEGIN = /^(?:data:|event:)/;

/** The events of speech. */
const DELTA = 'speech.audio.delta';
const DONE = 'speech.audio.done';

/** An event as its stream has it. */
function eventText(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

/**
 * Reads speech that comes as bytes or as events, and writes what the client asked for.
 *
 * States: unknown (too few bytes to tell) -> bytes or events -> finished, or failed.
 */
export class SpeechStream implements StreamReader {
  failure: UpstreamFailure | null = null;
  usage: TokenCounts | null = null;
  finished = false;
  readonly promptUsage = null;
  readonly #request: SpeechRequest;
  readonly #findFailure: FailureFinder;
  readonly #parser: SseParser;
  #form: 'unknown' | 'bytes' | 'events' = 'unknown';
  #begin = NOTHING;
  /** Bytes of sound so far. */
  #soundBytes = 0;
  /** The upstream has broken off. */
  #isCut = false;

  constructor(request: SpeechRequest, findFailure: FailureFinder, eventBytesMax?: number) {
    this.#request = request;
    this.#findFailure = findFailure;
    this.#parser = new SseParser(eventBytesMax);
  }

  get hasContent(): boolean {
    return this.#soundBytes > 0;
  }

  get keepsNoChunk(): boolean {
    return this.#form === 'bytes';
  }

  get whole(): boolean {
    return this.finished;
  }

  get done(): boolean {
    return this.finished;
  }

  get outputTokensEstimate(): number {
    return speechTokens(this.#soundBytes, this.#request.format);
  }

  /** The characters that were spoken before the upstream broke off can only be estimated. */
  get isEstimate(): boolean {
    return this.#isCut;
  }

  push(chunk: Buffer): Uint8Array {
    if (this.#form === 'bytes') return this.#sound(chunk);
    if (this.#form === 'unknown') {
      const begin = Buffer.concat([this.#begin, chunk]);
      if (begin.length < FORM_BYTES) {
        this.#begin = begin;
        return NOTHING;
      }
      return this.#begins(begin);
    }
    this.#parser.feed(chunk);
    return this.#readEvents();
  }

  flush(): Uint8Array {
    const out = this.#form === 'unknown' ? this.#begins(this.#begin) : NOTHING;
    if (this.#form === 'bytes') {
      this.finished = this.hasContent;
      return out;
    }
    this.#parser.finish();
    return this.#readEvents();
  }

  /**
   * Counts what was delivered. A client that leaves is charged for all characters, as the operator
   * is; one whose upstream breaks off for what was spoken.
   */
  countDelivered(): TokenCounts {
    const { characters, format, speed } = this.#request;
    const output = this.outputTokensEstimate;
    const spoken = this.#isCut ? spokenCharacters(this.#soundBytes, format, speed) : characters;
    const extra = { audioOutput: output, character: Math.min(spoken, characters) };
    return { input: 0, cachedInput: 0, cacheWrite: 0, output, reasoning: 0, extra };
  }

  deliveredText(): string {
    return '';
  }

  cutShort(): string {
    return '';
  }

  keepAlive(): string | undefined {
    return this.#request.asksForEvents ? undefined : '';
  }

  errorEvent(code: StopCode | 'upstream_error'): string {
    this.#isCut ||= code === 'upstream_error';
    if (!this.#request.asksForEvents) return '';
    return renderErrorEvent(refuse(code, CUT_SHORT_MESSAGES[code]));
  }

  endMarker(counted: TokenCounts | null): string {
    if (!this.#request.asksForEvents) return '';
    const counts = counted ?? this.usage;
    if (counts === null) return eventText({ type: DONE });
    const { input, output } = counts;
    const usage = { input_tokens: input, output_tokens: output, total_tokens: input + output };
    return eventText({ type: DONE, usage });
  }

  #begins(begin: Buffer): Uint8Array {
    this.#begin = NOTHING;
    const isEvents = EVENTS_BEGIN.test(begin.toString('latin1', 0, FORM_BYTES));
    this.#form = isEvents ? 'events' : 'bytes';
    if (!isEvents) return this.#sound(begin);
    this.#parser.feed(begin);
    return this.#readEvents();
  }

  /** Returns sound as the client reads it. */
  #sound(sound: Buffer): Uint8Array {
    this.#soundBytes += sound.length;
    if (!this.#request.asksForEvents || sound.length === 0) return sound;
    return Buffer.from(eventText({ type: DELTA, audio: sound.toString('base64') }));
  }

  #readEvents(): Uint8Array {
    const out: Uint8Array[] = [];
    while (this.failure === null && !this.finished && this.#parser.hasRest) {
      const step = this.#parser.next();
      if (step === 'incomplete') break;
      if (step === 'too_large') {
        this.failure = { failed: 'reply_too_large', detail: EVENT_TOO_LARGE };
        break;
      }
      out.push(this.#readEvent());
    }
    this.#parser.forgetRead();
    return out.length === 1 ? (out[0] ?? NOTHING) : Buffer.concat(out);
  }

  #readEvent(): Uint8Array {
    const { data, eventName } = this.#parser;
    if (isDoneMark(data)) {
      this.finished = this.hasContent;
      return NOTHING;
    }
    const event = parseOwnObject(data);
    const detail = streamError(event, eventName, this.#findFailure);
    if (event === undefined || detail !== undefined) {
      this.failure = { failed: 'bad_reply', detail: detail ?? 'no event', body: Buffer.from(data) };
      return NOTHING;
    }
    if (event['type'] === DELTA)
      return this.#sound(Buffer.from(stringOf(event['audio']), 'base64'));
    if (event['type'] === DONE) this.#end(event);
    return NOTHING;
  }

  #end({ usage }: OwnJsonObject): void {
    this.finished = this.hasContent;
    const reported = isOwnJsonObject(usage) ? readUsage(usage) : undefined;
    // Speech without any output is not reported.
    if (reported === undefined || reported.output < 1) return;
    const { characters } = this.#request;
    const extra = { ...reported.extra, audioOutput: reported.output, character: characters };
    this.usage = { ...reported, extra };
  }
}
