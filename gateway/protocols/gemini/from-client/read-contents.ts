import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import { plainCallId } from '../../neutral-form/call-id.ts';
import type {
  AssistantPart,
  NeutralMessage,
  TextPart,
  ToolResultPart,
  UserPart,
} from '../../neutral-form/request.ts';
import { invalidValue } from '../../fields/field-faults.ts';
import { fieldOf, listOf } from '../fields.ts';
import { readMadeImage } from '../wire/read-parts.ts';
import { proofOf } from '../wire/signature.ts';
import { readFileData, readInlineData } from './read-parts.ts';

/** Returns the conversation in the neutral form; a refusal names what it cannot carry. */
export function readContents(contents: unknown): readonly NeutralMessage[] | Refusal {
  const reader = new ContentReader();
  for (const [index, content] of listOf(contents).entries()) {
    if (!isJsonObject(content)) continue;
    const refusal = reader.add(content, `contents[${index}]`);
    if (refusal !== undefined) return refusal;
  }
  return reader.messages;
}

/** Returns the texts of the system instruction. */
export function readInstruction(instruction: unknown): TextPart[] {
  if (typeof instruction === 'string') return [{ type: 'text', text: instruction }];
  if (!isJsonObject(instruction)) return [];
  return listOf(instruction['parts']).flatMap((part) => {
    const text = isJsonObject(part) ? stringOf(part['text']) : '';
    return text === '' ? [] : [{ type: 'text' as const, text }];
  });
}

interface OpenCall {
  readonly id: string;
  readonly name: string;
}

/** Keeps which calls wait for a result: their ids are often left out, and the names come again. */
class ContentReader {
  readonly messages: NeutralMessage[] = [];
  #open: OpenCall[] = [];
  #calls = 0;

  add(content: JsonObject, path: string): Refusal | undefined {
    const parts = listOf(content['parts']).filter(isJsonObject);
    if (content['role'] === 'model') return this.#model(parts, path);
    for (const [index, part] of parts.entries()) {
      const refusal = this.#userPart(part, `${path}.parts[${index}]`);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  #model(parts: readonly JsonObject[], path: string): Refusal | undefined {
    const read: AssistantPart[] = [];
    for (const [index, part] of parts.entries()) {
      const refusal = this.#modelPart(part, `${path}.parts[${index}]`, read);
      if (refusal !== undefined) return refusal;
    }
    if (read.length > 0) this.messages.push({ role: 'assistant', parts: read });
    return undefined;
  }

  #modelPart(part: JsonObject, path: string, read: AssistantPart[]): Refusal | undefined {
    const proof = proofOf(fieldOf(part, 'thoughtSignature'));
    const proved = proof === null ? {} : { proof };
    const call = fieldOf(part, 'functionCall');
    if (isJsonObject(call)) {
      const id = this.#callId(call);
      const name = stringOf(call['name']);
      this.#open.push({ id, name });
      // The proof of another vendor is of its reasoning, and came on the call to be kept.
      if (proof !== null && proof.of !== 'gemini') {
        const last = read.at(-1);
        if (last?.type === 'reasoning') read[read.length - 1] = { ...last, proof };
        else read.push({ type: 'reasoning', text: '', proof });
      }
      const own = proof?.of === 'gemini' ? proved : {};
      const input = JSON.stringify(call['args'] ?? {});
      read.push({ type: 'tool_call', id, name, input, freeForm: false, ...own });
      return undefined;
    }
    const image = readMadeImage(part);
    if (image !== undefined) {
      if (part['thought'] !== true) read.push({ ...image, ...proved });
      return undefined;
    }
    const text = typeof part['text'] === 'string' ? part['text'] : codeText(part);
    if (text === undefined) return isEmpty(part) ? undefined : refusePart(part, path);
    if (part['thought'] === true || text === '') {
      if (text !== '' || proof !== null) read.push({ type: 'reasoning', text, ...proved });
    } else read.push({ type: 'text', text, ...proved });
    return undefined;
  }

  #callId(call: JsonObject): string {
    const given = stringOf(call['id']);
    this.#calls += 1;
    return given === '' ? `call_${this.#calls}` : plainCallId(given);
  }

  #userPart(part: JsonObject, path: string): Refusal | undefined {
    const response = fieldOf(part, 'functionResponse');
    if (isJsonObject(response)) {
      const result = this.#result(response, path);
      if (isRefusal(result)) return result;
      const last = this.messages.at(-1);
      if (last?.role === 'tool') {
        this.messages[this.messages.length - 1] = { ...last, parts: [...last.parts, result] };
      } else this.messages.push({ role: 'tool', parts: [result] });
      return undefined;
    }
    const read = readUserPart(part, path);
    if (read === undefined || isRefusal(read)) return read;
    const last = this.messages.at(-1);
    if (last?.role === 'user') {
      this.messages[this.messages.length - 1] = { ...last, parts: [...last.parts, read] };
    } else this.messages.push({ role: 'user', parts: [read] });
    return undefined;
  }

  #result(response: JsonObject, path: string): ToolResultPart | Refusal {
    const name = stringOf(response['name']);
    const callId = this.#answered(stringOf(response['id']), name);
    const content: ToolResultPart['content'][number][] = [];
    const { text, isError } = resultText(response['response']);
    if (text !== '') content.push({ type: 'text', text });
    for (const part of listOf(response['parts']).filter(isJsonObject)) {
      const read = readUserPart(part, `${path}.functionResponse.parts`);
      if (read === undefined) continue;
      if (isRefusal(read)) return read;
      if (read.type === 'audio') return refusePart(part, `${path}.functionResponse.parts`);
      content.push(read);
    }
    return { type: 'tool_result', callId, ...(name === '' ? {} : { name }), content, isError };
  }

  /**
   * Returns the id of the call that a result is of: without one, of the first that waits by this
   * name.
   */
  #answered(given: string, name: string): string {
    const id = given === '' ? undefined : plainCallId(given);
    const at = this.#open.findIndex((call) =>
      id === undefined ? call.name === name : call.id === id,
    );
    const [found] = at === -1 ? [] : this.#open.splice(at, 1);
    return found?.id ?? id ?? `call_of_${plainCallId(name)}`;
  }
}

function readUserPart(part: JsonObject, path: string): UserPart | Refusal | undefined {
  const { text } = part;
  if (typeof text === 'string') return text === '' ? undefined : { type: 'text', text };
  const inline = fieldOf(part, 'inlineData');
  if (isJsonObject(inline)) return readInlineData(inline, `${path}.inlineData`);
  const file = fieldOf(part, 'fileData');
  if (isJsonObject(file)) return readFileData(file, `${path}.fileData`);
  return isEmpty(part) ? undefined : refusePart(part, path);
}

/** Returns the code that a model ran at its vendor, as text. */
function codeText(part: JsonObject): string | undefined {
  const code = fieldOf(part, 'executableCode');
  if (isJsonObject(code)) return `\`\`\`\n${stringOf(code['code'])}\n\`\`\``;
  const result = fieldOf(part, 'codeExecutionResult');
  return isJsonObject(result) ? stringOf(result['output']) : undefined;
}

/** Members of a part that say how it is to be taken, and nothing by themselves. */
const FLAGS: ReadonlySet<string> = new Set([
  'thought',
  'thoughtSignature',
  'thought_signature',
  'videoMetadata',
  'video_metadata',
  'mediaResolution',
  'media_resolution',
]);

function isEmpty(part: JsonObject): boolean {
  return Object.keys(part).every((key) => FLAGS.has(key));
}

function refusePart(part: JsonObject, path: string): Refusal {
  const kind = Object.keys(part).find((key) => !FLAGS.has(key)) ?? 'part';
  return invalidValue(
    `${path}.${kind}`,
    `This model is served by an upstream that has nothing like "${kind}" there. Leave it out, or use a Gemini model.`,
  );
}

/** A function's result is an object: by convention of `output`, or `error`. */
function resultText(response: unknown): { readonly text: string; readonly isError: boolean } {
  if (!isJsonObject(response)) {
    return { text: response === undefined ? '' : JSON.stringify(response), isError: false };
  }
  const { error } = response;
  if (typeof error === 'string' && Object.keys(response).length === 1) {
    return { text: error, isError: true };
  }
  for (const key of RESULT_KEYS) {
    const text = response[key];
    const others = Object.keys(response).filter((name) => name !== key && name !== 'name');
    if (typeof text === 'string' && others.length === 0) return { text, isError: false };
  }
  return { text: JSON.stringify(response), isError: false };
}

/** Google's convention, LangChain's, and AI SDK's, which has the function's name next to it. */
const RESULT_KEYS = ['output', 'result', 'content'] as const;
