import { isJsonObject, type JsonObject } from '../../../../platform/json/json-value.ts';

/** Characters of a value that a description quotes; a longer value is left out. */
const QUOTED_CHARACTERS_MAX = 500;

/**
 * Says in words what keywords of a schema demand that the target does not accept as keywords.
 * Keywords that demand nothing of a value are not mentioned.
 */
export function describeKeywords(keywords: JsonObject): readonly string[] {
  const sentences: string[] = [];
  for (const [keyword, value] of Object.entries(keywords)) {
    const sentence = Object.hasOwn(SENTENCES, keyword) ? SENTENCES[keyword]?.(value) : undefined;
    if (sentence !== undefined) sentences.push(sentence);
  }
  const condition = describeCondition(keywords);
  return condition === undefined ? sentences : [...sentences, condition];
}

/** Says in words what a schema demands whose target takes no levels as deep as its own. */
export function describeContent({ description: _words, ...schema }: JsonObject): readonly string[] {
  const sentence = quoted('Matches the JSON schema', schema);
  return sentence === undefined ? [] : [sentence];
}

/** Returns a schema with sentences behind its description. */
export function withSentences(schema: JsonObject, sentences: readonly string[]): JsonObject {
  if (sentences.length === 0) return schema;
  const { description } = schema;
  const own = typeof description === 'string' && description !== '' ? [description] : [];
  return { ...schema, description: [...own, sentences.join(' ')].join('\n') };
}

const SENTENCES: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  additionalProperties: (value) =>
    isJsonObject(value) && Object.keys(value).length > 0
      ? quoted('Other properties match', value)
      : undefined,
  const: (value) => quoted('Must be', value),
  contains: (value) => quoted('Has an item that matches', value),
  contentEncoding: (value) => `Encoded as ${String(value)}.`,
  contentMediaType: (value) => `Has the media type ${String(value)}.`,
  default: (value) => quoted('Default:', value),
  dependentRequired: (value) => {
    if (!isJsonObject(value)) return undefined;
    return Object.entries(value)
      .map(([name, needed]) => `"${name}" needs ${namesOf(needed)}.`)
      .join(' ');
  },
  dependentSchemas: (value) => quoted('With these properties, the object matches', value),
  enum: (value) => quoted('Must be one of', value),
  examples: (value) => quoted('Examples:', value),
  exclusiveMaximum: (value) => `Must be less than ${String(value)}.`,
  exclusiveMinimum: (value) => `Must be more than ${String(value)}.`,
  format: (value) => `Has the format ${String(value)}.`,
  maximum: (value) => `Must be at most ${String(value)}.`,
  maxItems: (value) => `Has at most ${counted(value, 'item')}.`,
  maxLength: (value) => `Has at most ${counted(value, 'character')}.`,
  maxProperties: (value) => `Has at most ${counted(value, 'property')}.`,
  minimum: (value) => `Must be at least ${String(value)}.`,
  minItems: (value) => (value === 0 ? undefined : `Has at least ${counted(value, 'item')}.`),
  minLength: (value) => (value === 0 ? undefined : `Has at least ${counted(value, 'character')}.`),
  minProperties: (value) =>
    value === 0 ? undefined : `Has at least ${counted(value, 'property')}.`,
  multipleOf: (value) => `Must be a multiple of ${String(value)}.`,
  not: (value) => quoted('Must not match', value),
  pattern: (value) => `Must match the regular expression ${String(value)}`,
  patternProperties: (value) => quoted('Properties by patterns of their names:', value),
  prefixItems: (value) => quoted('The first items match, in this order,', value),
  propertyNames: (value) => quoted('Names of properties match', value),
  uniqueItems: (value) => (value === true ? 'All items differ.' : undefined),
};

function quoted(words: string, value: unknown): string | undefined {
  const text = JSON.stringify(value);
  return text.length > QUOTED_CHARACTERS_MAX ? undefined : `${words} ${text}.`;
}

function counted(value: unknown, noun: string): string {
  if (value === 1) return `1 ${noun}`;
  return `${String(value)} ${noun === 'property' ? 'properties' : `${noun}s`}`;
}

function namesOf(names: unknown): string {
  return Array.isArray(names) ? names.map((name) => `"${String(name)}"`).join(' and ') : '';
}

function describeCondition({
  if: condition,
  then,
  else: otherwise,
}: JsonObject): string | undefined {
  if (condition === undefined || (then === undefined && otherwise === undefined)) return undefined;
  return quoted('Depends on a condition:', { if: condition, then, else: otherwise });
}

/**
 * Says which properties each of several alternatives requires; undefined when they do not differ.
 */
export function describeAlternatives(
  branches: readonly (readonly unknown[])[],
): string | undefined {
  const sets = [...new Set(branches.map((names) => namesOf(names)))];
  if (sets.length < 2 || sets.includes('')) return undefined;
  const text = `Give the properties of one of these: ${sets.join('; or ')}.`;
  return text.length > QUOTED_CHARACTERS_MAX ? undefined : text;
}
