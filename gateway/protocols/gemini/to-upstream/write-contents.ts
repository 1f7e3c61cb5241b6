import { parseOwnObject, type JsonObject } from '../../../platform/json/json-value.ts';
import { plainCallId } from '../../neutral-form/call-id.ts';
import { CallResults, mergeAssistants } from '../../neutral-form/call-results.ts';
import type { Proof } from '../../neutral-form/proofs/proof.ts';
import type {
  AssistantPart,
  NeutralMessage,
  ReasoningPart,
  ToolCallPart,
  ToolResultPart,
  UserPart,
} from '../../neutral-form/request.ts';
import { DUMMY_SIGNATURE } from '../wire/signature.ts';
import { madeImagePart } from '../wire/write-parts.ts';
import { writePart } from './write-parts.ts';

export interface WrittenContents {
  /** Texts of the system messages before the first other one. */
  readonly system: readonly JsonObject[];
  readonly contents: readonly JsonObject[];
}

/** The result of a call whose result never came: without one, the upstream refuses the request. */
const INTERRUPTED = 'The call was interrupted and has no result.';

/**
 * Returns the contents of a Gemini body. Messages of one role in a row are one content. The results
 * of calls are in one content behind the calls, in their order, whatever their place was.
 * @param signed whether calls must be signed: those that another model has made get the stand-in
 */
export function writeContents(
  messages: readonly NeutralMessage[],
  signed: boolean,
): WrittenContents {
  const merged = mergeAssistants(messages);
  const writer = new ContentWriter(merged, signed);
  merged.forEach((message, index) => {
    writer.add(message, index);
  });
  return writer.end();
}

class ContentWriter {
  readonly #system: JsonObject[] = [];
  readonly #contents: { readonly role: string; readonly parts: JsonObject[] }[] = [];
  readonly #results: CallResults;
  readonly #signed: boolean;

  constructor(messages: readonly NeutralMessage[], signed: boolean) {
    this.#results = new CallResults(messages);
    this.#signed = signed;
  }

  add(message: NeutralMessage, index: number): void {
    switch (message.role) {
      case 'system': {
        const texts = message.parts.filter(({ text }) => text !== '').map(({ text }) => ({ text }));
        if (this.#contents.length === 0) this.#system.push(...texts);
        else this.#push('user', texts);
        return;
      }
      case 'user':
        this.#push('user', this.#written(message.parts));
        return;
      case 'assistant':
        this.#assistant(message.parts, index);
        return;
      case 'tool':
        for (const result of message.parts) {
          if (!this.#results.isTaken(result)) this.#orphan(result);
        }
    }
  }

  end(): WrittenContents {
    // Gemini answers nothing but contents.
    return this.#contents.length === 0
      ? { system: [], contents: [{ role: 'user', parts: this.#system }] }
      : { system: this.#system, contents: this.#contents };
  }

  #push(role: string, parts: readonly JsonObject[]): void {
    if (parts.length === 0) return;
    const last = this.#contents.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else this.#contents.push({ role, parts: [...parts] });
  }

  #written(parts: readonly UserPart[]): JsonObject[] {
    return parts.filter((part) => part.type !== 'text' || part.text !== '').map(writePart);
  }

  #assistant(parts: readonly AssistantPart[], index: number): void {
    this.#push('model', writeModelParts(parts, this.#signed));
    const calls = parts.filter((part) => part.type === 'tool_call');
    const results = calls.map((call) => ({ call, result: this.#results.take(call.id, index) }));
    this.#push(
      'user',
      results.map(({ call, result }) => responsePart(call, result)),
    );
    // Before Gemini 3 a response has no parts of its own.
    for (const { result } of results) this.#push('user', this.#media(result));
  }

  #media(result: ToolResultPart | undefined): JsonObject[] {
    const media = result?.content.filter((part) => part.type !== 'text') ?? [];
    return this.#written(media);
  }

  /** A result of no call that is known: Gemini would refuse it, and the model may still need it. */
  #orphan(result: ToolResultPart): void {
    const text = `Result of a tool call that is not shown here:\n${textOf(result)}`;
    this.#push('user', [{ text }, ...this.#media(result)]);
  }
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
    if (part.type === 'text' && part.text === '') continue;
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
  return { functionCall: { id: plainCallId(id), name, args } };
}

function argumentsOf(input: string): JsonObject {
  if (input.trim() === '') return {};
  return parseOwnObject(Buffer.from(input)) ?? { _raw: input };
}

function responsePart({ id, name }: ToolCallPart, result: ToolResultPart | undefined): JsonObject {
  const failed = result === undefined || result.isError;
  const text = result === undefined ? INTERRUPTED : textOf(result);
  const response = failed ? { error: text } : { output: text };
  return { functionResponse: { id: plainCallId(id), name, response } };
}

function textOf({ content }: ToolResultPart): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
