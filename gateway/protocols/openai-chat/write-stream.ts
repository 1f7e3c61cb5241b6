import type { TokenCounts } from '@weir/shared/usage-record';
import type { StopCode } from '../../platform/errors/stop-code.ts';
import { refuse } from '../../platform/errors/refusal.ts';
import type { JsonObject } from '../../platform/json/json-value.ts';
import type { EventWriter } from '../exchange-form/exchange-form.ts';
import { carryProof, type Proof } from '../exchange-form/proof.ts';
import type { EndReason, ExchangeEvent } from '../exchange-form/reply.ts';
import { renderErrorEvent } from '../openai-family/render-error.ts';
import { usageObject } from '../openai-family/usage.ts';
import { CUT_SHORT_MESSAGES } from '../stream-reader.ts';
import type { ChatRequest } from './parse-request.ts';
import { finishReason } from './reply/end-reason.ts';
import { extraContent } from './reply/extra-content.ts';
import { reasoningDetail } from './reply/reasoning-details.ts';
import { ReplyFrame } from './reply/reply-frame.ts';

const DONE_EVENT = 'data: [DONE]\n\n';

/** Writes a client's stream of chat completions. */
export function writeStream(request: ChatRequest): EventWriter {
  return new ChatEventWriter(request);
}

/** What is known of a call that has begun. */
interface WrittenCall {
  readonly freeForm: boolean;
  hasInput: boolean;
}

type ToolCallEvent = Extract<ExchangeEvent, { type: 'tool_call' }>;

/** States: not begun -> open (the role has been sent) -> ended (the finish_reason has been sent). */
class ChatEventWriter implements EventWriter {
  readonly #includeUsage: boolean;
  readonly #frame: ReplyFrame;
  readonly #calls = new Map<number, WrittenCall>();
  #id: { readonly id: string } | undefined;
  #begun = false;
  #ended = false;
  /** Reasoning that has no proof yet. */
  #reasoning = '';
  #proofs = 0;

  constructor({ model, includeUsage }: ChatRequest) {
    this.#includeUsage = includeUsage;
    this.#frame = new ReplyFrame(model, 'chat.completion.chunk');
  }

  write(event: ExchangeEvent): string {
    switch (event.type) {
      case 'start':
        if (event.id !== '') this.#id ??= { id: event.id };
        return this.#begin();
      case 'text':
        return this.#delta({ content: event.text });
      case 'refusal':
        return this.#delta({ refusal: event.text });
      case 'reasoning':
        this.#reasoning += event.text;
        return this.#delta({ reasoning_content: event.text });
      case 'reasoning_proof':
        return this.#proof(event.proof);
      case 'tool_call':
        return this.#call(event);
      case 'tool_input':
        return this.#input(event.index, event.text);
      case 'end':
        return this.#end(event.reason);
      default:
        return '';
    }
  }

  cutShort(): string {
    return this.#end('length');
  }

  endMarker(usage: TokenCounts | null): string {
    if (!this.#includeUsage || usage === null) return DONE_EVENT;
    return this.#event({ choices: [], usage: usageObject(usage) }) + DONE_EVENT;
  }

  errorEvent(code: StopCode | 'upstream_error'): string {
    return renderErrorEvent(refuse(code, CUT_SHORT_MESSAGES[code]));
  }

  /** The role goes first, and once: SDKs join the roles of all chunks. */
  #begin(): string {
    if (this.#begun) return '';
    this.#begun = true;
    return this.#choice({ role: 'assistant', content: '' }, null);
  }

  #delta(delta: JsonObject): string {
    return this.#begin() + this.#choice(delta, null);
  }

  #proof(proof: Proof): string {
    const detail = reasoningDetail(this.#reasoning, proof, this.#proofs);
    this.#reasoning = '';
    this.#proofs += 1;
    return this.#delta({ reasoning_details: [detail] });
  }

  #call({ index, id, name, freeForm, proof }: ToolCallEvent): string {
    this.#calls.set(index, { freeForm, hasInput: false });
    const callee = freeForm
      ? { type: 'custom', custom: { name, input: '' } }
      : { type: 'function', function: { name, arguments: '' } };
    const extra = proof === undefined ? {} : extraContent(carryProof(proof));
    return this.#delta({ tool_calls: [{ index, id, ...callee, ...extra }] });
  }

  #input(index: number, text: string): string {
    const call = this.#calls.get(index);
    if (call === undefined || text === '') return '';
    call.hasInput = true;
    const callee = call.freeForm ? { custom: { input: text } } : { function: { arguments: text } };
    return this.#delta({ tool_calls: [{ index, ...callee }] });
  }

  #end(reason: EndReason): string {
    if (this.#ended) return '';
    this.#ended = true;
    let events = this.#begin();
    // Clients parse the arguments, and "" is not JSON.
    for (const [index, { freeForm, hasInput }] of this.#calls) {
      if (!freeForm && !hasInput) events += this.#input(index, '{}');
    }
    return events + this.#choice({}, finishReason(reason, this.#calls.size > 0));
  }

  #choice(delta: JsonObject, reason: string | null): string {
    const choice = { index: 0, delta, logprobs: null, finish_reason: reason };
    return this.#event({ choices: [choice] });
  }

  #event(fields: JsonObject): string {
    const chunk = this.#frame.around({ ...this.#id, ...fields });
    return `data: ${JSON.stringify(chunk)}\n\n`;
  }
}
