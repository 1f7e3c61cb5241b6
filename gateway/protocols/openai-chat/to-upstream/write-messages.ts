import type { JsonObject, OwnJsonObject } from '../../../platform/json/json-value.ts';
import { wrapFreeForm } from '../../neutral-form/free-form.ts';
import type { Proof } from '../../neutral-form/proofs/proof.ts';
import type {
  AssistantPart,
  NeutralMessage,
  ToolCallPart,
  ToolResultPart,
} from '../../neutral-form/request.ts';
import { extraContent } from '../wire/extra-content.ts';
import { imagesMember } from '../wire/images.ts';
import { signedDetails } from '../wire/reasoning-details.ts';
import { PartWriter } from './write-parts.ts';

/** The features of messages that the upstream takes. */
export interface MessageOptions {
  readonly cacheBreakpoints: boolean;
  /** Calls of free-form tools. */
  readonly freeForm: boolean;
  /** Images that a model has made, in `images`. */
  readonly images: boolean;
}

/**
 * Returns the messages of a chat body. The fit has put the results of calls behind the message that
 * calls, as texts.
 */
export function writeMessages(
  messages: readonly NeutralMessage[],
  options: MessageOptions,
): readonly JsonObject[] {
  const writer = new MessageWriter(options);
  return messages.flatMap((message) => writer.write(message));
}

class MessageWriter {
  readonly #freeForm: boolean;
  readonly #images: boolean;
  readonly #parts: PartWriter;

  constructor(options: MessageOptions) {
    this.#freeForm = options.freeForm;
    this.#images = options.images;
    this.#parts = new PartWriter(options);
  }

  write(message: NeutralMessage): readonly JsonObject[] {
    switch (message.role) {
      case 'system':
        return [{ role: 'system', content: this.#parts.text(message.parts, '\n\n') }];
      case 'user':
        return [{ role: 'user', content: this.#parts.content(message.parts) }];
      case 'assistant':
        return this.#assistant(message.parts);
      case 'tool':
        return message.parts.map(writeResult);
    }
  }

  #assistant(parts: readonly AssistantPart[]): readonly JsonObject[] {
    const calls = parts.filter((part) => part.type === 'tool_call');
    const texts = parts.filter((part) => part.type === 'text');
    const reasoning = parts.filter((part) => part.type === 'reasoning');
    const said = this.#parts.text(texts, '');
    const thought = reasoning.map(({ text }) => text).join('');
    const images = this.#images ? parts.filter((part) => part.type === 'image') : [];
    const hasMore = calls.length + images.length > 0;
    if (said.length === 0 && !hasMore && thought === '') return [];
    const details = reasoning.flatMap(({ proof }) =>
      proof === undefined ? [] : signedDetails(proof),
    );
    const made = imagesMember(images, ownSignature);
    const message: OwnJsonObject = { role: 'assistant', content: said, ...made };
    if (said.length === 0 && calls.length > 0) message['content'] = null;
    if (thought !== '') message['reasoning_content'] = thought;
    if (details.length > 0) message['reasoning_details'] = details;
    if (calls.length > 0) message['tool_calls'] = calls.map((call) => this.#call(call));
    return [message];
  }

  #call({ id, name, input, freeForm, proof }: ToolCallPart): JsonObject {
    const extra = proof?.of === 'openai-chat' ? extraContent(proof.value) : {};
    if (freeForm && this.#freeForm) {
      return { id, type: 'custom', custom: { name, input }, ...extra };
    }
    const text = freeForm ? wrapFreeForm(input) : input || '{}';
    return { id, type: 'function', function: { name, arguments: text }, ...extra };
  }
}

function writeResult({ callId, content, isError }: ToolResultPart): JsonObject {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const text = texts.join('\n');
  return { role: 'tool', tool_call_id: callId, content: isError ? `Error: ${text}` : text };
}

/** The signature of an image that an upstream of this protocol has made; '' of any other. */
function ownSignature({ of, value }: Proof): string {
  return of === 'openai-chat' ? value : '';
}
