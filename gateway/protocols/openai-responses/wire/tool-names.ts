import { createHash } from 'node:crypto';
import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import { objectsOf } from '../../../tokens/prompt-counter.ts';
import type { NeutralTool } from '../../neutral-form/request.ts';
import { builtInFunction, isBuiltIn, type BuiltInKind } from './built-in-tools.ts';
import { isClientTool } from './tool-kinds.ts';

/** The name under which a search for tools is offered as a function. */
export const TOOL_SEARCH = 'tool_search';

export type ToolKind = 'function' | 'custom' | 'tool_search' | BuiltInKind;

/** What a tool is called by the client: tools of several kinds may have one name. */
export interface ClientTool {
  readonly kind: ToolKind;
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
  /** Those of the first tool of each name, whatever its kind. */
  readonly #firstNames = new Map<string, string>();

  constructor(body: JsonObject) {
    const tools: NeutralTool[] = [];
    for (const tool of allTools(body)) {
      const read = this.#read(tool);
      if (read !== undefined) tools.push(read);
    }
    this.tools = tools;
  }

  /** Returns the one name of a tool, whether or not it is still offered, and as what kind. */
  flatName(tool: ClientTool): string {
    const { name, namespace } = tool;
    return (
      this.#flatNames.get(keyOf(tool)) ??
      this.#firstNames.get(nameKeyOf(tool)) ??
      flatNameOf(name, namespace)
    );
  }

  /** Returns the client's name of the tool with this flat name. */
  clientTool(flatName: string): ClientTool {
    return this.#byFlatName.get(flatName) ?? { kind: 'function', name: flatName, namespace: '' };
  }

  /** Returns undefined for one that is known already. */
  #read({ tool, namespace }: PlacedTool): NeutralTool | undefined {
    const client: ClientTool = { ...clientToolOf(tool), namespace };
    const { kind, name } = client;
    if (name === '') return undefined;
    const key = keyOf(client);
    if (this.#flatNames.has(key)) return undefined;
    let flatName = flatNameOf(name, namespace);
    if (this.#byFlatName.has(flatName)) flatName = hashedName(flatName, key);
    this.#flatNames.set(key, flatName);
    const nameKey = nameKeyOf(client);
    if (!this.#firstNames.has(nameKey)) this.#firstNames.set(nameKey, flatName);
    this.#byFlatName.set(flatName, client);
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

/** Returns what a tool is, or what is chosen: some have no name but their type. */
export function clientToolOf({ type, name, namespace }: JsonObject): ClientTool {
  const within = stringOf(namespace);
  if (type === TOOL_SEARCH || isBuiltIn(type)) return { kind: type, name: type, namespace: within };
  return { kind: type === 'custom' ? type : 'function', name: stringOf(name), namespace: within };
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

function keyOf(tool: ClientTool): string {
  return `${tool.kind}\n${nameKeyOf(tool)}`;
}

function nameKeyOf({ name, namespace }: Omit<ClientTool, 'kind'>): string {
  return `${namespace}\n${name}`;
}

function flatNameOf(name: string, namespace: string): string {
  const flat = namespace === '' ? name : namespace + SEPARATOR + name;
  const fitting = flat.replace(/[^\w-]/g, '_');
  return fitting === flat && flat.length <= NAME_LETTERS_MAX
    ? flat
    : hashedName(fitting, nameKeyOf({ name, namespace }));
}

function hashedName(name: string, key: string): string {
  const hash = createHash('sha256').update(key).digest('hex').slice(0, HASH_LETTERS);
  return `${name.slice(0, NAME_LETTERS_MAX - HASH_LETTERS - 1)}_${hash}`;
}
