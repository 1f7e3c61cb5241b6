/** The forms in which vendors write places and sentences. */
import type { Fault, Path, Refused } from './rule.ts';

/** The source of a rule that users of the vendor know, without a report at hand. */
export const UNPROVEN = 'well known, no report at hand';

/** `tools[0].function.name` */
export function bracketed(path: Path): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${String(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join('');
}

/** `tools.0.custom.name` */
export function dotted(path: Path): string {
  return path.join('.');
}

/** `('properties', 'a')`, as Python writes a tuple. */
export function pythonTuple(path: Path): string {
  const written = path.map((step) => (typeof step === 'number' ? String(step) : `'${step}'`));
  return written.length === 1 ? `(${written[0] ?? ''},)` : `(${written.join(', ')})`;
}

/** `'a', 'b', and 'c'` */
export function listed(values: readonly unknown[]): string {
  const quoted = values.map((value) => `'${String(value)}'`);
  const last = quoted.pop() ?? '';
  if (quoted.length === 0) return last;
  return `${quoted.join(', ')}${quoted.length > 1 ? ',' : ''} and ${last}`;
}

export type Sentences = {
  readonly [K in Fault['kind']]?: (fault: Extract<Fault, { kind: K }>) => string;
};

/** The sentences of pydantic, on whose models most compatible servers are built. */
const PLAIN: Required<Sentences> = {
  unknown: () => 'Extra inputs are not permitted',
  unsupported: ({ path }) => `Unsupported parameter(s): \`${dotted(path)}\``,
  value: ({ path, allowed }) => `${dotted(path)}: Input should be ${listed(allowed)}`,
  below: ({ path, limit }) =>
    `${dotted(path)}: Input should be greater than or equal to ${String(limit)}`,
  above: ({ path, limit }) =>
    `${dotted(path)}: Input should be less than or equal to ${String(limit)}`,
  long: ({ path, max }) => `${dotted(path)}: String should have at most ${String(max)} characters`,
  many: ({ path, max }) => `'${dotted(path)}' : maximum number of items is ${String(max)}`,
  pattern: ({ path, pattern }) => `${dotted(path)}: String should match pattern '${pattern}'`,
  schema: ({ path, place, problem, word }) =>
    `${dotted([...path, ...place])}: invalid JSON schema (${problem} ${word})`,
  sentence: ({ message }) => message,
};

/** The sentence for a fault: the vendor's own, or the plain one. */
export function sentenceFor(fault: Fault, own: Sentences): string {
  const write = (own[fault.kind] ?? PLAIN[fault.kind]) as (fault: Fault) => string;
  return write(fault);
}

/** A vendor's `refuse` that wraps each sentence in the vendor's envelope. */
export function refusing(
  own: Sentences,
  envelope: (message: string, fault: Fault, model: string) => Refused,
): (fault: Fault, model: string) => Refused {
  return (fault, model) => envelope(sentenceFor(fault, own), fault, model);
}

/** The envelope of most vendors that speak chat completions. */
export function openaiEnvelope(message: string): Refused {
  return {
    status: 400,
    body: { error: { message, type: 'invalid_request_error', param: null, code: null } },
  };
}
