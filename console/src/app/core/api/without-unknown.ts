import type { TSchema } from 'typebox';
import { Check } from 'typebox/schema';

/** The parts of JSON Schema in which the contracts of `shared/` nest other schemas. */
interface Nesting {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly additionalProperties?: unknown;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
}

/**
 * A copy without the members that a closed object of the schema does not know. TypeBox's `Clean`
 * does the same and brings its whole type engine into the first load.
 */
export function withoutUnknown(schema: TSchema, value: unknown): unknown {
  const nesting: Nesting = schema;
  if (nesting.anyOf !== undefined) return ofEither(nesting.anyOf, value);
  if (Array.isArray(value)) {
    const { items } = nesting;
    return items === undefined ? value : value.map((item) => withoutUnknown(items, item));
  }
  return typeof value === 'object' && value !== null ? ofObject(nesting, value) : value;
}

/** The first form that the value has without what that form does not know. */
function ofEither(forms: readonly TSchema[], value: unknown): unknown {
  for (const form of forms) {
    const known = withoutUnknown(form, value);
    if (Check(form, known)) return known;
  }
  return value;
}

function ofObject(nesting: Nesting, value: object): object {
  const { properties = {}, patternProperties = {}, additionalProperties } = nesting;
  const patterns = Object.entries(patternProperties);
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const schema = own ?? patterns.find(([pattern]) => new RegExp(pattern).test(name))?.[1];
    if (schema !== undefined) return [[name, withoutUnknown(schema, member)]];
    return additionalProperties === false ? [] : [[name, member]];
  });
  return Object.fromEntries(members);
}
