import type { Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import { isSignedId } from '../../../platform/secrets/signed-id.ts';
import { checkCallName } from '../../fields/field-checks.ts';
import { invalidValue, missing, wrongType } from '../../fields/field-faults.ts';
import type { StoredReference } from '../../stored-replies.ts';
import { refuseItem } from './refuse-item.ts';
import { isBareItem } from './signed-items.ts';
import { areClientTools } from './tool-kinds.ts';

/** The content of the input other than text. */
export interface InputFacts {
  /** Parts that are no text, whose tokens do not show in their bytes. */
  mediaParts: number;
  /** About how many bytes they take. */
  mediaBytes: number;
  /** One of them may be as long as any prompt: a file, or a kind that is not known. */
  hasUnboundedParts: boolean;
  /** Encrypted reasoning, which the account that made it alone can read. */
  hasEncryptedReasoning: boolean;
  /** Items whose ids are of Weir's own: the upstream knows them by others. */
  hasSignedItems: boolean;
  /** To stored items; first those without which the request cannot be served. */
  references: readonly StoredReference[];
}

const TEXT_TYPES: ReadonlySet<unknown> = new Set([
  'input_text',
  'output_text',
  'text',
  'refusal',
  'summary_text',
  'reasoning_text',
]);
const BOUNDED_MEDIA_TYPES: ReadonlySet<unknown> = new Set([
  'input_image',
  'input_audio',
  'computer_screenshot',
]);

/** The fields of an item that may have parts. */
const PART_FIELDS = ['content', 'output', 'summary'] as const;

const NO_REFERENCES: readonly StoredReference[] = [];

/**
 * Checks the items of a request as far as Weir acts on them. What refers to something stored at an
 * upstream's account is refused unless Weir has given its id to a client.
 */
export function checkInput(input: unknown, field = 'input'): Readonly<InputFacts> | Refusal {
  const facts: InputFacts = {
    mediaParts: 0,
    mediaBytes: 0,
    hasUnboundedParts: false,
    hasEncryptedReasoning: false,
    hasSignedItems: false,
    references: NO_REFERENCES,
  };
  if (typeof input === 'string') return facts;
  if (!Array.isArray(input)) return wrongType(field, 'a string or an array of items', input);
  for (let index = 0; index < input.length; index += 1) {
    const item: unknown = input[index];
    if (!isJsonObject(item)) return wrongType(`${field}[${index}]`, 'an object', item);
    const fault = checkItem(item, `${field}[${index}]`, facts);
    if (fault !== undefined) return fault;
  }
  return facts;
}

function checkItem(item: JsonObject, param: string, facts: InputFacts): Refusal | undefined {
  const { type, id } = item;
  if (type !== undefined && type !== null && typeof type !== 'string') {
    return wrongType(`${param}.type`, 'a string', type);
  }
  if (isEncryptedReasoning(item)) facts.hasEncryptedReasoning = true;
  if (isSignedId(id)) noteSigned(item, id, param, facts);
  if (type === 'item_reference') {
    return isSignedId(id) ? undefined : refuseItem(param, stringOf(id));
  }
  if (!areClientTools(item['tools'])) return refuseTools(`${param}.tools`);
  // Clients of the AI SDK leave the type of messages out.
  if (type === 'message' || type === undefined || type === null) {
    const { role } = item;
    if (typeof role !== 'string') {
      return missing(
        `${param}.role`,
        `"${param}" has neither a type nor a role. Send {"role": "user", "content": "…"}, or an item with its "type".`,
      );
    }
  }
  if (type === 'function_call' || type === 'custom_tool_call') {
    const unnamed = checkCallName(item['name'], `${param}.name`);
    if (unnamed !== undefined) return unnamed;
  }
  if (type === 'image_generation_call') addMadeImage(item, facts);
  for (const field of PART_FIELDS) {
    const parts = item[field];
    // Most contents are texts.
    if (typeof parts === 'string' || parts === undefined || parts === null) continue;
    const fault = checkParts(parts, `${param}.${field}`, facts);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function noteSigned(item: JsonObject, id: string, param: string, facts: InputFacts): void {
  facts.hasSignedItems = true;
  const reference = { kind: 'item', clientId: id, param } as const;
  if (item['type'] === 'item_reference') {
    facts.references = [{ ...reference, optional: false }, ...facts.references];
  } else if (isBareItem(item)) {
    facts.references = [...facts.references, { ...reference, optional: true }];
  }
}

/** A reasoning item whose content only the account that made it can read. */
export function isEncryptedReasoning(item: JsonObject): boolean {
  return item['type'] === 'reasoning' && typeof item['encrypted_content'] === 'string';
}

/** An image that a model has made comes back with its bytes, or by its id alone. */
function addMadeImage({ result }: JsonObject, facts: InputFacts): void {
  if (typeof result !== 'string' || result === '') return;
  facts.mediaParts += 1;
  facts.mediaBytes += result.length;
}

function checkParts(parts: unknown, param: string, facts: InputFacts): Refusal | undefined {
  if (isJsonObject(parts)) return checkPart(parts, param, facts);
  if (!Array.isArray(parts)) return wrongType(param, 'a string or an array of parts', parts);
  for (let index = 0; index < parts.length; index += 1) {
    const part: unknown = parts[index];
    if (!isJsonObject(part)) return wrongType(`${param}[${index}]`, 'an object', part);
    const fault = checkPart(part, `${param}[${index}]`, facts);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function checkPart(part: JsonObject, param: string, facts: InputFacts): Refusal | undefined {
  const { type, text, file_id: fileId, stdout } = part;
  if (TEXT_TYPES.has(type)) return undefined;
  if (typeof fileId === 'string') return refuseFile(`${param}.file_id`);
  // Kinds that are not known here may be text by another name; a shell's outputs are.
  if (typeof text === 'string' || typeof stdout === 'string') return undefined;
  facts.mediaParts += 1;
  facts.mediaBytes += bytesOf(part);
  if (!BOUNDED_MEDIA_TYPES.has(type)) facts.hasUnboundedParts = true;
  return undefined;
}

/** About as many bytes as the strings of a part take. */
function bytesOf(part: JsonObject): number {
  let bytes = 0;
  for (const value of Object.values(part)) {
    bytes += typeof value === 'string' ? value.length : 0;
    if (isJsonObject(value)) bytes += bytesOf(value);
  }
  return bytes;
}

/** Tools that come with an item are offered as those of the request are, and may cost as much. */
function refuseTools(param: string): Refusal {
  return invalidValue(
    param,
    `"${param}" has tools that the upstream runs itself at fees of their own. Send them in "tools", or use tools of your own.`,
  );
}

function refuseFile(param: string): Refusal {
  return invalidValue(
    param,
    'Files are not stored here. Send the file itself: "file_data" or "image_url" with a data: URL, or the URL of a public file.',
  );
}
