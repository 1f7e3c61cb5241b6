type Json = Readonly<Record<string, unknown>>;

/**
 * A random value that is likely to be one of a schema's. A validator says whether it is: what two
 * keywords demand together is not looked at here.
 */
export function randomValue(schema: Json, root: Json, random: () => number, depth = 6): unknown {
  const pick = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] as Value;
  const of = (inner: unknown): unknown => randomValue(inner as Json, root, random, depth - 1);
  if (depth <= 0) return pick([null, 's', 1, {}]);
  if (typeof schema['$ref'] === 'string') {
    const name = schema['$ref'].split('/').at(-1) ?? '';
    const definitions = root['$defs'] as Json;
    return of(definitions[name.replaceAll('~1', '/').replaceAll('~0', '~')]);
  }
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return pick<unknown>(schema['enum']);
  const alternatives = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(alternatives)) return of(pick<unknown>(alternatives));
  if (Array.isArray(schema['allOf'])) {
    const parts = schema['allOf'].map(of);
    const isOfObjects =
      [schema['type']].includes('object') && parts.every((part) => part instanceof Object);
    if (!isOfObjects) return pick(parts);
    return Object.assign(objectOf(schema, random, of), ...(parts as object[]));
  }
  const { type } = schema;
  switch (
    Array.isArray(type) ? pick<unknown>(type) : (type ?? pick(['string', 'integer', 'null']))
  ) {
    case 'string':
      return pick(['', 's', 'ss', 'abc', 'sabc', '2026-11-28T00:00:00Z']);
    case 'integer':
      return pick([-1, 0, 1, 2, 5]);
    case 'number':
      return pick([-1, 0, 0.5, 3, 5]);
    case 'boolean':
      return random() < 0.5;
    case 'null':
      return null;
    case 'array': {
      const places = (schema['prefixItems'] ?? []) as unknown[];
      const length = Math.floor(random() * 4);
      return Array.from({ length }, (_, index) => of(places[index] ?? schema['items'] ?? {}));
    }
    default:
      return objectOf(schema, random, of);
  }
}

function objectOf(schema: Json, random: () => number, of: (inner: unknown) => unknown): object {
  const required = (schema['required'] ?? []) as string[];
  const entries = Object.entries((schema['properties'] ?? {}) as Json)
    .filter(([name]) => required.includes(name) || random() < 0.6)
    .map(([name, property]) => [name, of(property)]);
  if (random() < 0.2) entries.push(['other', random() < 0.5 ? 's' : 1]);
  return Object.fromEntries(entries) as object;
}
