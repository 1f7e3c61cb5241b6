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
import { estimateTextTokens } from '../../../tokens/estimate-tokens.ts';
import { renderErrorEvent } from '../../openai-family/render-error.ts';
import { streamError } from '../../openai-family/chunks/stream-error.ts';
import { dropPurchasePrice } from '../../openai-family/usage.ts';
import type { FailureFinder } from '../../protocol.ts';
import { EVENT_TOO_LARGE } from '../../sse/event-passer.ts';
import { isDoneMark } from '../../sse/reply-form.ts';
import { SseParser } from '../../sse/sse-parser.ts';
import { CUT_SHORT_MESSAGES, type StreamReader } from '../../stream-reader.ts';
import type { TranscriptionRequest } from '../from-client/parse-request.ts';
import { transcriptUsage } from '../usage.ts';

/** Events of a streamed transcript. */
export const DELTA = 'transcript.text.delta';
const SEGMENT = 'transcript.text.segment';
export const DONE = 'transcript.text.done';

/**
 * Passes the stream of a transcript.
 *
 * States: open -> done (the last event came, and is kept until `endMarker`) or failed. In both
 * nothing more is read.
 */
export class TranscriptStream implements StreamReader {
  hasContent = false;
  failure: UpstreamFailure | null = null;
  usage: TokenCounts | null = null;
  isEstimate: boolean;
  readonly promptUsage = null;
  readonly #request: TranscriptionRequest;
  readonly #findFailure: FailureFinder;
  readonly #parser: SseParser;
  #text = '';
  #last: OwnJsonObject | undefined;

  constructor(request: TranscriptionRequest, findFailure: FailureFinder, eventBytesMax?: number) {
    this.#request = request;
    this.isEstimate = transcriptUsage({}, request).isEstimate;
    this.#findFailure = findFailure;
    this.#parser = new SseParser(eventBytesMax);
  }

  get finished(): boolean {
    return this.#last !== undefined;
  }

  get whole(): boolean {
    return this.finished;
  }

  get done(): boolean {
    return this.finished;
  }

  get outputTokensEstimate(): number {
    return estimateTextTokens(this.#text);
  }

  push(chunk: Buffer): Uint8Array {
    this.#parser.feed(chunk);
    return this.#read();
  }

  flush(): Uint8Array {
    this.#parser.finish();
    return this.#read();
  }

  deliveredText(): string {
    return this.#text;
  }

  /** The usage of a stream that broke off: the upstream has heard the whole file. */
  countDelivered(): TokenCounts {
    return transcriptUsage({}, this.#request).counts;
  }

  /** A transcript has no end reason: what was said is all there is. */
  cutShort(): string {
    return '';
  }

  errorEvent(code: StopCode | 'upstream_error'): string {
    return renderErrorEvent(refuse(code, CUT_SHORT_MESSAGES[code]));
  }

  endMarker(): string {
    return this.#last === undefined ? '' : eventText(this.#last);
  }

  #read(): Uint8Array {
    let out = '';
    while (this.failure === null && !this.finished && this.#parser.hasRest) {
      const step = this.#parser.next();
      if (step === 'incomplete') break;
      if (step === 'too_large') {
        this.failure = { failed: 'reply_too_large', detail: EVENT_TOO_LARGE };
        break;
      }
      out += this.#readEvent();
    }
    this.#parser.forgetRead();
    return Buffer.from(out);
  }

  /** Returns what the client gets of the parser's event. */
  #readEvent(): string {
    const { data, eventName } = this.#parser;
    if (isDoneMark(data)) return '';
    const event = parseOwnObject(data);
    const detail = streamError(event, eventName, this.#findFailure);
    if (event === undefined || detail !== undefined) {
      this.failure = { failed: 'bad_reply', detail: detail ?? 'no event', body: Buffer.from(data) };
      return '';
    }
    switch (event['type']) {
      case DELTA:
        this.#text += stringOf(event['delta']);
        this.hasContent = true;
        return eventText(event);
      case SEGMENT:
        this.hasContent = true;
        return eventText(event);
      case DONE:
        this.#end(event);
    }
    return '';
  }

  #end(event: OwnJsonObject): void {
    const { counts, isEstimate } = transcriptUsage(event, this.#request);
    this.usage = counts;
    this.isEstimate = isEstimate;
    // It has the whole text also where the events before it had segments.
    this.#text = stringOf(event['text']);
    this.hasContent = true;
    Reflect.deleteProperty(event, 'duration');
    if (isOwnJsonObject(event['usage'])) dropPurchasePrice(event['usage']);
    this.#last = event;
  }
}

function eventText(event: OwnJsonObject): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
