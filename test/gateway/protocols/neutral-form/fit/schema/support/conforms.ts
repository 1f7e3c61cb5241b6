import type { SchemaRules } from '../../../../../../../gateway/protocols/target-profile.ts';

type Json = Readonly<Record<string, unknown>>;

const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const ONES = [
  'items',
  'additionalProperties',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
];

/** Lists what in a schema is against the rules, with its path; shares no code with the fit. */
export function faultsOf(schema: unknown, rules: SchemaRules): readonly string[] {
  const faults: string[] = [];
  const root = schema as Json;
  checkRoot(root, rules, faults);
  const visit = (node: unknown, at: string): void => {
    if (typeof node !== 'object' || node === null || Array.isArray(node)) {
      faults.push(`${at}: not an object`);
      return;
    }
    const one = node as Json;
    const fault = (text: string): unknown => faults.push(`${at}: ${text}`);
    checkKeywords(one, rules, fault);
    checkTypes(one, rules, fault);
    checkObject(one, rules, fault);
    checkReference(one, root, rules, fault);
    for (const [keyword, value] of Object.entries(one)) visitInside(keyword, value, at);
  };
  const visitInside = (keyword: string, value: unknown, at: string): void => {
    const below = `${at}/${keyword}`;
    if (MAPS.includes(keyword)) {
      for (const [name, one] of Object.entries(value as Json)) visit(one, `${below}/${name}`);
    } else if (LISTS.includes(keyword)) {
      if (!Array.isArray(value) || value.length === 0) faults.push(`${below}: no list`);
      else value.forEach((one, index) => visit(one, `${below}/${index}`));
    } else if (ONES.includes(keyword) && typeof value !== 'boolean') {
      visit(value, below);
    }
  };
  visit(root, '#');
  return faults;
}

function checkRoot(root: Json, rules: SchemaRules, faults: string[]): void {
  if (rules.rootAlternatives) return;
  if (root['type'] !== 'object') faults.push('#: type is not object');
  if (typeof root['properties'] !== 'object') faults.push('#: no properties');
  for (const keyword of ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', '$ref']) {
    if (keyword in root) faults.push(`#: ${keyword} at the root`);
  }
}

type Fault = (text: string) => unknown;

function checkKeywords(schema: Json, rules: SchemaRules, fault: Fault): void {
  for (const [keyword, value] of Object.entries(schema)) {
    const isKnown = rules.keywords?.has(keyword) ?? rules.refused?.has(keyword) !== true;
    if (!isKnown) fault(`keyword ${keyword}`);
    if (keyword === 'format' && rules.formats?.has(value as string) === false) {
      fault(`format ${String(value)}`);
    }
    if (keyword === 'pattern' && !rules.lookaround && /\(\?[=!<]/.test(value as string)) {
      fault('lookaround');
    }
    if (keyword === 'minItems' && (value as number) > rules.minItemsMax) fault('minItems');
    if (keyword === 'oneOf' && rules.oneOf !== 'accepted') fault('oneOf');
    if (keyword === 'const' && rules.constant !== 'accepted') fault('const');
    if (keyword.startsWith('exclusive') && typeof value !== 'number') fault(keyword);
  }
}

function checkTypes(schema: Json, rules: SchemaRules, fault: Fault): void {
  const { type, anyOf, enum: values } = schema;
  if (Array.isArray(type) && rules.typeLists !== 'accepted') fault('list of types');
  if (rules.typeLists === 'nullable' && type === 'null') fault('type null');
  const types: unknown[] = Array.isArray(type) ? type : [type];
  if (types.includes('array') && typeof schema['items'] !== 'object') fault('no items');
  if (rules.typesRequired && type === undefined && !('anyOf' in schema) && !('$ref' in schema)) {
    fault('no type');
  }
  if (anyOf !== undefined && rules.besideAnyOf === 'into_branches' && type !== undefined) {
    fault('type next to anyOf');
  }
  if (Array.isArray(values) && rules.enumValues !== 'any') {
    const taken = rules.enumValues === 'strings' ? ['string'] : ['string', 'number'];
    if (!values.every((value) => taken.includes(typeof value))) fault('values of enum');
  }
}

function checkObject(schema: Json, rules: SchemaRules, fault: Fault): void {
  const { type, properties, required, additionalProperties } = schema;
  const isObject = Array.isArray(type) ? type.includes('object') : type === 'object';
  if (rules.closedObjects && isObject && additionalProperties !== false) fault('open object');
  const names = Object.keys(properties ?? {});
  const asked = (required ?? []) as readonly string[];
  if (rules.allRequired && isObject && names.some((name) => !asked.includes(name))) {
    fault('optional property');
  }
  if (!rules.undeclaredRequired && asked.some((name) => !names.includes(name))) {
    fault('undeclared required');
  }
}

function checkReference(schema: Json, root: Json, rules: SchemaRules, fault: Fault): void {
  const { $ref: ref } = schema;
  if (ref === undefined) return;
  if (typeof ref !== 'string') {
    fault('$ref is no text');
    return;
  }
  if (rules.refs === 'inline') fault('$ref');
  const others = Object.keys(schema).filter((one) => one !== '$ref' && one !== '$defs');
  if (rules.refSiblings !== 'accepted' && others.length > 0) fault('siblings of $ref');
  const name = /^#\/(\$defs|definitions)\/(.+)$/.exec(ref);
  const definitions = (root[name?.[1] ?? ''] ?? {}) as Json;
  const known = (name?.[2] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
  if (ref !== '#' && !Object.hasOwn(definitions, known)) fault(`$ref to ${ref}`);
}
