import type { JsonObject, OwnJsonObject } from '../../../platform/json/json-value.ts';
import { asFunction } from '../../neutral-form/free-form.ts';
import type { NeutralRequest, NeutralTool, ToolChoice } from '../../neutral-form/request.ts';
import type { TargetProfile } from '../../target-profile.ts';
import { cachePoint } from './cache-points.ts';

/** For a tool that was called before and is not offered any more. */
const NOT_OFFERED = 'This tool is not available any more. Do not call it.';

const NO_INPUT: JsonObject = { type: 'object', properties: {} };

export interface WrittenTools {
  /** `toolConfig.tools`; empty where the request has no tools. */
  readonly tools: JsonObject[];
  readonly toolChoice?: JsonObject;
  /** Anthropic's own field, where Converse has no word for the choice. */
  readonly anthropicChoice?: OwnJsonObject;
}

/**
 * Returns the tools and their choice. Converse has no choice of none: a Claude gets its own
 * field, and keeps its tools in the cache; others are offered none. Bedrock refuses calls in the
 * conversation without tools, so those that were called take their place.
 * @param called names of tools in the conversation
 */
export function writeTools(
  request: NeutralRequest,
  { profile, called }: { readonly profile: TargetProfile; readonly called: readonly string[] },
): WrittenTools {
  const { toolChoice: choice, parallelToolCalls } = request;
  const { anthropicFields } = profile;
  const isNone = choice?.mode === 'none';
  const offered = isNone && !anthropicFields ? [] : offeredTools(request);
  if (offered.length === 0) {
    const tools = called.map((name) =>
      toolSpec({ name, description: NOT_OFFERED, schema: NO_INPUT }),
    );
    const none = anthropicFields && tools.length > 0;
    return { tools, ...(none ? { anthropicChoice: { type: 'none' } } : {}) };
  }
  const tools = offered.flatMap((tool) => writeTool(tool, profile));
  if (anthropicFields && (isNone || parallelToolCalls === false)) {
    return { tools, anthropicChoice: anthropicChoice(choice) };
  }
  const toolChoice = choiceOf(choice);
  return { tools, ...(toolChoice === undefined ? {} : { toolChoice }) };
}

function offeredTools({ tools, toolChoice }: NeutralRequest): readonly NeutralTool[] {
  const among = toolChoice !== undefined && 'among' in toolChoice ? toolChoice.among : undefined;
  return tools.filter(({ name }) => among?.includes(name) ?? true);
}

/** `auto` is what models do by themselves, and some take no choice at all. */
function choiceOf(choice: ToolChoice | undefined): JsonObject | undefined {
  switch (choice?.mode) {
    case 'required':
      return { any: {} };
    case 'tool':
      return { tool: { name: choice.name } };
    case 'auto':
    case 'none':
    case undefined:
      return undefined;
  }
}

function anthropicChoice(choice: ToolChoice | undefined): OwnJsonObject {
  switch (choice?.mode) {
    case 'none':
      return { type: 'none' };
    case 'tool':
      return { type: 'tool', name: choice.name, disable_parallel_tool_use: true };
    case 'required':
      return { type: 'any', disable_parallel_tool_use: true };
    case 'auto':
    case undefined:
      return { type: 'auto', disable_parallel_tool_use: true };
  }
}

function writeTool(tool: NeutralTool, profile: TargetProfile): JsonObject[] {
  const { cache } = tool;
  const spec = toolSpec(tool);
  if (cache === undefined || profile.cachePoints !== 'anywhere') return [spec];
  return [spec, cachePoint(cache, profile)];
}

function toolSpec(tool: NeutralTool): JsonObject {
  const { name, description, schema, strict } = asFunction(tool);
  return {
    toolSpec: {
      name,
      // Bedrock refuses an empty one.
      ...(description === undefined || description.trim() === '' ? {} : { description }),
      inputSchema: { json: schema },
      ...(strict === true ? { strict } : {}),
    },
  };
}
