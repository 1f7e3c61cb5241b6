import type { OwnJsonObject } from '../../../platform/json/json-value.ts';
import {
  messageItem,
  newItemId,
  reasoningItem,
  refusalPart,
  textPart,
  type ItemStatus,
} from '../wire/output-items.ts';

/** Writes an event with its number. */
export type Emit = (type: string, fields: OwnJsonObject) => void;

type PartKind = 'text' | 'refusal';

/** A message that is being written: text, or a refusal, or one after the other. */
export class OpenMessage {
  readonly index: number;
  readonly #emit: Emit;
  readonly #id = newItemId('msg');
  readonly #parts: OwnJsonObject[] = [];
  #kind: PartKind | null = null;
  #text = '';

  constructor(index: number, emit: Emit) {
    this.index = index;
    this.#emit = emit;
    const item = messageItem(this.#id, [], { status: 'in_progress' });
    emit('response.output_item.added', { output_index: index, item });
  }

  add(kind: PartKind, delta: string): void {
    if (this.#kind !== kind) this.#open(kind);
    this.#text += delta;
    if (kind === 'text') {
      this.#emit('response.output_text.delta', { ...this.#place, delta, logprobs: [] });
    } else this.#emit('response.refusal.delta', { ...this.#place, delta });
  }

  /** Ends it; returns the whole item. */
  close(status: ItemStatus, phase: 'commentary' | 'final_answer' | undefined): OwnJsonObject {
    this.#closePart();
    const item = messageItem(this.#id, this.#parts, { status, phase });
    this.#emit('response.output_item.done', { output_index: this.index, item });
    return item;
  }

  get #place(): OwnJsonObject {
    return {
      item_id: this.#id,
      output_index: this.index,
      content_index: this.#parts.length,
    };
  }

  #open(kind: PartKind): void {
    this.#closePart();
    this.#kind = kind;
    const part = kind === 'text' ? textPart('') : refusalPart('');
    this.#emit('response.content_part.added', { ...this.#place, part });
  }

  #closePart(): void {
    const text = this.#text;
    if (this.#kind === null) return;
    const isText = this.#kind === 'text';
    const part = isText ? textPart(text) : refusalPart(text);
    if (isText) this.#emit('response.output_text.done', { ...this.#place, text, logprobs: [] });
    else this.#emit('response.refusal.done', { ...this.#place, refusal: text });
    this.#emit('response.content_part.done', { ...this.#place, part });
    this.#parts.push(part);
    this.#kind = null;
    this.#text = '';
  }
}

/** Reasoning that is being written, as its summary. */
export class OpenReasoning {
  readonly index: number;
  readonly #emit: Emit;
  readonly #id = newItemId('rs');
  readonly #place: OwnJsonObject;
  #text = '';

  constructor(index: number, emit: Emit) {
    this.index = index;
    this.#emit = emit;
    this.#place = { item_id: this.#id, output_index: index, summary_index: 0 };
    const item = reasoningItem(this.#id, '', undefined);
    emit('response.output_item.added', { output_index: index, item });
    const part = { type: 'summary_text', text: '' };
    emit('response.reasoning_summary_part.added', { ...this.#place, part });
  }

  add(delta: string): void {
    this.#text += delta;
    this.#emit('response.reasoning_summary_text.delta', { ...this.#place, delta });
  }

  /** Ends it; returns the whole item. */
  close(encrypted: string | undefined): OwnJsonObject {
    const text = this.#text;
    const part = { type: 'summary_text', text };
    this.#emit('response.reasoning_summary_text.done', { ...this.#place, text });
    this.#emit('response.reasoning_summary_part.done', { ...this.#place, part });
    const item = reasoningItem(this.#id, text, encrypted);
    this.#emit('response.output_item.done', { output_index: this.index, item });
    return item;
  }
}
