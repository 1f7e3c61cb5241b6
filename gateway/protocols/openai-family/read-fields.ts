import { isRefusal, type Refusal } from '../../platform/errors/refusal.ts';
import { readObject, type ReadObject } from '../../platform/json/read-object.ts';
import { refuseEscapedNames } from '../fields/escaped-names.ts';
import type { RequestLimits } from '../protocol.ts';
import { checkFields, type FieldRules } from './check-fields.ts';

/** A request's fields, checked, and the names of those that must not reach an upstream. */
export interface ReadFields extends ReadObject {
  readonly withheldFields: readonly string[];
}

/**
 * Reads the JSON body of a request and checks its fields.
 * @param rules what the fields must meet
 * @param replaced names of fields that Weir may replace or withhold
 */
export function readFields(
  body: Buffer,
  { rules, replaced }: { readonly rules: FieldRules; readonly replaced: ReadonlySet<string> },
  limits: RequestLimits,
): ReadFields | Refusal {
  const read = readObject(body, limits.jsonDepthMax);
  if (isRefusal(read)) return read;
  const withheldFields = checkFields(read, rules, limits);
  if (isRefusal(withheldFields)) return withheldFields;
  return refuseEscapedNames(read, replaced) ?? { ...read, withheldFields };
}
