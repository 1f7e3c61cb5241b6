import type { Refusal } from '../../../platform/errors/refusal.ts';
import type { JsonObject } from '../../../platform/json/json-value.ts';
import { invalidValue } from '../../fields/field-faults.ts';
import type { GuardedFields } from '../fields.ts';

/**
 * Refuses names that another decoder than ours would read otherwise. `path` is '' or ends in a dot.
 */
export function checkNames(
  object: JsonObject,
  guarded: GuardedFields,
  path: string,
): Refusal | undefined {
  for (const key in object) {
    const field = guarded.variantOf(key);
    if (field !== undefined) {
      return invalidValue(
        path + field,
        `Write the field name "${path}${field}" exactly so: some upstreams take the spelling that was sent for the same field.`,
      );
    }
  }
  const twice = guarded.twiceIn(object);
  return twice === undefined
    ? undefined
    : invalidValue(
        path + twice,
        `The body contains the field "${path}${twice}" twice, in camel case and in snake case. Send it once.`,
      );
}
