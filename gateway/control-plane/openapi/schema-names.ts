import type { TSchema } from 'typebox';
import { ADMIN_SCHEMAS } from '@weir/shared/api/admin-schemas';

const NAMES = new Map<unknown, string>(
  Object.entries(ADMIN_SCHEMAS).map(([name, schema]) => [schema, name]),
);

/**
 * The name of a schema in the OpenAPI document; `undefined` for one that is written out in place.
 */
export function schemaName(schema: unknown): string | undefined {
  return NAMES.get(schema);
}

/**
 * The name of a route's schema. Throws for one without: clients generate their types by these
 * names.
 */
export function routeSchemaName(schema: TSchema): string {
  const name = schemaName(schema);
  if (name === undefined) throw new Error('A schema of a route is missing in ADMIN_SCHEMAS.');
  return name;
}
