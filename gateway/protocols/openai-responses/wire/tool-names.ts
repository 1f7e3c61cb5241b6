import { createHash } from 'node:crypto';
import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import { objectsOf } from '../../../tokens/prompt-counter.ts';
import type { NeutralTool } from '../../neutral-form/request.ts';
import { builtInFunction, isBuiltIn, type BuiltInKind } from './built-in-tools.ts';
import { isClientTool } from './tool-kinds.ts';

/** The name under which a search for tools is offered as a function. */
export const TOOL_SEARCH = 'tool_search';

/** The client's name of a tool. */
export interface ClientTool {
  readonly kind: 'function' | 'custom' | 'tool_search' | BuiltInKind;
  readonly name: string;
  /** The namespace that it is in; '' when in none. */
  readonly namespace: string;
}

const NAME_LETTERS_MAX = 64;
const HASH_LETTERS = 8;
const SEPARATOR = '__';
const ANY_OBJECT: JsonObject = { type: 'object', properties: {} };

/**
 * The tools of a request in one list, as other protocols have them: those in namespaces by a name
 * of their own, a search for tools as a function, and what such searches have found in the
 * conversation.
 */
export class ToolNames {
  readonly tools: readonly NeutralTool[];
  /** A tool in no namespace has a name that other protocols do not take. */
  renames = false;
  readonly #byFlatName = new Map<string, ClientTool>();
  readonly #flatNames = new Map<string, string>();

  constructor(body: JsonObject) {
    const tools: NeutralTool[] = [];
    for (const tool of allTools(body)) {
      const read = this.#read(tool);
      if (read !== undefined) tools.push(read);
    }
    this.tools = tools;
  }

  /** The one name of a tool, whether or not it is still offered. */
  flatName(name: string, namespace: string): string {
    return this.#flatNames.get(keyOf(name, namespace)) ?? flatNameOf(name, namespace);
  }

  /** Returns the client's name of the tool with this flat name. */
  clientTool(flatName: string): ClientTool {
    return this.#byFlatName.get(flatName) ?? { kind: 'function', name: flatName, namespace: '' };
  }

  /** Returns undefined for one that is known already. */
  #read({ tool, namespace }: PlacedTool): NeutralTool | undefined {
    const type = stringOf(tool['type']);
    const isOfOwnKind = type === 'custom' || type === 'tool_search' || isBuiltIn(type);
    const kind = isOfOwnKind ? type : 'function';
    const name = nameOf(tool);
    if (name === '') return undefined;
    const key = keyOf(name, namespace);
    if (this.#flatNames.has(key)) return undefined;
    let flatName = flatNameOf(name, namespace);
    if (this.#byFlatName.has(flatName)) flatName = hashedName(flatName, key);
    this.#flatNames.set(key, flatName);
    this.#byFlatName.set(flatName, { kind, name, namespace });
    if (namespace === '' && flatName !== name) this.renames = true;
    if (isBuiltIn(kind)) return { name: flatName, ...builtInFunction(kind) };
    const description = tool['description'];
    const described = typeof description === 'string' ? { description } : {};
    if (kind === 'custom')
      return { name: flatName, schema: null, ...described, ...grammarOf(tool) };
    const schema = isJsonObject(tool['parameters']) ? tool['parameters'] : ANY_OBJECT;
    const strict = tool['strict'] === true ? { strict: true } : {};
    return { name: flatName, schema, ...described, ...strict };
  }
}

/** Returns what a tool is called by, or chosen by: some have no name but their type. */
export function nameOf({ type, name }: JsonObject): string {
  if (type === 'tool_search') return TOOL_SEARCH;
  return isBuiltIn(type) ? type : stringOf(name);
}

interface PlacedTool {
  readonly tool: JsonObject;
  readonly namespace: string;
}

function allTools({ tools, input }: JsonObject): PlacedTool[] {
  const placed = objectsOf(tools).flatMap((tool) => flatten(tool));
  for (const item of objectsOf(input)) {
    const { type } = item;
    if (type !== 'additional_tools' && type !== 'tool_search_output') continue;
    placed.push(...objectsOf(item['tools']).flatMap((tool) => flatten(tool)));
  }
  return placed;
}

/**
 * Tools that the upstream would run are left out: an upstream of another protocol has none of them.
 */
function flatten(tool: JsonObject): PlacedTool[] {
  switch (tool['type']) {
    case 'namespace': {
      const namespace = stringOf(tool['name']);
      return objectsOf(tool['tools']).map((inner) => ({ tool: inner, namespace }));
    }
    case 'function':
    case 'custom':
      return [{ tool, namespace: '' }];
    case 'tool_search':
    case 'local_shell':
    case 'shell':
    case 'apply_patch':
      return isClientTool(tool) ? [{ tool, namespace: '' }] : [];
    default:
      return [];
  }
}

/** Returns the paths of the tools that upstreams of other protocols do not get. */
export function unreadTools({ tools }: JsonObject): readonly string[] {
  return objectsOf(tools).flatMap((tool, index) =>
    tool['type'] === 'namespace' || flatten(tool).length > 0 ? [] : [`tools[${index}]`],
  );
}

function grammarOf({ format }: JsonObject): { grammar?: JsonObject } {
  if (!isJsonObject(format) || format['type'] !== 'grammar') return {};
  return { grammar: { syntax: format['syntax'], definition: format['definition'] } };
}

function keyOf(name: string, namespace: string): string {
  return `${namespace}\n${name}`;
}

function flatNameOf(name: string, namespace: string): string {
  const flat = namespace === '' ? name : namespace + SEPARATOR + name;
  const fitting = flat.replace(/[^\w-]/g, '_');
  return fitting === flat && flat.length <= NAME_LETTERS_MAX
    ? flat
    : hashedName(fitting, keyOf(name, namespace));
}

function hashedName(name: string, key: string): string {
  const hash = createHash('sha256').update(key).digest('hex').slice(0, HASH_LETTERS);
  return `${name.slice(0, NAME_LETTERS_MAX - HASH_LETTERS - 1)}_${hash}`;
}
