import { randomUUID } from 'node:crypto';
import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { refuse } from '../../../platform/errors/refusal.ts';
import type { StopCode } from '../../../platform/errors/stop-code.ts';
import { parseOwnObject, type JsonObject } from '../../../platform/json/json-value.ts';
import type { EventWriter } from '../../neutral-form/neutral-form.ts';
import type { Proof } from '../../neutral-form/proofs/proof.ts';
import type { EndReason, NeutralEvent } from '../../neutral-form/reply.ts';
import { CUT_SHORT_MESSAGES } from '../../stream-reader.ts';
import type { GeminiRequest } from '../from-client/parse-request.ts';
import { errorJson } from './render-error.ts';
import { finishReason } from '../wire/end-reason.ts';
import type { UrlCitation } from '../../neutral-form/request.ts';
import { groundingMember } from '../wire/grounding.ts';
import { callPart, madeImagePart, signed } from '../wire/write-parts.ts';
import { openFrame, type StreamFrame } from '../wire/stream-frame.ts';
import { usageObject } from '../usage.ts';

/** Writes a Gemini client's stream. */
export function writeStream(request: GeminiRequest): EventWriter {
  return new GeminiEventWriter(request);
}

type ToolCallEvent = Extract<NeutralEvent, { type: 'tool_call' }>;

interface OpenCall {
  readonly call: ToolCallEvent;
  input: string;
}

/**
 * A call leaves whole: when something else follows it, or with the terminal event. That one alone
 * has the finishReason and the usage.
 */
class GeminiEventWriter implements EventWriter {
  readonly #request: GeminiRequest;
  readonly #frame: StreamFrame;
  readonly #calls = new Map<number, OpenCall>();
  #id = '';
  #end: EndReason = 'stop';
  #cut = false;
  /** The proof of reasoning, for the next call: clients send back what calls carry. */
  #proof: Proof | undefined;
  /** All text so far: the places of citations are bytes of it. */
  #text = '';
  /** For the last chunk. */
  readonly #citations: UrlCitation[] = [];

  constructor(request: GeminiRequest) {
    this.#request = request;
    this.#frame = openFrame(request);
  }

  write(event: NeutralEvent): string {
    switch (event.type) {
      case 'start':
        this.#id ||= event.id;
        return '';
      case 'text':
        this.#text += event.text;
        return event.text === '' ? '' : this.#part({ text: event.text, ...signed(event.proof) });
      case 'citation':
        this.#citations.push(event.citation);
        return '';
      case 'image':
        return this.#part({ ...madeImagePart(event), ...signed(event.proof) });
      case 'refusal':
        return this.#part({ text: event.text });
      case 'reasoning':
        if (!this.#request.includeThoughts || event.text === '') return '';
        return this.#part({ text: event.text, thought: true });
      case 'reasoning_proof':
        this.#proof = event.proof;
        return '';
      case 'tool_call': {
        const before = this.#sendCalls();
        this.#calls.set(event.index, { call: event, input: '' });
        return before;
      }
      case 'tool_input': {
        const open = this.#calls.get(event.index);
        if (open !== undefined) open.input += event.text;
        return '';
      }
      case 'end':
        this.#end = event.reason;
        return '';
      default:
        return '';
    }
  }

  /** Nothing is sent: what ends the reply is the terminal event, or comes before an error. */
  cutShort(): string {
    this.#cut = true;
    this.#end = 'length';
    return '';
  }

  endMarker(usage: TokenCounts | null): string {
    return this.#ending(usage) + this.#frame.close();
  }

  errorEvent(code: StopCode | 'upstream_error'): string {
    const ending = this.#cut ? this.#ending(null) : '';
    const error = errorJson(refuse(code, CUT_SHORT_MESSAGES[code]));
    return ending + this.#frame.event(error) + this.#frame.close();
  }

  #ending(usage: TokenCounts | null): string {
    // Of a reply that was cut the arguments of the last call may be half.
    const parts = this.#takeCalls(this.#end === 'length' || this.#end === 'context_full');
    if (parts.length === 0) parts.push({ text: '', ...signed(this.#proof) });
    const usageMetadata = usage === null ? undefined : usageObject(usage);
    const texts = [{ index: 0, from: 0, text: this.#text }];
    const candidate = {
      finishReason: finishReason(this.#end),
      ...groundingMember(this.#citations, texts),
    };
    return this.#event(parts, candidate, { usageMetadata });
  }

  #part(part: JsonObject): string {
    return this.#sendCalls() + this.#event([part]);
  }

  #sendCalls(): string {
    const parts = this.#takeCalls(true);
    return parts.length === 0 ? '' : this.#event(parts);
  }

  /** Returns the parts of calls that have not left yet. */
  #takeCalls(onlyWhole: boolean): JsonObject[] {
    const parts: JsonObject[] = [];
    for (const [index, { call, input }] of this.#calls) {
      if (onlyWhole && (call.freeForm || !isWhole(input))) break;
      this.#calls.delete(index);
      parts.push(callPart({ ...call, input }, call.proof ?? this.#proof));
      this.#proof = undefined;
    }
    return parts;
  }

  #event(parts: readonly JsonObject[], candidate: JsonObject = {}, more: JsonObject = {}): string {
    this.#id ||= randomUUID();
    const chunk = {
      candidates: [{ content: { role: 'model', parts }, ...candidate, index: 0 }],
      ...more,
      modelVersion: this.#request.model,
      responseId: this.#id,
    };
    return this.#frame.event(JSON.stringify(chunk));
  }
}

/** Arguments that are one JSON object can grow no more. */
function isWhole(input: string): boolean {
  return input.endsWith('}') && parseOwnObject(Buffer.from(input)) !== undefined;
}
