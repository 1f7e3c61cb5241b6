import type { Refusal } from '../../../platform/errors/refusal.ts';
import type { JsonObject, OwnJsonObject } from '../../../platform/json/json-value.ts';
import { CallResults, mergeAssistants } from '../../neutral-form/call-results.ts';
import { wrapFreeForm } from '../../neutral-form/free-form.ts';
import type { Proof } from '../../neutral-form/proofs/proof.ts';
import type {
  AssistantPart,
  NeutralMessage,
  ToolCallPart,
  ToolResultPart,
  UserPart,
} from '../../neutral-form/request.ts';
import { extraContent } from '../wire/extra-content.ts';
import { imagesMember } from '../wire/images.ts';
import { signedDetails } from '../wire/reasoning-details.ts';
import { PartWriter } from './write-parts.ts';

/** The result of a call whose result never came: without one, the upstream refuses the request. */
const INTERRUPTED = 'Error: the call was interrupted and has no result.';
/** The text of a result that has none. */
const SHOWN_BELOW = 'The result is in the next message.';

/** The features of messages that the upstream takes. */
export interface MessageOptions {
  readonly cacheBreakpoints: boolean;
  /** Calls of free-form tools. */
  readonly freeForm: boolean;
  /** Images that a model has made, in `images`. */
  readonly images: boolean;
}

/**
 * Returns the messages of a chat body. The results of calls come directly after the message that
 * calls, in the order of the calls, whatever their place was; what of them is no text comes after
 * them in a user's message.
 */
export function writeMessages(
  messages: readonly NeutralMessage[],
  options: MessageOptions,
): readonly JsonObject[] | Refusal {
  const merged = mergeAssistants(messages);
  const writer = new MessageWriter(merged, options);
  merged.forEach((message, index) => {
    writer.add(message, index);
  });
  return writer.end();
}

class MessageWriter {
  readonly #messages: JsonObject[] = [];
  readonly #freeForm: boolean;
  readonly #images: boolean;
  readonly #parts: PartWriter;
  readonly #results: CallResults;
  /** Parts of tool results that are no text, for the next user message. */
  #shown: UserPart[] = [];

  constructor(messages: readonly NeutralMessage[], options: MessageOptions) {
    this.#freeForm = options.freeForm;
    this.#images = options.images;
    this.#parts = new PartWriter(options);
    this.#results = new CallResults(messages);
  }

  add(message: NeutralMessage, index: number): void {
    switch (message.role) {
      case 'system':
        this.#show();
        this.#push('system', this.#parts.text(message.parts, '\n\n'));
        return;
      case 'user':
        this.#user(message.parts);
        return;
      case 'assistant':
        this.#show();
        this.#assistant(message.parts, index);
        return;
      case 'tool':
        this.#orphans(message.parts);
    }
  }

  end(): readonly JsonObject[] | Refusal {
    this.#show();
    return this.#parts.refusal ?? this.#messages;
  }

  #push(role: 'system' | 'user', content: string | JsonObject[]): void {
    if (content.length > 0) this.#messages.push({ role, content });
  }

  #user(parts: readonly UserPart[]): void {
    const all = [...this.#shown, ...parts];
    this.#shown = [];
    this.#push('user', this.#parts.content(all));
  }

  #show(): void {
    if (this.#shown.length > 0) this.#user([]);
  }

  #assistant(parts: readonly AssistantPart[], index: number): void {
    const calls = parts.filter((part) => part.type === 'tool_call');
    const texts = parts.filter((part) => part.type === 'text');
    const reasoning = parts.filter((part) => part.type === 'reasoning');
    const said = this.#parts.text(texts, '');
    const thought = reasoning.map(({ text }) => text).join('');
    const images = this.#images ? parts.filter((part) => part.type === 'image') : [];
    const hasMore = calls.length + images.length > 0;
    if (said.length === 0 && !hasMore && thought === '') return;
    const details = reasoning.flatMap(({ proof }) =>
      proof === undefined ? [] : signedDetails(proof),
    );
    const made = imagesMember(images, ownSignature);
    const message: OwnJsonObject = { role: 'assistant', content: said, ...made };
    if (said.length === 0 && calls.length > 0) message['content'] = null;
    if (thought !== '') message['reasoning_content'] = thought;
    if (details.length > 0) message['reasoning_details'] = details;
    if (calls.length > 0) message['tool_calls'] = calls.map((call) => this.#call(call));
    this.#messages.push(message);
    for (const call of calls) this.#result(call, this.#results.take(call.id, index));
  }

  #call({ id, name, input, freeForm, proof }: ToolCallPart): JsonObject {
    const extra = proof?.of === 'openai-chat' ? extraContent(proof.value) : {};
    if (freeForm && this.#freeForm) {
      return { id, type: 'custom', custom: { name, input }, ...extra };
    }
    const text = freeForm ? wrapFreeForm(input) : input || '{}';
    return { id, type: 'function', function: { name, arguments: text }, ...extra };
  }

  #result({ id }: ToolCallPart, result: ToolResultPart | undefined): void {
    const content = result === undefined ? INTERRUPTED : this.#resultText(result);
    this.#messages.push({ role: 'tool', tool_call_id: id, content });
  }

  /** The text of a result; the rest of it is shown in the next user's message. */
  #resultText({ content, isError }: ToolResultPart): string {
    const media = content.filter((part) => part.type !== 'text');
    this.#shown.push(...media);
    const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    const text = texts.join('\n') || (media.length > 0 ? SHOWN_BELOW : '');
    return isError ? `Error: ${text}` : text;
  }

  /**
   * CallResults of no call that is known. A vendor would refuse them; the model may still need
   * them.
   */
  #orphans(results: readonly ToolResultPart[]): void {
    for (const result of results) {
      if (this.#results.isTaken(result)) continue;
      const text = `Result of a tool call that is not shown here:\n${this.#resultText(result)}`;
      this.#user([{ type: 'text', text }]);
    }
  }
}

/** The signature of an image that an upstream of this protocol has made; '' of any other. */
function ownSignature({ of, value }: Proof): string {
  return of === 'openai-chat' ? value : '';
}
