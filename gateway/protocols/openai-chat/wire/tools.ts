import type { Refusal } from '../../../platform/errors/refusal.ts';
import {
  isJsonObject,
  parseOwnObject,
  stringOf,
  type JsonObject,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import type { NeutralRequest, NeutralTool, ToolChoice } from '../../neutral-form/request.ts';
import { invalidValue } from '../../fields/field-faults.ts';
import { offeredTools } from '../../openai-family/offered-tools.ts';
import type { TargetProfile } from '../../target-profile.ts';
import type { ChatRequest } from '../from-client/parse-request.ts';
import { cacheMark } from './read-parts.ts';

/** The schema of a function without parameters. */
const NO_PARAMETERS: JsonObject = { type: 'object', properties: {} };

/** Returns the tools of a checked request. */
export function readTools(tools: unknown): NeutralTool[] {
  return Array.isArray(tools) ? tools.filter(isJsonObject).map(readTool) : [];
}

function readTool(tool: JsonObject): NeutralTool {
  const { function: fn, custom } = tool;
  const isCustom = isJsonObject(custom) && !isJsonObject(fn);
  const defined = isCustom ? custom : isJsonObject(fn) ? fn : tool;
  const { description, parameters, strict, format } = defined;
  const grammar = isJsonObject(format) ? format['grammar'] : undefined;
  return {
    name: stringOf(defined['name']),
    ...(typeof description === 'string' ? { description } : {}),
    schema: isCustom ? null : isJsonObject(parameters) ? parameters : NO_PARAMETERS,
    ...(typeof strict === 'boolean' ? { strict } : {}),
    ...(isCustom && isJsonObject(grammar) ? { grammar } : {}),
    ...cacheMark(defined),
    ...cacheMark(tool),
  };
}

/** Returns `tool_choice`; undefined when the client made none. */
export function readToolChoice(choice: unknown): ToolChoice | Refusal | undefined {
  if (choice === undefined || choice === null) return undefined;
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { mode: choice };
  // Mistral's word for it.
  if (choice === 'any') return { mode: 'required' };
  if (isJsonObject(choice)) {
    const name = nameIn(choice);
    if (name !== '') return { mode: 'tool', name };
    const allowed = choice['allowed_tools'];
    if (isJsonObject(allowed) && Array.isArray(allowed['tools'])) {
      const among = allowed['tools'].filter(isJsonObject).map(nameIn);
      return { mode: allowed['mode'] === 'required' ? 'required' : 'auto', among };
    }
  }
  return invalidValue(
    'tool_choice',
    '"tool_choice" must be "auto", "none", "required" or one of the tools, such as {"type": "function", "function": {"name": "…"}}.',
  );
}

function nameIn(choice: JsonObject): string {
  const called = choice['function'] ?? choice['custom'];
  return isJsonObject(called) ? stringOf(called['name']) : '';
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** The names of a request's free-form tools. */
export function freeFormNames({ bytes, hasTools }: ChatRequest): ReadonlySet<string> {
  if (!hasTools || !bytes.includes('"custom"')) return NO_NAMES;
  const tools = readTools(parseOwnObject(bytes)?.['tools']);
  return new Set(tools.filter(({ schema }) => schema === null).map(({ name }) => name));
}

/** The members of a chat body that are about tools. Without tools OpenAI refuses the other two. */
export function writeTools(request: NeutralRequest, profile: TargetProfile): OwnJsonObject {
  const { tools, choice } = offeredTools(request, profile);
  if (tools.length === 0) return {};
  return {
    tools: tools.map(writeTool),
    tool_choice: choice && writeChoice(choice, tools),
    parallel_tool_calls: request.parallelToolCalls,
  };
}

function writeTool({ name, description, schema, strict, grammar }: NeutralTool): JsonObject {
  if (schema !== null) {
    return { type: 'function', function: { name, description, parameters: schema, strict } };
  }
  const format = grammar === undefined ? undefined : { type: 'grammar', grammar };
  return { type: 'custom', custom: { name, description, format } };
}

function writeChoice(choice: ToolChoice, tools: readonly NeutralTool[]): unknown {
  const named = (name: string): JsonObject => {
    const type = tools.find((tool) => tool.name === name)?.schema === null ? 'custom' : 'function';
    return { type, [type]: { name } };
  };
  if (choice.mode === 'tool') return named(choice.name);
  if (!('among' in choice)) return choice.mode;
  const { mode, among } = choice;
  return { type: 'allowed_tools', allowed_tools: { mode, tools: among.map(named) } };
}
