import { isUtf8 } from 'node:buffer';
import { refuse, type Refusal } from '../errors/refusal.ts';
import { isOwnJsonObject, jsonTypeName, type OwnJsonObject } from './json-value.ts';
import { scanMembers, type MemberSpans } from './scan-members.ts';
import { utf8Text, withoutByteOrderMark } from './utf8-text.ts';

/** More of a field's name than this is not repeated in a message. */
const FIELD_NAME_CHARACTERS_SHOWN = 64;

export interface ReadObject {
  /** The bytes without a byte order mark; `members` counts from their start. */
  readonly bytes: Buffer;
  readonly value: OwnJsonObject;
  /** Own keys of `value`, each of which is in the bytes exactly once. */
  readonly keys: readonly string[];
  readonly members: MemberSpans;
}

/**
 * Reads a request body that must be one JSON object. Refuses what is not UTF-8, nested too deeply,
 * not JSON, not an object, or names a field twice: of two values, the one checked here and the one
 * that an upstream reads could differ, and with them the model that is billed.
 */
export function readObject(body: Buffer, depthMax: number): ReadObject | Refusal {
  const bytes = withoutByteOrderMark(body);
  if (!isUtf8(bytes)) {
    return refuse('invalid_json', 'The body is not valid UTF-8. Encode the JSON as UTF-8.');
  }
  const members = scanMembers(bytes, depthMax);
  if (members.tooDeep) {
    return refuse(
      'invalid_json',
      `The body is nested more than ${depthMax} levels deep. Flatten it.`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(utf8Text(bytes));
  } catch {
    return refuse('invalid_json', syntaxMessage(bytes));
  }
  if (!isOwnJsonObject(value)) {
    return refuse('invalid_type', `The body must be a JSON object, not ${jsonTypeName(value)}.`);
  }
  const keys = Object.keys(value);
  if (keys.length !== members.count) return repeatedField(bytes, members);
  return { bytes, value, keys, members };
}

/**
 * Says where the JSON ends to be JSON. V8's message may quote the body: only its position is taken
 * over.
 */
function syntaxMessage(bytes: Buffer): string {
  if (bytes.length === 0) return 'The body is empty. Send a JSON object.';
  const reason = syntaxError(bytes.toString('utf8'));
  const placed = /^(.*?)(?: in JSON)? at position (\d+)/.exec(reason);
  if (placed !== null) {
    return `The body is not valid JSON: ${placed[1] ?? ''} at position ${placed[2] ?? ''}.`;
  }
  const token = /^Unexpected token '(.)'/su.exec(reason)?.[1];
  if (token !== undefined) return `The body is not valid JSON: unexpected "${token}".`;
  if (reason.startsWith('Unexpected end')) {
    return 'The body is not valid JSON: it ends too early. Was it cut off?';
  }
  return 'The body is not valid JSON.';
}

/** V8's own message about text that is not JSON. */
function syntaxError(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return error instanceof SyntaxError ? error.message : '';
  }
}

function repeatedField(bytes: Buffer, members: MemberSpans): Refusal {
  const seen = new Set<string>();
  for (let member = 0; member < members.count; member += 1) {
    const start = (members.offsets[member * 4] ?? 1) - 1;
    const end = (members.offsets[member * 4 + 1] ?? 0) + 1;
    const key: unknown = JSON.parse(bytes.toString('utf8', start, end));
    const name = String(key);
    if (seen.has(name)) {
      const param = name.slice(0, FIELD_NAME_CHARACTERS_SHOWN);
      return refuse(
        'invalid_value',
        `The body contains the field "${param}" twice. Send it once.`,
        {
          param,
        },
      );
    }
    seen.add(name);
  }
  return refuse('invalid_json', 'The body contains a field twice. Send each field once.');
}
