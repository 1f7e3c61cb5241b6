import type { Refusal } from '../../platform/errors/refusal.ts';
import type { ReadObject } from '../../platform/json/read-object.ts';
import { findMember } from '../../platform/json/scan-members.ts';
import { invalidValue } from './field-faults.ts';

/**
 * Refuses a key such as "mod\u0065l": it parses to a field that could then not be replaced in the
 * bytes.
 * @param replaced names of fields that Weir may replace or withhold
 */
export function refuseEscapedNames(
  { bytes, members, keys }: ReadObject,
  replaced: ReadonlySet<string>,
): Refusal | undefined {
  for (const name of keys) {
    if (replaced.has(name) && findMember(bytes, members, name) === -1) {
      return invalidValue(name, `Write the field name "${name}" without escape sequences.`);
    }
  }
  return undefined;
}
