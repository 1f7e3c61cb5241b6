/** Makes the input that a model would write for a tool, from the schema that it is shown. */

type Json = Readonly<Record<string, unknown>>;

const DEPTH_MAX = 40;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function resolve(reference: unknown, root: Json): unknown {
  const path = String(reference).split('/').slice(1);
  return path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), root);
}

/** A value that the schema accepts, as small as its required properties allow. */
export function sampleInput(schema: unknown, root: Json, depth = 0): unknown {
  if (!isObject(schema) || depth > DEPTH_MAX) return 'weir';
  const inside = (part: unknown): unknown => sampleInput(part, root, depth + 1);
  const own = '$ref' in schema ? inside(resolve(schema['$ref'], root)) : ownSample(schema, inside);
  const [alternative] = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])];
  const others = [...listOf(schema['allOf']), ...(alternative === undefined ? [] : [alternative])];
  const samples = [own, ...others.map(inside)].filter((sample) => sample !== undefined);
  if (samples.length > 0 && samples.every(isObject)) return Object.assign({}, ...samples) as Json;
  return samples.length === 0 ? 'weir' : samples.at(-1);
}

/** The sample by the schema's own keywords; undefined if it has none that matter. */
function ownSample(schema: Json, inside: (part: unknown) => unknown): unknown {
  if ('const' in schema) return schema['const'];
  const value = listOf(schema['enum']).find((one) => one !== null);
  if (value !== undefined) return value;
  switch (typeOf(schema)) {
    case 'object':
      return objectSample(schema, inside);
    case 'array':
      return arraySample(schema);
    case 'integer':
    case 'number':
      return 2;
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'string':
      return textSample(schema);
    default:
      return undefined;
  }
}

/** Gemini writes types in capitals. */
function typeOf({ type, properties }: Json): string {
  const words = (Array.isArray(type) ? type : [type]).map((word) => String(word).toLowerCase());
  const word = words.find((one) => one !== 'null') ?? 'null';
  return word === 'undefined' && properties !== undefined ? 'object' : word;
}

/** The schema of an object that is too deep for the target, which has it in words. */
const IN_WORDS = /Matches the JSON schema (\{.*\})\./s;

function objectSample(shown: Json, inside: (part: unknown) => unknown): Json {
  const [, words] = IN_WORDS.exec(String(shown['description'])) ?? [];
  const schema = words === undefined ? shown : (JSON.parse(words) as Json);
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = listOf(schema['required']).map(String);
  // Alternatives that have become one object require none: a model reads which belong together.
  const names = required.length > 0 ? required : Object.keys(properties);
  return Object.fromEntries(names.map((name) => [name, inside(properties[name])]));
}

/** A target without the format has it in words. */
function textSample({ format, description }: Json): string {
  return format === 'uri' || String(description).includes('uri') ? 'https://weir.example/' : 'weir';
}

/** Two texts, if the items may be texts. */
function arraySample({ items }: Json): readonly string[] {
  return isObject(items) && typeOf(items) === 'string' ? ['weir', 'pond'] : [];
}
