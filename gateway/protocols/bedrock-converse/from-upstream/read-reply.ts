import {
  isJsonObject,
  parseOwnObject,
  stringOf,
  type JsonObject,
} from '../../../platform/json/json-value.ts';
import { withoutByteOrderMark } from '../../../platform/json/utf8-text.ts';
import type { NeutralReply } from '../../neutral-form/reply.ts';
import type { AssistantPart } from '../../neutral-form/request.ts';
import { readUsage } from '../usage.ts';
import { endReason } from '../wire/end-reason.ts';
import { redactedProof, signatureProof } from '../wire/proofs.ts';

/** Reads an upstream's whole reply; undefined when it is none of Converse. */
export function readReply(received: Buffer): NeutralReply | undefined {
  const reply = parseOwnObject(withoutByteOrderMark(received));
  const content = contentOf(reply);
  const end = endReason(reply?.['stopReason']);
  if (reply === undefined || content === undefined || end === 'failed') return undefined;
  const stopSequence = stopSequenceOf(reply);
  return {
    id: '',
    parts: content.filter(isJsonObject).flatMap(readBlock),
    end,
    ...(stopSequence === '' ? {} : { stopSequence }),
    usage: readUsage(reply['usage'], { serviceTier: reply['serviceTier'] }) ?? null,
  };
}

/** The content of a whole reply's message. */
export function contentOf(reply: JsonObject | undefined): readonly unknown[] | undefined {
  const output = reply?.['output'];
  const message = isJsonObject(output) ? output['message'] : undefined;
  const content: unknown = isJsonObject(message) ? message['content'] : undefined;
  return Array.isArray(content) ? content : undefined;
}

/** The stop sequence that came, for which the request has asked; '' when none is reported. */
export function stopSequenceOf({ additionalModelResponseFields: fields }: JsonObject): string {
  if (!isJsonObject(fields)) return '';
  const delta = fields['delta'];
  const nested = isJsonObject(delta) ? delta['stop_sequence'] : undefined;
  return stringOf(fields['stop_sequence'] ?? nested);
}

/** Reports whether a call is of one of the client's tools: Bedrock runs others itself. */
export function isClientCall(toolUse: unknown): toolUse is JsonObject {
  return isJsonObject(toolUse) && toolUse['type'] !== 'server_tool_use';
}

function readBlock(block: JsonObject): AssistantPart[] {
  const { text, toolUse, reasoningContent, citationsContent, image } = block;
  if (typeof text === 'string') return textPart(text);
  if (isClientCall(toolUse)) return [readCall(toolUse)];
  if (isJsonObject(reasoningContent)) return readReasoning(reasoningContent);
  if (isJsonObject(citationsContent)) return readCited(citationsContent);
  return isJsonObject(image) ? readImage(image) : [];
}

function textPart(text: string): AssistantPart[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function readCall({ toolUseId, name, input }: JsonObject): AssistantPart {
  return {
    type: 'tool_call',
    id: stringOf(toolUseId),
    name: stringOf(name),
    input: JSON.stringify(input ?? {}),
    freeForm: false,
  };
}

function readReasoning({ reasoningText, redactedContent }: JsonObject): AssistantPart[] {
  const redacted = redactedProof(stringOf(redactedContent));
  if (redacted !== null) return [{ type: 'reasoning', text: '', proof: redacted }];
  if (!isJsonObject(reasoningText)) return [];
  const proof = signatureProof(stringOf(reasoningText['signature']));
  const text = stringOf(reasoningText['text']);
  return [{ type: 'reasoning', text, ...(proof === null ? {} : { proof }) }];
}

/** Text with the places in documents that it is from, which other protocols have no place for. */
function readCited({ content }: JsonObject): AssistantPart[] {
  if (!Array.isArray(content)) return [];
  const texts = content.filter(isJsonObject).map(({ text }) => stringOf(text));
  return textPart(texts.join(''));
}

function readImage({ format, source }: JsonObject): AssistantPart[] {
  const base64 = isJsonObject(source) ? stringOf(source['bytes']) : '';
  if (base64 === '') return [];
  const mediaType = `image/${stringOf(format)}`;
  return [{ type: 'image', source: { base64, mediaType } }];
}
