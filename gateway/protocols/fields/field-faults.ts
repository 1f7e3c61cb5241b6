import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { jsonTypeName } from '../../platform/json/json-value.ts';

/** A field whose value has the wrong JSON type. `expected` reads like "a string". */
export function wrongType(param: string, expected: string, value: unknown): Refusal {
  return refuse('invalid_type', `"${param}" must be ${expected}, not ${jsonTypeName(value)}.`, {
    param,
  });
}

export function invalidValue(param: string, message: string): Refusal {
  return refuse('invalid_value', message, { param });
}

export function missing(param: string, message: string): Refusal {
  return refuse('missing_required_parameter', message, { param });
}

/** A field whose name differs in nothing but case from one that matters. */
export function wrongCase(param: string): Refusal {
  return invalidValue(
    param,
    `Write the field name "${param}" in lower-case ASCII letters: some upstreams take the spelling that was sent for the same field.`,
  );
}
