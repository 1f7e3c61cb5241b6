import { callHead, inputFor, isWhole, type CallHead } from '../wire/output-items.ts';
import type { ClientTool } from '../wire/tool-names.ts';

/** A call whose input is still coming. */
export class OpenCall {
  readonly head: CallHead;
  readonly freeForm: boolean;
  /** Its index in the response; -1 until it is written. */
  outputIndex = -1;
  #input = '';

  constructor(callId: string, tool: ClientTool, freeForm: boolean) {
    this.head = callHead(callId, tool);
    this.freeForm = freeForm;
  }

  add(text: string): void {
    this.#input += text;
  }

  /** Its pieces mean nothing to the client by themselves: it is written when it is whole. */
  get written(): 'in pieces' | 'whole' {
    const { kind } = this.head.tool;
    if (kind === 'function') return 'in pieces';
    return kind === 'custom' && this.freeForm ? 'in pieces' : 'whole';
  }

  /** Nothing more of it can come. Of a free-form input that is never known. */
  get isWhole(): boolean {
    return !this.freeForm && isWhole(this.#input);
  }

  /** The input as the client's tool takes it. */
  get input(): string {
    return inputFor(this.head.tool, this.#input, this.freeForm);
  }

  get isEmpty(): boolean {
    return this.#input === '';
  }
}
