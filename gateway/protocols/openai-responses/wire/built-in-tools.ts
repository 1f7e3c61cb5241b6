/**
 * Tools that the client runs and whose form Responses itself defines, as functions for upstreams
 * that know functions alone. Their calls and outputs have item types of their own.
 */
import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';

export type BuiltInKind = 'local_shell' | 'shell' | 'apply_patch';

interface BuiltInTool {
  readonly description: string;
  /** The schema of the function's arguments. */
  readonly schema: JsonObject;
  /** The member of a call's item that has what is to be done. */
  readonly member: 'action' | 'operation';
  /** Returns the members of a call's item, from the function's arguments. */
  readonly itemMembers: (input: JsonObject) => JsonObject;
}

const TEXT: JsonObject = { type: 'string' };
const TEXTS: JsonObject = { type: 'array', items: TEXT };
const INTEGER: JsonObject = { type: 'integer' };

const TOOLS: Readonly<Record<BuiltInKind, BuiltInTool>> = {
  local_shell: {
    description:
      'Runs one command on the machine of the user and returns its output. "command" has the program and its arguments.',
    schema: {
      type: 'object',
      properties: {
        command: TEXTS,
        timeout_ms: INTEGER,
        working_directory: TEXT,
        user: TEXT,
      },
      required: ['command'],
    },
    member: 'action',
    itemMembers: ({ command, ...others }) => ({
      action: {
        type: 'exec',
        // Models write a whole line where they are used to a shell.
        command: typeof command === 'string' ? ['sh', '-c', command] : textsOf(command),
        env: {},
        ...numberIn(others, 'timeout_ms'),
        ...textIn(others, 'working_directory'),
        ...textIn(others, 'user'),
      },
    }),
  },
  shell: {
    description:
      'Runs commands in the shell of the user and returns the output and exit code of each.',
    schema: {
      type: 'object',
      properties: { commands: TEXTS, timeout_ms: INTEGER, max_output_length: INTEGER },
      required: ['commands'],
    },
    member: 'action',
    itemMembers: ({ commands, ...others }) => ({
      action: {
        commands: typeof commands === 'string' ? [commands] : textsOf(commands),
        timeout_ms: null,
        max_output_length: null,
        ...numberIn(others, 'timeout_ms'),
        ...numberIn(others, 'max_output_length'),
      },
      environment: { type: 'local' },
    }),
  },
  apply_patch: {
    description:
      'Creates, updates or deletes one file of the user. "diff" is left out to delete. To create, each of its lines begins with "+". To update, "@@" begins each section, and lines begin with "+" if they are added, "-" if they are removed, and a space if they stay.',
    schema: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] },
        path: TEXT,
        diff: TEXT,
      },
      required: ['type', 'path'],
    },
    member: 'operation',
    itemMembers: ({ type, path, diff }) => {
      const operation = { type: stringOf(type) || 'update_file', path: stringOf(path) };
      const isDeletion = operation.type === 'delete_file';
      return { operation: isDeletion ? operation : { ...operation, diff: stringOf(diff) } };
    },
  },
};

export function isBuiltIn(type: unknown): type is BuiltInKind {
  return typeof type === 'string' && Object.hasOwn(TOOLS, type);
}

/** Returns the kind of a call's or an output's item; undefined if it is of no such tool. */
export function builtInOf(itemType: string): BuiltInKind | undefined {
  const kind = itemType.replace(/_call(?:_output)?$/, '');
  return kind !== itemType && isBuiltIn(kind) ? kind : undefined;
}

export function builtInFunction(kind: BuiltInKind): {
  readonly description: string;
  readonly schema: JsonObject;
} {
  const { description, schema } = TOOLS[kind];
  return { description, schema };
}

/** Returns the members of a call's item that say what is to be done. */
export function builtInMembers(kind: BuiltInKind, input: JsonObject): JsonObject {
  return TOOLS[kind].itemMembers(input);
}

/** Returns the arguments of the function for a call's item. */
export function builtInInput(kind: BuiltInKind, item: JsonObject): JsonObject {
  const { member, schema } = TOOLS[kind];
  const value = isJsonObject(item[member]) ? item[member] : {};
  const names = Object.keys(schema['properties'] ?? {});
  return Object.fromEntries(
    names.flatMap((name) =>
      value[name] === undefined || value[name] === null ? [] : [[name, value[name]]],
    ),
  );
}

/** Returns the output of a call as a text; undefined if it has the form of every other tool's. */
export function builtInOutput({ type, output, status }: JsonObject): string | undefined {
  if (type === 'shell_call_output') return JSON.stringify(output ?? []);
  if (type !== 'apply_patch_call_output') return undefined;
  return stringOf(output) || stringOf(status);
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value)
    ? value.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
    : [];
}

function numberIn(input: JsonObject, name: string): JsonObject {
  return typeof input[name] === 'number' ? { [name]: input[name] } : {};
}

function textIn(input: JsonObject, name: string): JsonObject {
  return typeof input[name] === 'string' ? { [name]: input[name] } : {};
}
