import type { Refusal } from '../../platform/errors/refusal.ts';
import type { ReadObject } from '../../platform/json/read-object.ts';
import { findMember } from '../../platform/json/scan-members.ts';
import { invalidValue } from './field-faults.ts';

/**
 * Ordinary clients write field names in lower-case ASCII; of other names the spelling is looked at.
 */
const UNUSUAL_LETTER = /[A-Z\u0080-\uffff]/;

/**
 * The field, of those named, for which some upstream would take this key though it is written
 * otherwise. JSON decoders of Go, and others with it, compare names without regard to case, for
 * which "ſ" is an s and the Kelvin sign a k, and the last of such keys wins: what was checked and
 * held for here would not be what is served there.
 * @param fields in lower case
 */
export function caseVariantOf(key: string, fields: ReadonlySet<string>): string | undefined {
  if (!UNUSUAL_LETTER.test(key)) return undefined;
  // Upper case first: only it makes an s of "ſ". The dot is what "İ" leaves behind.
  const name = key.toUpperCase().toLowerCase().replaceAll('\u0307', '');
  return fields.has(name) ? name : undefined;
}

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
