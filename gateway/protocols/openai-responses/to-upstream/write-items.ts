import type { OwnJsonObject } from '../../../platform/json/json-value.ts';
import { wrapFreeForm } from '../../neutral-form/free-form.ts';
import { mediaUrl } from '../../neutral-form/media-url.ts';
import type {
  AssistantPart,
  NeutralMessage,
  FilePart,
  ToolCallPart,
  ToolResultPart,
  UserPart,
} from '../../neutral-form/request.ts';
import type { TargetProfile } from '../../target-profile.ts';

/**
 * Writes the messages of a conversation as items. The fit has put results behind their calls. Calls
 * of free-form tools are those of functions where the target has no others.
 */
export function writeItems(
  messages: readonly NeutralMessage[],
  { customTools }: Pick<TargetProfile, 'customTools'>,
): OwnJsonObject[] {
  const freeFormIds = new Set<string>();
  return messages.flatMap((message) => {
    switch (message.role) {
      case 'system':
        return [promptItem('developer', message.parts)];
      case 'user':
        return [promptItem('user', message.parts)];
      case 'assistant':
        for (const part of message.parts) {
          if (part.type === 'tool_call' && part.freeForm && customTools) freeFormIds.add(part.id);
        }
        return message.parts.flatMap((part) => assistantItems(part, customTools));
      case 'tool':
        return message.parts.map((result) => outputItem(result, freeFormIds.has(result.callId)));
    }
  });
}

function promptItem(role: string, parts: readonly UserPart[]): OwnJsonObject {
  return { type: 'message', role, content: parts.map(writePart) };
}

function assistantItems(part: AssistantPart, customTools: boolean): OwnJsonObject[] {
  switch (part.type) {
    case 'text':
      return [messageItem(part.text)];
    case 'reasoning': {
      // Without its proof the upstream knows nothing of it.
      if (part.proof?.of !== 'openai-responses') return [];
      const summary = part.text === '' ? [] : [{ type: 'summary_text', text: part.text }];
      return [{ type: 'reasoning', summary, encrypted_content: part.proof.value }];
    }
    // Whether the upstream takes an item that it has not made is not documented.
    case 'image':
      return [];
    case 'tool_call':
      return [callItem(part, customTools)];
  }
}

function messageItem(text: string): OwnJsonObject {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', role: 'assistant', status: 'completed', content };
}

function callItem(
  { id, name, input, freeForm }: ToolCallPart,
  customTools: boolean,
): OwnJsonObject {
  const call = { call_id: id, name };
  if (freeForm && customTools) return { type: 'custom_tool_call', ...call, input };
  const text = freeForm ? wrapFreeForm(input) : input || '{}';
  return { type: 'function_call', ...call, arguments: text };
}

function outputItem(result: ToolResultPart, freeForm: boolean): OwnJsonObject {
  const type = freeForm ? 'custom_tool_call_output' : 'function_call_output';
  return { type, call_id: result.callId, output: outputOf(result) };
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
