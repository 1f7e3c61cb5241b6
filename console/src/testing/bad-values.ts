import type { TSchema } from 'typebox';

/** A value that breaks one rule of a schema. */
export interface BadValue {
  readonly rule: string;
  readonly value: unknown;
}

type Rules = Readonly<Record<string, unknown>>;

function rulesOf(schema: TSchema): Rules {
  return { ...schema };
}

function numberIn(rules: Rules, name: string): number | undefined {
  const value = rules[name];
  return typeof value === 'number' ? value : undefined;
}

/** Returns the schema of an optional or nullable value when it is present. */
function innerSchema(schema: TSchema): TSchema {
  const { anyOf } = rulesOf(schema);
  if (!Array.isArray(anyOf)) return schema;
  const kinds: readonly TSchema[] = anyOf;
  return kinds.find((one) => rulesOf(one)['type'] !== 'null') ?? schema;
}

function badTexts(rules: Rules): BadValue[] {
  const least = numberIn(rules, 'minLength') ?? 0;
  const most = numberIn(rules, 'maxLength');
  return [
    ...(least > 1 ? [{ rule: 'minLength', value: 'x'.repeat(least - 1) }] : []),
    ...(most === undefined ? [] : [{ rule: 'maxLength', value: 'x'.repeat(most + 1) }]),
    // The pattern of names wants one character that is no space; a field of spaces counts as empty.
    ...(typeof rules['pattern'] === 'string' && rules['pattern'] !== '\\S'
      ? [{ rule: 'pattern', value: '¿ not like this ?' }]
      : []),
    ...(rules['format'] === undefined ? [] : [{ rule: 'format', value: 'not like this' }]),
  ];
}

function badNumbers(rules: Rules): BadValue[] {
  const [least, most] = [numberIn(rules, 'minimum'), numberIn(rules, 'maximum')];
  return [
    { rule: 'type', value: 'many' },
    ...(rules['type'] === 'integer' ? [{ rule: 'type', value: 1.5 }] : []),
    ...(least === undefined ? [] : [{ rule: 'minimum', value: least - 1 }]),
    ...(most === undefined ? [] : [{ rule: 'maximum', value: most + 1 }]),
  ];
}

const UUID = '01a1fe10-6b14-7a6c-8fe2-c2b57d2a1ebf';

/** An entry that any list of the API takes. */
function goodEntry(rules: Rules): string {
  return rules['format'] === 'uuid' ? UUID : '10';
}

function badLists(rules: Rules): BadValue[] {
  const most = numberIn(rules, 'maxItems');
  const entry = innerSchema(rules['items'] ?? {});
  const good = goodEntry(rulesOf(entry));
  return [
    ...(most === undefined
      ? []
      : [{ rule: 'maxItems', value: Array.from({ length: most + 1 }, () => good) }]),
    ...badValues(entry).map(({ rule, value }) => ({ rule, value: [value] })),
  ];
}

/**
 * Values that break the rules of a schema, one rule each. Choices are made from the schema's own
 * words.
 */
export function badValues(schema: TSchema): BadValue[] {
  const rules = rulesOf(innerSchema(schema));
  if (rules['enum'] !== undefined) return [];
  switch (rules['type']) {
    case 'string':
      return badTexts(rules);
    case 'integer':
    case 'number':
      return badNumbers(rules);
    case 'array':
      return badLists(rules);
    default:
      return [];
  }
}
