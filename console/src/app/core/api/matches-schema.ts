import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { withoutUnknown } from './without-unknown';

/**
 * Reports whether a reply has the form that the console reads. A server that was updated first may
 * send more; unknown members are ignored. `Check` interprets the schema; TypeBox's compiler is
 * faster but builds functions from text, which the content security policy forbids.
 */
export function matchesSchema<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
): value is Static<Schema> {
  return Check(schema, value) || Check(schema, withoutUnknown(schema, value));
}
