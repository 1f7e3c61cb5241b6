import type { Fault, Refused } from '../rule.ts';
import { dotted, sentenceFor, type Sentences } from '../words.ts';

function schemaProblem({ path, place, problem, word, type }: Extract<Fault, { kind: 'schema' }>) {
  const at = dotted(path);
  switch (problem) {
    case 'root_type':
      return `${at}.type: Field required`;
    case 'root_alternatives':
      return `${at}: input_schema does not support oneOf, allOf, or anyOf at the top level`;
    case 'key':
      return `${dotted([...path, ...place])}.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`;
    case 'open_object':
      return `${at}: For 'object' type, 'additionalProperties' must be explicitly set to false`;
    case 'format':
      return `${at}: For 'string' type, format '${word}' is not supported`;
    default:
      return word === 'oneOf'
        ? `${at}: Schema type 'oneOf' is not supported`
        : `${at}: For '${type}' type, property '${word}' is not supported`;
  }
}

const SENTENCES: Sentences = {
  unknown: ({ path }) => `${dotted(path)}: Extra inputs are not permitted`,
  unsupported: ({ path }) => `\`${dotted(path)}\` is deprecated for this model.`,
  value: ({ path, allowed }) => {
    const quoted = allowed.map((value) => `'${String(value)}'`);
    const last = quoted.pop() ?? '';
    return `${dotted(path)}: Input should be ${quoted.length > 0 ? `${quoted.join(', ')} or ` : ''}${last}`;
  },
  schema: schemaProblem,
};

export function refuseAsAnthropic(fault: Fault): Refused {
  const message = sentenceFor(fault, SENTENCES);
  const error = { type: 'invalid_request_error', message };
  return { status: 400, body: { type: 'error', error, request_id: 'req_strict' } };
}
