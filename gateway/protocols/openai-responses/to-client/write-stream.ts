import type { TokenCounts } from '@weir/shared/watch/usage-record';
import type { StopCode } from '../../../platform/errors/stop-code.ts';
import type { OwnJsonObject } from '../../../platform/json/json-value.ts';
import type { EventWriter } from '../../neutral-form/neutral-form.ts';
import { carryPlacedProof } from '../../neutral-form/proofs/proof-place.ts';
import type { Proof } from '../../neutral-form/proofs/proof.ts';
import type { MediaSource } from '../../neutral-form/request.ts';
import type { EndReason, NeutralEvent } from '../../neutral-form/reply.ts';
import { CUT_SHORT_MESSAGES, type BegunReply } from '../../stream-reader.ts';
import type { ResponsesRequest } from '../from-client/parse-request.ts';
import { eventText, newResponseId, responseError } from './render-error.ts';
import { responseEnd } from '../wire/end-reason.ts';
import { callItem, newItemId, reasoningItem, type ItemStatus } from '../wire/output-items.ts';
import { clientContext, type ClientContext } from '../wire/client-context.ts';
import { continuedEvents } from '../wire/begun-reply.ts';
import { OpenCall } from './open-call.ts';
import { OpenMessage, OpenReasoning, type Emit } from './open-texts.ts';
import { writeImage } from './write-image.ts';
import { usageObject } from '../usage.ts';

/** Writes a client's stream of Responses. */
export function writeStream(request: ResponsesRequest): EventWriter {
  return new ResponsesEventWriter(request.model, clientContext(request));
}

/**
 * States: not begun -> begun -> ended. Within: a message or reasoning may be open, and behind it
 * calls, which are closed as soon as nothing more of them can come.
 */
class ResponsesEventWriter implements EventWriter {
  readonly #model: string;
  readonly #context: ClientContext;
  #id = newResponseId();
  #createdAtSeconds = Math.floor(Date.now() / 1000);
  readonly #calls = new Map<number, OpenCall>();
  readonly #output: OwnJsonObject[] = [];
  #text: OpenMessage | OpenReasoning | null = null;
  /** The client has its `response.created`. */
  #isBegun = false;
  #nextIndex = 0;
  #number = -1;
  /** Characters of text so far: citations name positions in it. */
  #characters = 0;
  #reason: EndReason = 'stop';
  #written = '';

  constructor(model: string, context: ClientContext) {
    this.#model = model;
    this.#context = context;
  }

  write(event: NeutralEvent): string {
    this.#begin();
    switch (event.type) {
      case 'text':
        if (event.proof !== undefined) this.#nextProof(event.proof);
        this.#addText(event.text);
        break;
      case 'citation':
        if (this.#text instanceof OpenMessage) this.#text.cite(event.citation);
        break;
      case 'refusal':
        if (event.text !== '') this.#message().add('refusal', event.text);
        break;
      case 'reasoning':
        if (event.text !== '') this.#reasoning().add(event.text);
        break;
      case 'reasoning_proof':
        this.#reasoningProof(event.proof);
        break;
      case 'image':
        if (event.proof !== undefined) this.#nextProof(event.proof);
        this.#image(event.source);
        break;
      case 'tool_call':
        this.#call(event);
        break;
      case 'tool_input':
        this.#input(event.index, event.text);
        break;
      case 'end':
        this.#end(event.reason);
        break;
      default:
    }
    return this.#take();
  }

  cutShort(): string {
    this.#begin();
    this.#end('length');
    return this.#take();
  }

  endMarker(usage: TokenCounts | null): string {
    this.#begin();
    const end = responseEnd(this.#reason);
    const response = {
      ...this.#response(),
      completed_at: Math.floor(Date.now() / 1000),
      ...end,
      usage: usage === null ? null : usageObject(usage),
    };
    this.#emit(`response.${end.status}`, { response });
    return this.#take();
  }

  errorEvent(code: StopCode | 'upstream_error'): string {
    this.#begin();
    const error = responseError({ refused: code, message: CUT_SHORT_MESSAGES[code] });
    this.#emit('response.failed', { response: { ...this.#response(), status: 'failed', error } });
    return this.#take();
  }

  keepAlive(): string {
    const response = { ...this.#response(), status: 'in_progress', output: [] };
    return eventText('response.in_progress', this.#number, { response });
  }

  continueReply(begun: BegunReply, kept: Uint8Array): Uint8Array {
    this.#id = begun.id;
    this.#createdAtSeconds = begun.createdAtSeconds;
    this.#isBegun = true;
    return continuedEvents(kept, begun);
  }

  readonly #emit: Emit = (type, fields) => {
    this.#number += 1;
    this.#written += eventText(type, this.#number, fields);
  };

  #take(): string {
    const written = this.#written;
    this.#written = '';
    return written;
  }

  #begin(): void {
    if (this.#number !== -1) return;
    const response = { ...this.#response(), status: 'in_progress' };
    if (!this.#isBegun) this.#emit('response.created', { response });
    this.#emit('response.in_progress', { response });
  }

  #response(): OwnJsonObject {
    return {
      ...this.#context.echo,
      id: this.#id,
      object: 'response',
      created_at: this.#createdAtSeconds,
      completed_at: null,
      background: false,
      error: null,
      incomplete_details: null,
      previous_response_id: null,
      model: this.#model,
      // An item that is still open has no place in it yet.
      output: this.#output.filter((item) => (item as OwnJsonObject | undefined) !== undefined),
      service_tier: 'default',
      tools: [],
      usage: null,
    };
  }

  #addText(text: string): void {
    if (text === '') return;
    this.#message().add('text', text);
    this.#characters += text.length;
  }

  #message(): OpenMessage {
    if (this.#text instanceof OpenMessage) return this.#text;
    this.#closeText('completed');
    this.#closeWholeCalls();
    const message = new OpenMessage(this.#takeIndex(), this.#emit, this.#characters);
    this.#text = message;
    return message;
  }

  #reasoning(): OpenReasoning {
    if (this.#text instanceof OpenReasoning) return this.#text;
    this.#closeText('completed');
    this.#closeWholeCalls();
    const reasoning = new OpenReasoning(this.#takeIndex(), this.#emit);
    this.#text = reasoning;
    return reasoning;
  }

  #takeIndex(): number {
    this.#nextIndex += 1;
    return this.#nextIndex - 1;
  }

  #reasoningProof(proof: Proof): void {
    const encrypted = this.#context.wantsProof ? carryPlacedProof(proof, 'reasoning') : undefined;
    if (this.#text instanceof OpenReasoning) {
      const { index } = this.#text;
      this.#output[index] = this.#text.close(encrypted);
      this.#text = null;
    } else if (encrypted !== undefined) this.#hiddenReasoning(encrypted);
  }

  /** The proof of what comes next, in an item of its own. */
  #nextProof(proof: Proof): void {
    if (this.#context.wantsProof) this.#hiddenReasoning(carryPlacedProof(proof, 'next'));
  }

  #hiddenReasoning(encrypted: string): void {
    this.#closeText('completed');
    const index = this.#takeIndex();
    const id = newItemId('rs');
    const begun = { output_index: index, item: reasoningItem(id, '', undefined) };
    this.#emit('response.output_item.added', begun);
    const item = reasoningItem(id, '', encrypted);
    this.#emit('response.output_item.done', { output_index: index, item });
    this.#output[index] = item;
  }

  /** An image that has an address has no bytes: the address is a message. */
  #image(source: MediaSource): void {
    this.#closeText('completed');
    this.#closeWholeCalls();
    if ('url' in source) {
      this.#message().add('text', source.url);
      this.#closeText('completed');
      return;
    }
    const at = this.#takeIndex();
    this.#output[at] = writeImage(at, source, this.#emit);
  }

  #call({ index, id, name, freeForm, proof }: Extract<NeutralEvent, { type: 'tool_call' }>): void {
    this.#closeText('completed', 'commentary');
    this.#closeWholeCalls();
    if (proof !== undefined) this.#nextProof(proof);
    const call = new OpenCall(id, this.#context.names.clientTool(name), freeForm);
    this.#calls.set(index, call);
    if (call.written === 'in pieces') this.#addCall(call);
  }

  #addCall(call: OpenCall): void {
    call.outputIndex = this.#takeIndex();
    const { head, outputIndex } = call;
    const { kind } = head.tool;
    // What the others ask for is an object, which is there from the beginning.
    const input = kind === 'function' || kind === 'custom' ? '' : call.input;
    const item = callItem(head, input, kind === 'tool_search' ? 'completed' : 'in_progress');
    this.#emit('response.output_item.added', { output_index: outputIndex, item });
  }

  #input(index: number, text: string): void {
    const call = this.#calls.get(index);
    if (call === undefined || text === '') return;
    call.add(text);
    if (call.written === 'in pieces') this.#inputDelta(call, text);
  }

  #inputDelta({ head, outputIndex }: OpenCall, delta: string): void {
    const event =
      head.tool.kind === 'custom' ? 'custom_tool_call_input' : 'function_call_arguments';
    const at = { item_id: head.id, output_index: outputIndex };
    this.#emit(`response.${event}.delta`, { ...at, delta });
  }

  /** Calls follow each other: clients have been seen to read one at a time. */
  #closeWholeCalls(): void {
    for (const [index, call] of this.#calls) {
      if (call.isWhole) this.#closeCall(index, call, 'completed');
    }
  }

  #closeCall(index: number, call: OpenCall, status: ItemStatus): void {
    this.#calls.delete(index);
    const { head, input } = call;
    const isLate = call.written === 'whole';
    if (isLate) this.#addCall(call);
    const { kind, name } = head.tool;
    // An upstream may send nothing where there are no arguments.
    const hasPieces = kind === 'function' || kind === 'custom';
    if (hasPieces && input !== '' && (isLate || call.isEmpty)) this.#inputDelta(call, input);
    const at = { item_id: head.id, output_index: call.outputIndex };
    if (kind === 'custom') this.#emit('response.custom_tool_call_input.done', { ...at, input });
    if (kind === 'function') {
      this.#emit('response.function_call_arguments.done', { ...at, name, arguments: input });
    }
    const item = callItem(head, input, status);
    this.#emit('response.output_item.done', { output_index: call.outputIndex, item });
    this.#output[call.outputIndex] = item;
  }

  #closeText(status: ItemStatus, phase?: 'commentary' | 'final_answer'): void {
    const open = this.#text;
    if (open === null) return;
    this.#text = null;
    const { index } = open;
    this.#output[index] =
      open instanceof OpenMessage ? open.close(status, phase) : open.close(undefined);
  }

  #end(reason: EndReason): void {
    this.#reason = reason;
    const { status } = responseEnd(reason);
    const isFinal = this.#calls.size === 0;
    this.#closeText(status, isFinal ? 'final_answer' : undefined);
    for (const [index, call] of this.#calls) {
      this.#closeCall(index, call, call.isWhole ? 'completed' : status);
    }
  }
}
