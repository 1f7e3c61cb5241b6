import { redactSecrets } from '@weir/shared/redact-secrets';

/** Names the fields of a request that stay here. */
export const DROPPED_FIELDS_HEADER = 'x-weir-dropped-fields';

const FIELDS_LISTED_MAX = 32;
const FIELD_CHARACTERS_MAX = 64;
/** Characters that are removed from a field's name before it is put into a header. */
const UNUSUAL = /[^\w.[\]-]/gu;

/** Adds the header that lists the client's fields that the upstream does not get. */
export function addDroppedFields(
  headers: (readonly [string, string])[],
  fields: readonly string[],
): void {
  if (fields.length === 0) return;
  // A field can be withheld for two reasons.
  const names = [...new Set(fields)];
  const listed = names.slice(0, FIELDS_LISTED_MAX).map(escaped);
  if (names.length > FIELDS_LISTED_MAX) listed.push('...');
  headers.push([DROPPED_FIELDS_HEADER, listed.join(', ')]);
}

function escaped(field: string): string {
  const name = redactSecrets(field).slice(0, FIELD_CHARACTERS_MAX).toWellFormed();
  return name.replace(UNUSUAL, (letter) => encodeURIComponent(letter));
}
