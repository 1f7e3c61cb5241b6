import type { FastifySchemaValidationError } from 'fastify';
import { IsArray, IsObject, IsRecord, IsString, IsUnion, type TSchema } from 'typebox';
import { hasMarkedSecret, hasSecret, redactSecrets } from '@weir/shared/redact-secrets';
import {
  isSentAsItIs,
  TEXT_KINDS,
  textFault,
  trimPasted,
  type TextKind,
} from '@weir/shared/api/text-faults';
import { TEXT_KIND } from '@weir/shared/api/wire-values';

/** A body with its texts trimmed where their schema says so, and what is wrong with them. */
export interface CheckedTexts {
  readonly value: unknown;
  readonly faults: readonly FastifySchemaValidationError[];
}

/**
 * Checks every text of a request's body for what its use would trip over: characters that a header,
 * an address or a list cannot have, and keys where a name is meant. Before the schema is checked,
 * as "must match pattern" names neither the character nor its place.
 */
export function checkTexts(schema: TSchema, value: unknown): CheckedTexts {
  const faults: FastifySchemaValidationError[] = [];
  return { value: checked(schema, value, { path: '', faults }), faults };
}

interface Walk {
  readonly path: string;
  readonly faults: FastifySchemaValidationError[];
}

function checked(schema: TSchema, value: unknown, walk: Walk): unknown {
  if (typeof value === 'string') return checkedText(schema, value, walk);
  if (Array.isArray(value)) {
    const list = alternatives(schema).find(IsArray);
    return list === undefined
      ? value
      : value.map((item: unknown, index) => checked(list.items, item, below(walk, index)));
  }
  if (typeof value !== 'object' || value === null) return value;
  const object = alternatives(schema).find(IsObject);
  if (object === undefined) {
    if (alternatives(schema).some(IsRecord)) refuseKeys(value, walk);
    return value;
  }
  return Object.fromEntries(
    Object.entries<unknown>({ ...value }).map(([name, member]) => {
      const property = Object.hasOwn(object.properties, name) ? object.properties[name] : undefined;
      // A member that is not known here is refused by the schema.
      return [name, property === undefined ? member : checked(property, member, below(walk, name))];
    }),
  );
}

/**
 * Looks for keys in the names and texts of an object whose members no schema knows, such as the
 * settings of a tool. Without recursion: bodies may be nested more deeply than the stack is.
 */
function refuseKeys(root: object, { path: rootPath, faults }: Walk): void {
  const open: { readonly value: unknown; readonly path: string }[] = [
    { value: root, path: rootPath },
  ];
  for (const { value, path } of open) {
    if (typeof value === 'string' && hasSecret(value)) faults.push(faultAt(path, keyFault(value)));
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries<unknown>({ ...value })) {
      if (hasSecret(name)) faults.push(faultAt(path, keyFault(name)));
      else open.push({ value: member, path: `${path}/${name}` });
    }
  }
}

/** The alternatives of what may be null. */
function alternatives(schema: TSchema): readonly TSchema[] {
  return IsUnion(schema) ? schema.anyOf : [schema];
}

function below({ path, faults }: Walk, name: string | number): Walk {
  return { path: `${path}/${name}`, faults };
}

function checkedText(schema: TSchema, sent: string, { path, faults }: Walk): string {
  const described = alternatives(schema).find(IsString);
  if (described === undefined) return sent;
  const { [TEXT_KIND]: marked, writeOnly } = described as {
    [TEXT_KIND]?: unknown;
    writeOnly?: unknown;
  };
  if (marked === 'opaque') return sent;
  if (marked === 'random') {
    if (hasMarkedSecret(sent)) faults.push(faultAt(path, keyFault(sent)));
    return sent;
  }
  const kind: TextKind = TEXT_KINDS.find((known) => known === marked) ?? 'line';
  const text = isSentAsItIs(kind) ? trimPasted(sent) : sent;
  const message =
    textFault(text, kind) ?? (writeOnly !== true && hasSecret(text) ? keyFault(text) : undefined);
  if (message !== undefined) faults.push(faultAt(path, message));
  return text;
}

function faultAt(path: string, message: string): FastifySchemaValidationError {
  return { keyword: 'text', instancePath: path, schemaPath: path, params: {}, message };
}

/** The key itself would be stored and shown, and may have been already where it was copied to. */
function keyFault(text: string): string {
  const shown = redactSecrets(text);
  const what = shown.length > SHOWN_CHARACTERS_MAX ? '' : ` ("${shown}")`;
  return `contains what looks like a key${what}, which would be stored and shown in clear. Leave it out, and replace that key: it may be exposed`;
}

const SHOWN_CHARACTERS_MAX = 60;
