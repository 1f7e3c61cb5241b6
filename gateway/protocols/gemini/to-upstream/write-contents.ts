import { parseOwnObject, type JsonObject } from '../../../platform/json/json-value.ts';
import type { Proof } from '../../neutral-form/proofs/proof.ts';
import type {
  AssistantPart,
  NeutralMessage,
  ReasoningPart,
  ToolCallPart,
  ToolResultPart,
} from '../../neutral-form/request.ts';
import { DUMMY_SIGNATURE } from '../wire/signature.ts';
import { madeImagePart } from '../wire/write-parts.ts';
import { writePart } from './write-parts.ts';

export interface WrittenContents {
  /** Texts of the system messages before the first other one. */
  readonly system: readonly JsonObject[];
  readonly contents: readonly JsonObject[];
}

/**
 * Returns the contents of a Gemini body. Messages of one role in a row are one content. The fit has
 * put the results of calls behind them, as texts.
 * @param signed whether calls must be signed: those that another model has made get the stand-in
 */
export function writeContents(
  messages: readonly NeutralMessage[],
  signed: boolean,
): WrittenContents {
  const system: JsonObject[] = [];
  const contents: { readonly role: string; readonly parts: JsonObject[] }[] = [];
  const names = new Map<string, string>();
  const push = (role: string, parts: readonly JsonObject[]): void => {
    if (parts.length === 0) return;
    const last = contents.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else contents.push({ role, parts: [...parts] });
  };
  for (const message of messages) {
    switch (message.role) {
      case 'system':
        system.push(...message.parts.map(({ text }) => ({ text })));
        break;
      case 'user':
        push('user', message.parts.map(writePart));
        break;
      case 'assistant':
        for (const part of message.parts) {
          if (part.type === 'tool_call') names.set(part.id, part.name);
        }
        push('model', writeModelParts(message.parts, signed));
        break;
      case 'tool':
        push(
          'user',
          message.parts.map((result) => responsePart(result, names.get(result.callId))),
        );
    }
  }
  return { system, contents };
}

/**
 * Thoughts stay behind, for only their signature is worth something: it goes on what they led to.
 * Of calls at once the first is signed. Gemini 3 refuses an image that is not.
 */
function writeModelParts(parts: readonly AssistantPart[], wantsSignature: boolean): JsonObject[] {
  const written: JsonObject[] = [];
  let pending: string | undefined;
  let unsigned = wantsSignature;
  for (const part of parts) {
    const own = signatureIn(part.proof);
    if (part.type === 'reasoning') {
      pending = own ?? pending;
      continue;
    }
    const isUnsigned =
      wantsSignature && (part.type === 'image' || (part.type === 'tool_call' && unsigned));
    const signature = own ?? pending ?? (isUnsigned ? DUMMY_SIGNATURE : undefined);
    pending = undefined;
    if (part.type === 'tool_call') unsigned = false;
    const content = writeModelPart(part);
    written.push(signature === undefined ? content : { ...content, thoughtSignature: signature });
  }
  return written;
}

function writeModelPart(part: Exclude<AssistantPart, ReasoningPart>): JsonObject {
  switch (part.type) {
    case 'text':
      return { text: part.text };
    case 'image':
      return madeImagePart(part);
    case 'tool_call':
      return writeCall(part);
  }
}

function signatureIn(proof: Proof | undefined): string | undefined {
  return proof?.of === 'gemini' ? proof.value : undefined;
}

function writeCall({ id, name, input, freeForm }: ToolCallPart): JsonObject {
  const args = freeForm ? { input } : argumentsOf(input);
  return { functionCall: { id, name, args } };
}

function argumentsOf(input: string): JsonObject {
  if (input.trim() === '') return {};
  return parseOwnObject(Buffer.from(input)) ?? { _raw: input };
}

function responsePart(result: ToolResultPart, name: string | undefined): JsonObject {
  const { callId: id, content, isError } = result;
  const output = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  return { functionResponse: { id, name, response: isError ? { error: output } : { output } } };
}
