import type { OwnJsonObject } from '../../../platform/json/json-value.ts';
import { plainCallId } from '../../neutral-form/call-id.ts';
import { mediaUrl } from '../../neutral-form/media-url.ts';
import type {
  AssistantPart,
  NeutralMessage,
  FilePart,
  ToolCallPart,
  ToolResultPart,
  UserPart,
} from '../../neutral-form/request.ts';

const INTERRUPTED = 'The call was interrupted and has no result.';

/**
 * Writes the messages of a conversation as items; every call has its output and every output its
 * call.
 */
export function writeItems(messages: readonly NeutralMessage[]): OwnJsonObject[] {
  const writer = new ItemWriter();
  for (const message of messages) writer.write(message);
  return writer.finish();
}

class ItemWriter {
  readonly #items: OwnJsonObject[] = [];
  /** Calls whose output has not come. */
  readonly #open = new Map<string, ToolCallPart>();

  write(message: NeutralMessage): void {
    switch (message.role) {
      case 'tool':
        for (const result of message.parts) this.#result(result);
        return;
      case 'assistant':
        this.#closeCalls();
        this.#assistant(message.parts);
        return;
      case 'system':
        this.#closeCalls();
        this.#push('developer', message.parts);
        return;
      case 'user':
        this.#closeCalls();
        this.#push('user', message.parts);
    }
  }

  finish(): OwnJsonObject[] {
    this.#closeCalls();
    return this.#items;
  }

  #push(role: string, parts: readonly UserPart[]): void {
    this.#items.push({ type: 'message', role, content: parts.map(writePart) });
  }

  #assistant(parts: readonly AssistantPart[]): void {
    for (const part of parts) {
      switch (part.type) {
        case 'text':
          if (part.text !== '') this.#items.push(messageItem(part.text));
          break;
        case 'reasoning': {
          // Without its proof the upstream knows nothing of it.
          if (part.proof?.of !== 'openai-responses') break;
          const summary = part.text === '' ? [] : [{ type: 'summary_text', text: part.text }];
          const encrypted = part.proof.value;
          this.#items.push({ type: 'reasoning', summary, encrypted_content: encrypted });
          break;
        }
        // Whether the upstream takes an item that it has not made is not documented.
        case 'image':
          break;
        case 'tool_call':
          this.#open.set(part.id, part);
          this.#items.push(callItem(part));
      }
    }
  }

  #result(result: ToolResultPart): void {
    const call = this.#open.get(result.callId);
    if (call === undefined) {
      const said = { type: 'text', text: 'The result of a call that is no longer here:' } as const;
      this.#push('user', [said, ...result.content]);
      return;
    }
    this.#open.delete(result.callId);
    this.#items.push(outputItem(call, outputOf(result)));
  }

  #closeCalls(): void {
    for (const call of this.#open.values()) this.#items.push(outputItem(call, INTERRUPTED));
    this.#open.clear();
  }
}

function messageItem(text: string): OwnJsonObject {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', role: 'assistant', status: 'completed', content };
}

function callItem({ id, name, input, freeForm }: ToolCallPart): OwnJsonObject {
  const call = { call_id: plainCallId(id), name };
  return freeForm
    ? { type: 'custom_tool_call', ...call, input }
    : { type: 'function_call', ...call, arguments: input || '{}' };
}

function outputItem({ id, freeForm }: ToolCallPart, output: unknown): OwnJsonObject {
  const type = freeForm ? 'custom_tool_call_output' : 'function_call_output';
  return { type, call_id: plainCallId(id), output };
}

/** A text where there is nothing else: older servers take no parts in an output. */
function outputOf({ content, isError }: ToolResultPart): unknown {
  const prefix = isError ? 'Error: ' : '';
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (texts.length === content.length) return prefix + texts.join('\n');
  const parts = content.map(writePart);
  return isError ? [{ type: 'input_text', text: prefix }, ...parts] : parts;
}

function writePart(part: UserPart): OwnJsonObject {
  switch (part.type) {
    case 'text':
      return { type: 'input_text', text: part.text };
    case 'image':
      return {
        type: 'input_image',
        image_url: mediaUrl(part.source),
        detail: part.detail ?? 'auto',
      };
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.base64, format: part.format } };
    case 'file':
      return writeFile(part);
  }
}

function writeFile({ source, name }: FilePart): OwnJsonObject {
  if ('text' in source) {
    const title = name === undefined ? '' : `${name}\n`;
    return { type: 'input_text', text: title + source.text };
  }
  if ('url' in source) return { type: 'input_file', file_url: source.url };
  return { type: 'input_file', filename: name ?? 'file', file_data: mediaUrl(source) };
}
