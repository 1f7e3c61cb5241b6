import { isRefusal, type Refusal } from '../../platform/errors/refusal.ts';
import { readObject, type ReadObject } from '../../platform/json/read-object.ts';
import type { FieldCheck } from '../fields/field-checks.ts';
import { wrongCase } from '../fields/field-faults.ts';
import { caseVariantOf, refuseEscapedNames } from '../fields/field-names.ts';
import type { RequestLimits } from '../protocol.ts';
import { WITHHELD_FIELDS } from './withheld-fields.ts';

/** The rules that a request's fields must meet. */
export interface FieldRules {
  readonly checks: ReadonlyMap<string, FieldCheck>;
  /** Fields that must not reach an upstream in another spelling. */
  readonly guarded: ReadonlySet<string>;
}

export function fieldRules(checks: readonly (readonly [string, FieldCheck])[]): FieldRules {
  const names = checks.map(([name]) => name);
  return { checks: new Map(checks), guarded: new Set([...names, ...WITHHELD_FIELDS]) };
}

const NO_FIELDS: readonly never[] = [];

/**
 * Checks the fields that Weir acts on, and returns the names of those sent that must not reach an
 * upstream. The rest is left to the upstream: clients add fields monthly, and a field that is only
 * passed on cannot be wrong here. Null stands for absent, as in the published schema.
 */
export function checkFields(
  { value: body, keys }: Pick<ReadObject, 'value' | 'keys'>,
  { checks, guarded }: FieldRules,
  limits: RequestLimits,
): readonly string[] | Refusal {
  let withheld: string[] | undefined;
  for (const key of keys) {
    const value = body[key];
    const check = checks.get(key);
    let fault: Refusal | undefined;
    if (check !== undefined) fault = value === null ? undefined : check(key, value, limits);
    else if (WITHHELD_FIELDS.has(key)) (withheld ??= []).push(key);
    else {
      const field = caseVariantOf(key, guarded);
      fault = field === undefined ? undefined : wrongCase(field);
    }
    if (fault !== undefined) return fault;
  }
  return withheld ?? NO_FIELDS;
}

/** A request's fields, checked, and the names of those that must not reach an upstream. */
interface ReadFields extends ReadObject {
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
