import type { TokenCounts } from '@weir/shared/watch/usage-record';
import type { StopCode } from '../../../platform/errors/stop-code.ts';
import { refuse } from '../../../platform/errors/refusal.ts';
import type { JsonObject } from '../../../platform/json/json-value.ts';
import type { EventWriter } from '../../neutral-form/neutral-form.ts';
import { unwrapFreeForm } from '../../neutral-form/free-form.ts';
import { carryProof, type Proof } from '../../neutral-form/proofs/proof.ts';
import { CallOrder } from '../wire/call-order.ts';
import { rememberCallProof } from '../wire/call-proofs.ts';
import type { EndReason, NeutralEvent } from '../../neutral-form/reply.ts';
import { renderErrorEvent } from '../../openai-family/render-error.ts';
import { chatAnnotation } from '../../openai-family/url-citations.ts';
import { usageObject } from '../../openai-family/usage.ts';
import { CUT_SHORT_MESSAGES } from '../../stream-reader.ts';
import type { ChatRequest } from '../from-client/parse-request.ts';
import { finishReason } from '../wire/end-reason.ts';
import { extraContent } from '../wire/extra-content.ts';
import { imagesMember } from '../wire/images.ts';
import { reasoningDetail } from '../wire/reasoning-details.ts';
import { freeFormNames } from '../wire/tools.ts';
import { ReplyFrame } from '../../openai-family/chunks/reply-frame.ts';

const DONE_EVENT = 'data: [DONE]\n\n';

/** Writes a client's stream of chat completions. */
export function writeStream(request: ChatRequest): EventWriter {
  return new ChatEventWriter(request);
}

/** The state of a call that has begun. */
interface WrittenCall {
  readonly freeForm: boolean;
  /** The arguments so far of a free-form tool that its upstream has as a function. */
  wrapped: string | null;
  hasInput: boolean;
}

type ToolCallEvent = Extract<NeutralEvent, { type: 'tool_call' }>;

/**
 * States: not begun -> open (the role has been sent) -> ended (the finish_reason has been sent).
 */
class ChatEventWriter implements EventWriter {
  readonly #includeUsage: boolean;
  readonly #freeForm: ReadonlySet<string>;
  readonly #frame: ReplyFrame;
  readonly #calls = new Map<number, WrittenCall>();
  readonly #order = new CallOrder();
  #id: { readonly id: string } | undefined;
  #begun = false;
  #ended = false;
  /** Reasoning that has no proof yet. */
  #reasoning = '';
  #proofs = 0;

  constructor(request: ChatRequest) {
    const { model, includeUsage } = request;
    this.#includeUsage = includeUsage;
    this.#freeForm = freeFormNames(request);
    this.#frame = new ReplyFrame(model, 'chat.completion.chunk');
  }

  write(event: NeutralEvent): string {
    switch (event.type) {
      case 'start':
        if (event.id !== '') this.#id ??= { id: event.id };
        return this.#begin();
      case 'text':
        this.#order.addText(event.text);
        return this.#delta({ content: event.text });
      case 'citation':
        return this.#delta({ annotations: [chatAnnotation(event.citation)] });
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
      case 'image':
        return this.#delta(imagesMember([event]));
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

  /** The role is sent first and once, because SDKs concatenate it. */
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

  #call(event: ToolCallEvent): string {
    const { index, id, name, proof } = event;
    const wraps = !event.freeForm && this.#freeForm.has(name);
    const freeForm = event.freeForm || wraps;
    this.#calls.set(index, { freeForm, wrapped: wraps ? '' : null, hasInput: false });
    const callee = freeForm
      ? { type: 'custom', custom: { name, input: '' } }
      : { type: 'function', function: { name, arguments: '' } };
    const extra = extraContent(proof && carryProof(proof), this.#order.addCall({ id, name }));
    if (proof !== undefined) rememberCallProof({ id, name }, proof);
    return this.#delta({ tool_calls: [{ index, id, ...callee, ...extra }] });
  }

  #input(index: number, text: string): string {
    const call = this.#calls.get(index);
    if (call === undefined || text === '') return '';
    if (call.wrapped !== null) {
      call.wrapped += text;
      return '';
    }
    call.hasInput = true;
    const callee = call.freeForm ? { custom: { input: text } } : { function: { arguments: text } };
    return this.#delta({ tool_calls: [{ index, ...callee }] });
  }

  #end(reason: EndReason): string {
    if (this.#ended) return '';
    this.#ended = true;
    this.#order.end();
    let events = this.#begin();
    for (const [index, call] of this.#calls) events += this.#endCall(index, call);
    return events + this.#choice({}, finishReason(reason, this.#calls.size > 0));
  }

  #endCall(index: number, call: WrittenCall): string {
    const { freeForm, wrapped, hasInput } = call;
    call.wrapped = null;
    if (wrapped !== null) return this.#input(index, unwrapFreeForm(wrapped));
    // Clients parse the arguments, and "" is not JSON.
    return freeForm || hasInput ? '' : this.#input(index, '{}');
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
