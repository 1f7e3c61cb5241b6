import type { Fault, Refused } from '../rule.ts';
import { bracketed, listed, pythonTuple, sentenceFor, type Sentences } from '../words.ts';

/** The words of OpenAI's validator for a JSON schema, from public bug reports. */
function schemaProblem({ place, problem, word, type }: Extract<Fault, { kind: 'schema' }>): string {
  const context = `In context=${pythonTuple(place)}, `;
  switch (problem) {
    case 'root_type':
      return `schema must be a JSON Schema of 'type: "object"', got 'type: "${type}"'.`;
    case 'root_alternatives':
      return "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.";
    case 'no_properties':
      return `${context}object schema missing properties.`;
    case 'no_items':
      return `${context}array schema missing items.`;
    case 'open_object':
      return `${context}'additionalProperties' is required to be supplied and to be false.`;
    case 'not_required':
      return `${context}'required' is required to be supplied and to be an array including every key in properties. Missing '${word}'.`;
    case 'format':
      return `${context}'${word}' is not a valid format.`;
    default:
      return `${context}'${word}' is not permitted.`;
  }
}

const SENTENCES: Sentences = {
  unknown: ({ path }) => `Unknown parameter: '${bracketed(path)}'.`,
  unsupported: ({ path, instead }) =>
    `Unsupported parameter: '${bracketed(path)}' is not supported with this model.${instead === undefined ? '' : ` Use '${instead}' instead.`}`,
  value: ({ path, value, allowed }) =>
    path.at(-1) === 'temperature'
      ? `Unsupported value: 'temperature' does not support ${String(value)} with this model. Only the default (1) value is supported.`
      : `Unsupported value: '${bracketed(path)}' does not support '${String(value)}' with this model. Supported values are: ${listed(allowed)}.`,
  below: ({ path, value, limit }) =>
    `Invalid '${bracketed(path)}': integer below minimum value. Expected a value >= ${String(limit)}, but got ${String(value)} instead.`,
  above: ({ path, value, limit }) =>
    `Invalid '${bracketed(path)}': decimal above maximum value. Expected a value <= ${String(limit)}, but got ${String(value)} instead.`,
  long: ({ path, max, length }) =>
    `Invalid '${bracketed(path)}': string too long. Expected a string with maximum length ${String(max)}, but got a string with length ${String(length)} instead.`,
  many: ({ path, max, count }) =>
    `Invalid '${bracketed(path)}': array too long. Expected an array with maximum length ${String(max)}, but got an array with length ${String(count)} instead.`,
  pattern: ({ path, pattern }) =>
    `Invalid '${bracketed(path)}': string does not match pattern. Expected a string that matches the pattern '${pattern}'.`,
  schema: (fault) => `Invalid schema for ${fault.owner}: ${schemaProblem(fault)}`,
};

const CODES: Partial<Record<Fault['kind'], string>> = {
  unknown: 'unknown_parameter',
  unsupported: 'unsupported_parameter',
  value: 'unsupported_value',
  below: 'integer_below_min_value',
  above: 'decimal_above_max_value',
  long: 'string_above_max_length',
  many: 'array_above_max_length',
  pattern: 'invalid_value',
};

function error(message: string, param: string | null, code: string | null): Refused {
  return {
    status: 400,
    body: { error: { message, type: 'invalid_request_error', param, code } },
  };
}

export function refuseAsOpenai(fault: Fault): Refused {
  if (fault.kind === 'value' && String(fault.path.at(-1)).startsWith('image_url')) {
    return error(
      "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
      bracketed(fault.path),
      'invalid_image_format',
    );
  }
  const message = sentenceFor(fault, SENTENCES);
  if (fault.kind === 'sentence') return error(message, bracketed(fault.path), fault.code ?? null);
  if (fault.kind === 'schema') {
    const code = fault.owner.startsWith('function')
      ? 'invalid_function_parameters'
      : 'invalid_json_schema';
    return error(message, bracketed(fault.path), code);
  }
  return error(message, bracketed(fault.path), CODES[fault.kind] ?? null);
}

/** Azure's older layer in front of the same models names unknown fields in its own way. */
export function refuseAsAzure(fault: Fault): Refused {
  if (fault.kind !== 'unknown') return refuseAsOpenai(fault);
  return error(`Unrecognized request argument supplied: ${bracketed(fault.path)}`, null, null);
}
