import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import type { Proof } from '../../neutral-form/proofs/proof.ts';
import type { NeutralEvent } from '../../neutral-form/reply.ts';
import { isOwn } from '../../anthropic-family/proofs.ts';
import type { UrlCitation } from '../../neutral-form/request.ts';
import { namedEvent } from '../wire/beginning.ts';
import { writeCitation } from '../wire/citations.ts';
import { signatureOf } from '../wire/proofs.ts';
import { toolUseId } from '../wire/tool-use.ts';

type ToolCallEvent = Extract<NeutralEvent, { type: 'tool_call' }>;

interface Block {
  readonly kind: 'text' | 'thinking' | 'redacted' | 'tool_use';
  readonly start: JsonObject;
  /** The number of a call. */
  readonly call: number;
  readonly freeForm: boolean;
  /** Deltas that wait until the blocks before it are closed. */
  waiting: JsonObject[];
  /** The input of a call so far. */
  input: string;
  /** Nothing more can belong to it. */
  complete: boolean;
}

/**
 * Writes the content blocks of a stream. Blocks never overlap: what belongs to a later one waits
 * until those before it are closed, which an upstream's interleaved calls may take to the end.
 */
export class BlockWriter {
  callsTools = false;
  /** The open block first. */
  #blocks: Block[] = [];
  #isOpen = false;
  #index = 0;

  text(text: string, proof?: Proof): string {
    if (text === '') return '';
    const signed = proof === undefined ? '' : this.#sign(signatureOf(proof, 'next'));
    return signed + this.#add('text', { type: 'text', text: '' }, { type: 'text_delta', text });
  }

  /** Cites a page for the open text. */
  cite(citation: UrlCitation): string {
    const last = this.#blocks.at(-1);
    if (last?.kind !== 'text' || last.complete) return '';
    last.waiting.push({ type: 'citations_delta', citation: writeCitation(citation) });
    return this.#write();
  }

  /** A text in a block of its own. */
  wholeText(text: string): string {
    const block = this.#begin('text', { type: 'text', text: '' });
    block.waiting.push({ type: 'text_delta', text });
    block.complete = true;
    return this.#write();
  }

  thinking(thinking: string): string {
    if (thinking === '') return '';
    return this.#add('thinking', EMPTY_THINKING, { type: 'thinking_delta', thinking });
  }

  /** Ends the thinking so far with its proof. Some vendors have nothing but a proof. */
  proof(proof: Proof): string {
    if (isOwn(proof) && proof.redacted === true) {
      const block = this.#begin('redacted', { type: 'redacted_thinking', data: proof.value });
      block.complete = true;
      return this.#write();
    }
    return this.#sign(signatureOf(proof));
  }

  /** Ends the thinking so far, or an empty one. */
  #sign(signature: string): string {
    const delta = { type: 'signature_delta', signature };
    const events = this.#add('thinking', EMPTY_THINKING, delta);
    const last = this.#blocks.at(-1);
    if (last !== undefined) last.complete = true;
    return events + this.#write();
  }

  /** A call has no place for its proof: the thinking before it has. */
  call({ index, id, name, freeForm, proof }: ToolCallEvent): string {
    this.callsTools = true;
    const signed = proof === undefined ? '' : this.#sign(signatureOf(proof, 'next'));
    const start = { type: 'tool_use', id: toolUseId(id), name, input: {} };
    this.#begin('tool_use', start, { call: index, freeForm });
    return signed + this.#write();
  }

  input(call: number, text: string): string {
    const block = this.#blocks.find((one) => one.call === call);
    if (block === undefined || text === '') return '';
    const first = block.input === '';
    block.input += text;
    block.waiting.push(inputDelta(block.freeForm ? escaped(text, first) : text));
    return this.#write();
  }

  /** Closes every block. */
  end(): string {
    for (const block of this.#blocks) block.complete = true;
    return this.#write();
  }

  #add(kind: Block['kind'], start: JsonObject, delta: JsonObject): string {
    const last = this.#blocks.at(-1);
    const block = last?.kind === kind && !last.complete ? last : this.#begin(kind, start);
    block.waiting.push(delta);
    return this.#write();
  }

  #begin(
    kind: Block['kind'],
    start: JsonObject,
    { call = -1, freeForm = false }: { readonly call?: number; readonly freeForm?: boolean } = {},
  ): Block {
    const last = this.#blocks.at(-1);
    // Only the input of a call may go on behind what has begun since.
    if (last !== undefined && last.kind !== 'tool_use') last.complete = true;
    const block = { kind, start, call, freeForm, waiting: [], input: '', complete: false };
    this.#blocks.push(block);
    return block;
  }

  /** Writes what may be written now. */
  #write(): string {
    let events = '';
    for (;;) {
      const [block] = this.#blocks;
      if (block === undefined) return events;
      if (!this.#isOpen) events += this.#start(block);
      for (const delta of block.waiting) events += this.#delta(delta);
      block.waiting = [];
      const followed = this.#blocks.length > 1;
      if (!block.complete && !(followed && hasWholeInput(block))) return events;
      events += this.#stop(block);
      this.#blocks = this.#blocks.slice(1);
    }
  }

  #start({ start }: Block): string {
    this.#isOpen = true;
    return this.#event('content_block_start', { content_block: start });
  }

  #delta(delta: JsonObject): string {
    return this.#event('content_block_delta', { delta });
  }

  #stop(block: Block): string {
    let events = '';
    if (block.kind === 'tool_use') {
      // Clients parse the input, and "" is not JSON.
      if (block.freeForm) events += this.#delta(inputDelta(lastOf(block)));
      else if (block.input.trim() === '') events += this.#delta(inputDelta('{}'));
    }
    events += this.#event('content_block_stop', {});
    this.#isOpen = false;
    this.#index += 1;
    return events;
  }

  #event(type: string, fields: JsonObject): string {
    return namedEvent(type, JSON.stringify({ type, index: this.#index, ...fields }));
  }
}

const EMPTY_THINKING = { type: 'thinking', thinking: '', signature: '' };

function inputDelta(partialJson: string): JsonObject {
  return { type: 'input_json_delta', partial_json: partialJson };
}

/** A piece of a free-form input, as the string that is the one property of the input. */
function escaped(text: string, first: boolean): string {
  return (first ? '{"input":"' : '') + JSON.stringify(text).slice(1, -1);
}

function lastOf({ input }: Block): string {
  return input === '' ? '{"input":""}' : '"}';
}

/**
 * Reports whether the input of a call is complete: one object. That of a free-form tool may be when
 * another call begins.
 */
function hasWholeInput({ kind, freeForm, input }: Block): boolean {
  if (kind !== 'tool_use') return false;
  if (freeForm) return input !== '';
  if (!input.trimEnd().endsWith('}')) return false;
  try {
    return isJsonObject(JSON.parse(input));
  } catch {
    return false;
  }
}
