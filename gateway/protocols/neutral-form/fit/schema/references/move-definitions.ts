import {
  isJsonObject,
  type JsonObject,
  type OwnJsonObject,
} from '../../../../../platform/json/json-value.ts';
import { DEFINITIONS, mapSubschemas, membersOf, someSubschema, without } from '../keywords.ts';

/**
 * Returns a schema whose every `$ref` is `#` or names a definition at the top of the schema, as
 * vendors ask for. Generators also write references into properties (`#/properties/from`), and
 * put `$defs` into the property that uses them; such targets become definitions at the top. A
 * reference to what is not in the schema is left out.
 *
 * @param keepsOldName leaves `definitions`, the name of earlier drafts, as it is
 */
export function moveDefinitions(root: JsonObject, keepsOldName: boolean): JsonObject {
  if (!isConcerned(root, keepsOldName)) return root;
  return new Mover(root, keepsOldName).move();
}

/** Reports whether a reference or a definition has to be moved. */
function isConcerned(root: JsonObject, keepsOldName: boolean): boolean {
  const isMisplaced = (schema: JsonObject): boolean => {
    for (const keyword in schema) {
      const value = schema[keyword];
      if (keyword === '$ref' && !isTopReference(value, root)) return true;
      if (schema !== root && isDefinitions(keyword)) return true;
      if (someSubschema(keyword, value, isMisplaced)) return true;
    }
    return false;
  };
  return (!keepsOldName && Object.hasOwn(root, 'definitions')) || isMisplaced(root);
}

function isDefinitions(keyword: string): boolean {
  return keyword === '$defs' || keyword === 'definitions';
}

/** Reports whether a reference is `#` or names a definition at the top. */
function isTopReference(ref: unknown, root: JsonObject): boolean {
  return ref === '#' || definitionOf(ref, root) !== undefined;
}

/** The definition at the top of a schema that a reference names; undefined when there is none. */
export function definitionOf(ref: unknown, root: JsonObject): JsonObject | undefined {
  const path = pathOf(ref);
  if (path?.length !== 2) return undefined;
  const [keyword = '', name = ''] = path;
  if (!isDefinitions(keyword)) return undefined;
  const definitions = membersOf(root, keyword);
  const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  return isJsonObject(definition) ? definition : undefined;
}

/** The segments of a reference inside the schema; null of any other reference. */
function pathOf(ref: unknown): readonly string[] | null {
  if (typeof ref !== 'string' || !ref.startsWith('#')) return null;
  if (ref === '#' || ref === '#/') return [];
  if (!ref.startsWith('#/')) return null;
  return ref
    .slice(2)
    .split('/')
    .map((segment) => decoded(segment).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export function referenceTo(name: string): string {
  return `#/$defs/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The schemas around a place that have definitions, the innermost last. */
type Scopes = readonly JsonObject[];

class Mover {
  readonly #root: JsonObject;
  readonly #keepsOldName: boolean;
  readonly #names = new Map<JsonObject, string>();
  readonly #waiting: { readonly schema: JsonObject; readonly scopes: Scopes }[] = [];
  readonly #taken: Set<string>;

  constructor(root: JsonObject, keepsOldName: boolean) {
    this.#root = root;
    this.#keepsOldName = keepsOldName;
    this.#taken = new Set(DEFINITIONS.flatMap((keyword) => Object.keys(membersOf(root, keyword))));
  }

  move(): JsonObject {
    const root = this.#root;
    const old = this.#keepsOldName ? {} : membersOf(root, 'definitions');
    const kept = membersOf(root, '$defs');
    for (const [name, schema] of Object.entries(old)) {
      if (isJsonObject(schema)) this.#name(schema, name, Object.hasOwn(kept, name));
    }
    const schema = this.#relocate(this.#keepsOldName ? root : without(root, ['definitions']), [
      root,
    ]);
    const moved: [string, JsonObject][] = [];
    // What is moved may refer to more that has to be moved.
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const name = this.#names.get(next.schema) ?? '';
      moved.push([name, this.#relocate(without(next.schema, DEFINITIONS), next.scopes)]);
    }
    if (moved.length === 0) return schema;
    const definitions = Object.fromEntries([
      ...Object.entries(membersOf(schema, '$defs')),
      ...moved,
    ]);
    return { ...schema, $defs: definitions };
  }

  #relocate(schema: JsonObject, scopes: Scopes): JsonObject {
    const own = DEFINITIONS.some((keyword) => Object.hasOwn(schema, keyword));
    const inner = own ? [...scopes, schema] : scopes;
    const relocated = mapSubschemas(schema, (subschema, keyword) => {
      const around = DEFINITIONS.some((one) => Object.hasOwn(subschema, one))
        ? [...inner, subschema]
        : inner;
      const isUseless = isDefinitions(keyword) && schema !== this.#root && !this.#isRoot(schema);
      if (isUseless) return subschema;
      return without(this.#relocate(subschema, around), DEFINITIONS);
    });
    return Object.hasOwn(relocated, '$ref') ? this.#withReference(relocated, scopes) : relocated;
  }

  #isRoot(schema: JsonObject): boolean {
    return schema['$defs'] !== undefined && schema['$defs'] === this.#root['$defs'];
  }

  #withReference(schema: JsonObject, scopes: Scopes): JsonObject {
    const ref = schema['$ref'];
    const moved = this.#movedReference(ref, scopes);
    if (moved === ref) return schema;
    if (moved !== null) return { ...schema, $ref: moved };
    return without(schema, ['$ref']);
  }

  #movedReference(ref: unknown, scopes: Scopes): string | null {
    const path = pathOf(ref);
    if (path === null) return null;
    if (path.length === 0) return '#';
    const atTop = definitionOf(ref, this.#root);
    const isKept = atTop !== undefined && (this.#keepsOldName || path[0] === '$defs');
    if (isKept && typeof ref === 'string') return ref;
    // Nearest first: a schema that was put whole into another refers to its own definitions.
    for (const scope of [this.#root, ...scopes.toReversed()]) {
      const target = targetIn(scope, path);
      if (target === this.#root) return '#';
      if (target !== undefined) return referenceTo(this.#name(target, path.at(-1) ?? '', true));
    }
    return null;
  }

  /** The name under which a schema becomes a definition at the top. */
  #name(schema: JsonObject, wanted: string, mustBeNew: boolean): string {
    const known = this.#names.get(schema);
    if (known !== undefined) return known;
    let name = wanted;
    for (let number = 2; mustBeNew && this.#taken.has(name); number += 1) {
      name = `${wanted}_${number}`;
    }
    this.#taken.add(name);
    this.#names.set(schema, name);
    this.#waiting.push({ schema, scopes: [this.#root, schema] });
    return name;
  }
}

function targetIn(scope: JsonObject, path: readonly string[]): JsonObject | undefined {
  let value: unknown = scope;
  for (const segment of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) {
      return undefined;
    }
    value = (value as OwnJsonObject)[segment];
  }
  return isJsonObject(value) ? value : undefined;
}
