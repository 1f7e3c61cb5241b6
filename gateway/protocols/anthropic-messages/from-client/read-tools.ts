import { redactSecrets } from '@weir/shared/redact-secrets';
import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import type { NeutralRequest, NeutralTool } from '../../neutral-form/request.ts';
import { invalidValue } from '../../fields/field-faults.ts';
import { cacheMark } from './read-blocks.ts';

/** Tools that Anthropic runs by itself. */
const SERVER_TOOL = /^(?:web_search|web_fetch|tool_search_tool)_/;

/**
 * Returns the tools that the client runs. A deferred one is hidden from the model until the client
 * has loaded it, which a `tool_reference` in a result says; where Anthropic's own search would find
 * it, it is shown at once. Tools that Anthropic runs are left out, unless the model must call one.
 */
export function readTools(body: JsonObject): NeutralTool[] | Refusal {
  const given = objectsOf(body['tools']);
  const forced = forcedName(body['tool_choice']);
  const shown = given.some(({ type }) => stringOf(type).startsWith('tool_search_tool_'));
  const loaded = shown ? undefined : loadedNames(body['messages']);
  const tools: NeutralTool[] = [];
  for (const [index, tool] of given.entries()) {
    const type = stringOf(tool['type']);
    const name = stringOf(tool['name']);
    if (SERVER_TOOL.test(type)) {
      if (name === forced) return refuseTool(type, index);
      continue;
    }
    if (tool['defer_loading'] === true && loaded?.has(name) === false && name !== forced) continue;
    const read = readTool(tool, index);
    if (isRefusal(read)) return read;
    tools.push(read);
  }
  // Nothing is left of what the model must call.
  const [first] = given;
  const must = objectIn(body['tool_choice'])['type'] === 'any';
  return must && first !== undefined && tools.length === 0
    ? refuseTool(stringOf(first['type']), 0)
    : tools;
}

/** Returns the paths of the tools that Anthropic runs and no other upstream has. */
export function hostedTools(body: JsonObject): readonly string[] {
  return objectsOf(body['tools']).flatMap(({ type }, index) =>
    SERVER_TOOL.test(stringOf(type)) ? [`tools[${index}]`] : [],
  );
}

function readTool(tool: JsonObject, index: number): NeutralTool | Refusal {
  const { type, name, description, input_schema: schema, strict } = tool;
  if (type !== undefined && type !== null && type !== 'custom') {
    return refuseTool(stringOf(type), index);
  }
  return {
    name: stringOf(name),
    ...(typeof description === 'string' ? { description } : {}),
    schema: isJsonObject(schema) ? schema : { type: 'object', properties: {} },
    ...(typeof strict === 'boolean' ? { strict } : {}),
    ...cacheMark(tool),
  };
}

function refuseTool(type: string, index: number): Refusal {
  return invalidValue(
    `tools[${index}].type`,
    `The tool "${redactSecrets(type).slice(0, 64)}" is known to Anthropic’s models alone, and this model is served by another upstream. Leave it out, or define it with "name" and "input_schema".`,
  );
}

type Choice = Pick<NeutralRequest, 'toolChoice' | 'parallelToolCalls'>;

export function readToolChoice(choice: unknown): Choice {
  const { type, name, disable_parallel_tool_use: sequential } = objectIn(choice);
  const parallel = sequential === true ? { parallelToolCalls: false } : {};
  switch (type) {
    case 'auto':
    case 'none':
      return { toolChoice: { mode: type }, ...parallel };
    case 'any':
      return { toolChoice: { mode: 'required' }, ...parallel };
    case 'tool':
      return { toolChoice: { mode: 'tool', name: stringOf(name) }, ...parallel };
    default:
      return {};
  }
}

function forcedName(choice: unknown): string | undefined {
  const { type, name } = objectIn(choice);
  return type === 'tool' ? stringOf(name) : undefined;
}

/** Names that a `tool_reference` in the conversation has loaded. */
function loadedNames(messages: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  const walk = (content: unknown): void => {
    for (const block of objectsOf(content)) {
      if (block['type'] === 'tool_reference') names.add(stringOf(block['tool_name']));
      else if (block['type'] === 'tool_result') walk(block['content']);
    }
  };
  for (const message of objectsOf(messages)) walk(message['content']);
  return names;
}

function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function objectIn(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
