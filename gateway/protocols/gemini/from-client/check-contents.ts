import type { Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import { invalidValue, missing, wrongType } from '../../fields/field-faults.ts';
import { fieldOf, GuardedFields, listOf } from '../fields.ts';
import { checkNames } from './check-names.ts';

/** The facts about a conversation that decide the amount of its hold. */
export interface ContentFacts {
  /** Parts whose tokens do not show in their bytes. */
  readonly mediaParts: number;
  /** About how many bytes these take. */
  readonly mediaBytes: number;
  /** One of them may be as long as any prompt. */
  readonly hasUnboundedParts: boolean;
}

interface Facts {
  mediaParts: number;
  mediaBytes: number;
  hasUnboundedParts: boolean;
}

/** Checks a conversation as far as Weir acts on it. */
export function checkContents(contents: unknown): ContentFacts | Refusal {
  if (contents === undefined || contents === null) {
    return missing(
      'contents',
      '"contents" is missing. Send "contents": [{"role": "user", "parts": [{"text": "…"}]}].',
    );
  }
  const list = listOf(contents);
  if (list.length === 0) return invalidValue('contents', '"contents" is empty. Send one content.');
  const facts: Facts = { mediaParts: 0, mediaBytes: 0, hasUnboundedParts: false };
  for (const [index, content] of list.entries()) {
    const path = `contents[${index}]`;
    if (!isJsonObject(content)) return wrongType(path, 'an object', content);
    const fault = checkParts(content['parts'], path, facts);
    if (fault !== undefined) return fault;
  }
  return facts;
}

/** The same of the system instruction, which may be missing. */
export function checkInstruction(instruction: unknown): Refusal | undefined {
  if (instruction === undefined || typeof instruction === 'string') return undefined;
  if (!isJsonObject(instruction)) return wrongType('systemInstruction', 'an object', instruction);
  const facts: Facts = { mediaParts: 0, mediaBytes: 0, hasUnboundedParts: false };
  return checkParts(instruction['parts'], 'systemInstruction', facts);
}

function checkParts(parts: unknown, path: string, facts: Facts): Refusal | undefined {
  for (const [index, part] of listOf(parts).entries()) {
    const name = `${path}.parts[${index}]`;
    if (!isJsonObject(part)) return wrongType(name, 'an object', part);
    const fault = addPart(part, name, facts);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Names by which an upstream could read something else than what is checked here. */
const PART_NAMES = new GuardedFields(['inlineData', 'fileData', 'functionResponse']);
const FILE_NAMES = new GuardedFields(['fileUri']);

function addPart(part: JsonObject, name: string, facts: Facts): Refusal | undefined {
  const misnamed = checkNames(part, PART_NAMES, `${name}.`);
  if (misnamed !== undefined) return misnamed;
  const inline = fieldOf(part, 'inlineData');
  if (isJsonObject(inline)) addInlineData(inline, facts);
  const file = fieldOf(part, 'fileData');
  if (isJsonObject(file)) {
    facts.mediaParts += 1;
    facts.hasUnboundedParts = true;
    return checkFile(file, `${name}.fileData.`);
  }
  const response = fieldOf(part, 'functionResponse');
  return isJsonObject(response)
    ? checkParts(response['parts'], `${name}.functionResponse`, facts)
    : undefined;
}

/**
 * Images have a size, and audio has more bytes than tokens; a page or a scene may have few bytes.
 */
const BOUNDED_MEDIA = /^(?:image|audio|text)\//i;

function addInlineData(inline: JsonObject, facts: Facts): void {
  const { data } = inline;
  const mediaType = fieldOf(inline, 'mimeType');
  facts.mediaParts += 1;
  if (typeof data === 'string') facts.mediaBytes += data.length;
  if (typeof mediaType !== 'string' || !BOUNDED_MEDIA.test(mediaType)) {
    facts.hasUnboundedParts = true;
  }
}

/**
 * Files that lie at one upstream account are not there for the others, and an address in the
 * operator's own storage is none of the client's.
 */
const ADDRESS_AT_ACCOUNT = /^(?:gs:|files\/|https:\/\/generativelanguage\.googleapis\.com\/)/i;

function checkFile(file: JsonObject, path: string): Refusal | undefined {
  const misnamed = checkNames(file, FILE_NAMES, path);
  if (misnamed !== undefined) return misnamed;
  const name = `${path}fileUri`;
  const uri = fieldOf(file, 'fileUri');
  if (typeof uri !== 'string') return wrongType(name, 'a string', uri);
  return ADDRESS_AT_ACCOUNT.test(uri)
    ? invalidValue(
        name,
        `"${name}" names a file at one upstream account, and files are not stored here. Send its bytes as inlineData.`,
      )
    : undefined;
}
