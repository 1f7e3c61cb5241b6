import {
  isJsonObject,
  type JsonObject,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { parsePath, type PatchPath, type PatchVerb } from './patch-path.ts';
import { patchList } from './patch-list.ts';
import { readValue } from './read-resource.ts';
import { fieldIn, type ResourceKind } from './schema.ts';
import { invalid } from './scim-error.ts';

const OPERATIONS_MAX = 1_000;

const VERBS: readonly string[] = ['add', 'replace', 'remove'];

/** Entra writes "Add" and "Replace". */
function verbOf(operation: JsonObject): PatchVerb {
  const verb = String(operation['op']).toLowerCase();
  if (!VERBS.includes(verb)) {
    throw invalid('invalidSyntax', 'The "op" of an operation is "add", "replace" or "remove".');
  }
  return verb as PatchVerb;
}

function operationsOf(body: unknown): readonly JsonObject[] {
  const operations = isJsonObject(body) ? fieldIn(body, 'operations')?.[1] : undefined;
  if (!Array.isArray(operations) || !operations.every(isJsonObject)) {
    throw invalid('invalidSyntax', 'A PATCH has the list "Operations".');
  }
  if (operations.length > OPERATIONS_MAX) {
    throw invalid('tooMany', `A PATCH has at most ${String(OPERATIONS_MAX)} operations.`);
  }
  return operations;
}

function memberOf(object: OwnJsonObject, name: string): OwnJsonObject {
  const known = object[name];
  const own: OwnJsonObject = isJsonObject(known) ? { ...known } : {};
  object[name] = own;
  return own;
}

function put(object: OwnJsonObject, name: string, value: unknown): void {
  if (value === undefined) Reflect.deleteProperty(object, name);
  else object[name] = value;
}

/** Changes an attribute that has one value. Parts of a complex one that are not named stay. */
function patchSingle(
  holder: OwnJsonObject,
  path: PatchPath,
  { verb, value }: { readonly verb: PatchVerb; readonly value: unknown },
): void {
  const { attribute, sub } = path;
  if (attribute === undefined) return;
  if (sub !== undefined) {
    const parts = memberOf(holder, attribute.name);
    put(parts, sub.name, verb === 'remove' ? undefined : readValue(sub, value));
    if (Object.keys(parts).length === 0) Reflect.deleteProperty(holder, attribute.name);
    return;
  }
  const read = verb === 'remove' ? undefined : readValue(attribute, value);
  // Parts that Weir does not have are ignored, and remove none of those that it has.
  if (read === undefined && verb !== 'remove' && isJsonObject(value)) return;
  if (isJsonObject(read)) Object.assign(memberOf(holder, attribute.name), read);
  else put(holder, attribute.name, read);
}

/** Applies operations to a resource as `readResource` returns it. */
class Patch {
  readonly #kind: ResourceKind;
  readonly resource: OwnJsonObject;

  constructor(kind: ResourceKind, resource: JsonObject) {
    this.#kind = kind;
    this.resource = { ...resource };
  }

  apply(operation: JsonObject): void {
    const verb = verbOf(operation);
    const { path, value } = operation;
    if (typeof path === 'string' && path.trim() !== '') {
      const read = parsePath(this.#kind, path);
      if (read?.attribute?.readOnly === true) {
        throw invalid('mutability', `"${path}" is set by this service alone.`);
      }
      if (read !== undefined) this.#at(read, verb, value);
      return;
    }
    if (verb === 'remove') throw invalid('noTarget', 'A "remove" names what to remove in "path".');
    if (!isJsonObject(value)) {
      throw invalid('invalidValue', 'An operation without "path" has an object as its "value".');
    }
    this.#each(value, verb, '');
  }

  /** Without a path, the names in the value are paths: Entra writes "name.givenName" so. */
  #each(value: JsonObject, verb: PatchVerb, urn: string): void {
    for (const [name, one] of Object.entries(value)) {
      const path = parsePath(this.#kind, urn + name);
      // Okta sends the id of a group with its new name.
      if (path === undefined || path.attribute?.readOnly === true) continue;
      this.#at(path, verb, one);
    }
  }

  #at(path: PatchPath, verb: PatchVerb, value: unknown): void {
    const { attribute, names } = path;
    const { extension } = this.#kind;
    const urn = extension !== undefined && names[0] === extension.id ? extension.id : undefined;
    if (attribute === undefined) {
      this.#extension(urn ?? '', verb, value);
      return;
    }
    const holder = urn === undefined ? this.resource : memberOf(this.resource, urn);
    if (attribute.multiValued === true) {
      put(holder, attribute.name, patchList(holder[attribute.name], path, { verb, value }));
    } else patchSingle(holder, path, { verb, value });
    if (urn !== undefined && Object.keys(holder).length === 0)
      Reflect.deleteProperty(this.resource, urn);
  }

  #extension(urn: string, verb: PatchVerb, value: unknown): void {
    if (verb === 'remove') Reflect.deleteProperty(this.resource, urn);
    else if (isJsonObject(value)) this.#each(value, verb, `${urn}:`);
    else throw invalid('invalidValue', `"${urn}" is not an object.`);
  }
}

/**
 * Returns a resource after a PATCH. Attributes that Weir does not have are ignored, because one of
 * them must not keep the others from being changed.
 */
export function applyPatch(kind: ResourceKind, resource: JsonObject, body: unknown): JsonObject {
  const patch = new Patch(kind, resource);
  for (const operation of operationsOf(body)) patch.apply(operation);
  return patch.resource;
}
