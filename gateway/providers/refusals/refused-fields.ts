import { isJsonObject, type JsonObject } from '../../platform/json/json-value.ts';
import { errorText } from '../error-body.ts';
import { fieldsInText } from './fields-in-text.ts';

/** Codes with which OpenAI, and those that follow it, refuse a field whatever its value is. */
const FIELD_CODES: ReadonlySet<unknown> = new Set(['unsupported_parameter', 'unknown_parameter']);
/** How pydantic's `type` begins for a field that a model does not have, in version 2 and 1. */
const EXTRA_TYPE = /^(?:extra_forbidden|value_error\.extra)/;
/** Where errors have other errors in them. Values of the request (`input`) are not among them. */
const INNER_KEYS = [
  'error',
  'errors',
  'message',
  'detail',
  'details',
  'fieldViolations',
  'description',
  'metadata',
  'raw',
  'cause',
] as const;
/** OpenRouter has LiteLLM's words in a text in an object in an object. */
const DEPTH_MAX = 8;
const TEXT_CHARACTERS_MAX = 4_000;
/** LiteLLM says which of its models failed, behind the upstream's words. */
const LITELLM_REMARK = '\n\nLiteLLM: ';
/** Vendors list all fields that they refuse; no request has more that it can do without. */
const FIELDS_MAX = 32;

/**
 * Returns the paths of the fields that an upstream says it does not take at all, such as
 * `tools.0.custom.strict`. A refusal of a value names none, and neither does one in which the name
 * is only quoted further on: errors repeat what clients have written.
 */
export function refusedFields(body: Buffer): readonly string[] {
  const found = new Set<string>();
  collect(parsed(errorText(body)), DEPTH_MAX, found);
  return [...found].slice(0, FIELDS_MAX);
}

/** Servers in Rust refuse in plain text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function collect(value: unknown, depth: number, found: Set<string>): void {
  if (depth === 0) return;
  if (typeof value === 'string') {
    const [text = ''] = value.slice(0, TEXT_CHARACTERS_MAX).split(LITELLM_REMARK, 1);
    const inner = innerJson(text);
    if (inner !== undefined) collect(inner, depth - 1, found);
    else for (const field of fieldsInText(text)) found.add(field);
  } else if (Array.isArray(value)) {
    for (const one of value.slice(0, FIELDS_MAX)) collect(one, depth - 1, found);
  } else if (isJsonObject(value)) {
    const own = ownFields(value);
    for (const field of own) found.add(field);
    // Its words say the same, and may quote.
    if (own.length > 0) return;
    for (const key of INNER_KEYS) {
      if (value[key] !== undefined) collect(value[key], depth - 1, found);
    }
  }
}

/** What an error says by members that its vendor fills in, not by its words. */
function ownFields(error: JsonObject): readonly string[] {
  const { code, type, loc, msg, param, keys, path } = error;
  if (Array.isArray(loc) && typeof type === 'string' && EXTRA_TYPE.test(type)) {
    return [pathOf(loc)];
  }
  // Errors of zod, such as OpenRouter's.
  if (code === 'unrecognized_keys' && Array.isArray(keys) && Array.isArray(path)) {
    return keys.map((key) => pathOf([...(path as readonly unknown[]), key]));
  }
  const isNamed = typeof param === 'string' && param !== '' && FIELD_CODES.has(code);
  if (isNamed) return [param];
  return typeof msg === 'string' ? fieldsInText(msg.slice(0, TEXT_CHARACTERS_MAX)) : [];
}

function pathOf(steps: readonly unknown[]): string {
  return steps.filter((step) => step !== 'body').join('.');
}

/** An error within the text of another, behind the words of a gateway: `…Exception - {…}`. */
function innerJson(text: string): unknown {
  const begin = /^(?:[^{["]{0,200}[\s-])?(?:b')?(?=\{\s*")/.exec(text.trimStart());
  if (begin === null) return undefined;
  const rest = text.trimStart().slice(begin[0].length);
  const end = rest.lastIndexOf('}');
  try {
    return JSON.parse(rest.slice(0, end + 1)) as unknown;
  } catch {
    return undefined;
  }
}
