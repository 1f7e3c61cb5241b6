import type { Static, TSchema } from 'typebox';
import { Check, Clean, Clone } from 'typebox/value';

/**
 * Reports whether a reply has the form that the console reads. A server that was updated first may
 * send more; unknown members are ignored. `Check` interprets the schema; TypeBox's compiler is
 * faster but builds functions from text, which the content security policy forbids.
 */
export function matchesSchema<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
): value is Static<Schema> {
  return Check(schema, value) || Check(schema, Clean(schema, Clone(value)));
}
