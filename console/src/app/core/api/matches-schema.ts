import type { Static, TSchema } from 'typebox';
import { IsDate, IsDateTime, IsEmail, IsUuid } from 'typebox/format';

type Matches = (value: unknown) => boolean;

/** The keywords of JSON Schema that the contracts of `shared/` use. */
interface Keywords {
  readonly additionalProperties: boolean | TSchema;
  readonly anyOf: readonly TSchema[];
  readonly const: unknown;
  readonly enum: readonly unknown[];
  readonly format: string;
  readonly items: TSchema;
  readonly maximum: number;
  readonly maxItems: number;
  readonly maxLength: number;
  readonly minimum: number;
  readonly minItems: number;
  readonly minLength: number;
  readonly minProperties: number;
  readonly pattern: string;
  readonly patternProperties: Readonly<Record<string, TSchema>>;
  readonly properties: Readonly<Record<string, TSchema>>;
  readonly required: readonly string[];
  readonly type: string;
  readonly uniqueItems: boolean;
}

type Members = Readonly<Record<string, unknown>>;

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const TYPES: Readonly<Record<string, Matches>> = {
  array: Array.isArray,
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  null: (value) => value === null,
  number: Number.isFinite,
  object: isMembers,
  string: (value) => typeof value === 'string',
};

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: IsDate,
  'date-time': IsDateTime,
  email: IsEmail,
  uuid: IsUuid,
};

function codePoints(text: string): number {
  return Array.from(text).length;
}

function ifText(matches: (text: string) => boolean): Matches {
  return (value) => typeof value !== 'string' || matches(value);
}

function ifNumber(matches: (number: number) => boolean): Matches {
  return (value) => typeof value !== 'number' || matches(value);
}

function ifList(matches: (list: readonly unknown[]) => boolean): Matches {
  return (value) => !Array.isArray(value) || matches(value);
}

function ifMembers(matches: (members: Members) => boolean): Matches {
  return (value) => !isMembers(value) || matches(value);
}

/** Checks members that `properties` does not list, by the pattern of their names or the rest's. */
function othersMatch(schema: Partial<Keywords>, rest: TSchema | undefined): Matches {
  const known = schema.properties ?? {};
  const patterns = Object.entries(schema.patternProperties ?? {}).map(([pattern, one]) => {
    return { pattern: new RegExp(pattern, 'u'), matches: matcherOf(one) };
  });
  const restMatches = rest === undefined ? () => true : matcherOf(rest);
  return ifMembers((members) =>
    Object.entries(members).every(([name, member]) => {
      if (Object.hasOwn(known, name)) return true;
      const { matches } = patterns.find(({ pattern }) => pattern.test(name)) ?? {
        matches: restMatches,
      };
      return matches(member);
    }),
  );
}

const KEYWORDS: {
  readonly [Name in keyof Keywords]: (limit: Keywords[Name], schema: Partial<Keywords>) => Matches;
} = {
  // A closed object is open here: a server that was updated first may send more.
  additionalProperties: (rest, schema) =>
    typeof rest === 'boolean' ? () => true : othersMatch(schema, rest),
  anyOf: (schemas) => {
    const all = schemas.map(matcherOf);
    return (value) => all.some((matches) => matches(value));
  },
  const: (wanted) => (value) => value === wanted,
  enum: (values) => {
    const known = new Set(values);
    return (value) => known.has(value);
  },
  format: (format) => ifText(FORMATS[format] ?? unknownKeyword(format)),
  items: (schema) => {
    const matches = matcherOf(schema);
    return ifList((list) => list.every((item) => matches(item)));
  },
  maximum: (limit) => ifNumber((number) => number <= limit),
  maxItems: (limit) => ifList((list) => list.length <= limit),
  // Lengths are code points, of which each is one or two units of a text.
  maxLength: (limit) => ifText((text) => text.length <= limit || codePoints(text) <= limit),
  minimum: (limit) => ifNumber((number) => number >= limit),
  minItems: (limit) => ifList((list) => list.length >= limit),
  minLength: (limit) => ifText((text) => text.length >= 2 * limit || codePoints(text) >= limit),
  minProperties: (limit, { properties = {} }) =>
    ifMembers(
      (members) =>
        Object.keys(properties).filter((name) => Object.hasOwn(members, name)).length >= limit,
    ),
  pattern: (pattern) => {
    const expression = new RegExp(pattern, 'u');
    return ifText((text) => expression.test(text));
  },
  patternProperties: (_patterns, schema) => othersMatch(schema, undefined),
  properties: (properties) => {
    const all = Object.entries(properties).map(
      ([name, schema]) => [name, matcherOf(schema)] as const,
    );
    return ifMembers((members) =>
      all.every(([name, matches]) => members[name] === undefined || matches(members[name])),
    );
  },
  required: (names) => ifMembers((members) => names.every((name) => members[name] !== undefined)),
  type: (name) => TYPES[name] ?? unknownKeyword(name),
  uniqueItems: () =>
    ifList((list) => new Set(list.map((item) => JSON.stringify(item))).size === list.length),
};

/** Keywords that only say something to people. */
const NOTES = ['default', 'description', 'writeOnly', 'x-text'];

function unknownKeyword(name: string): never {
  throw new Error(`Schemas of replies may not use ${name}, which matches-schema.ts does not know.`);
}

function isKeyword(name: string): name is keyof Keywords {
  return Object.hasOwn(KEYWORDS, name);
}

/** The parameter ties a keyword's limit to its entry of the table. */
function ruleOf<Name extends keyof Keywords>(
  name: Name,
  schema: Pick<Partial<Keywords>, Name>,
): Matches[] {
  const limit = schema[name];
  return limit === undefined ? [] : [KEYWORDS[name](limit, schema)];
}

const matchers = new WeakMap<TSchema, Matches>();

function matcherOf(schema: TSchema): Matches {
  const known = matchers.get(schema);
  if (known !== undefined) return known;
  const rules = Object.keys(schema)
    .filter((name) => !NOTES.includes(name))
    .flatMap((name) => (isKeyword(name) ? ruleOf(name, schema) : unknownKeyword(name)));
  const matches: Matches = (value) => rules.every((rule) => rule(value));
  matchers.set(schema, matches);
  return matches;
}

/**
 * Reports whether a reply has the form that the console reads. A server that was updated first may
 * send more; unknown members are ignored. TypeBox interprets a schema with each value, which took a
 * third of a second for a long list, and its compiler builds functions from text, which the content
 * security policy forbids.
 */
export function matchesSchema<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
): value is Static<Schema> {
  return matcherOf(schema)(value);
}
