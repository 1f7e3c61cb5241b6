import type { JsonObject, OwnJsonObject } from '../../../platform/json/json-value.ts';
import { asFunction } from '../../neutral-form/free-form.ts';
import type { NeutralRequest, NeutralTool, ToolChoice } from '../../neutral-form/request.ts';

/** Returns the fields about tools. */
export function writeTools(request: NeutralRequest): OwnJsonObject {
  const { toolChoice: choice, parallelToolCalls } = request;
  const among = choice !== undefined && 'among' in choice ? choice.among : undefined;
  const offered = request.tools.filter(({ name }) => among?.includes(name) ?? true);
  if (offered.length === 0) return {};
  const tools = offered.map(writeTool);
  const sequential = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {};
  const type = choiceOf(choice);
  const toolChoice = type ?? (parallelToolCalls === false ? { type: 'auto' } : undefined);
  return {
    tools,
    ...(toolChoice === undefined
      ? {}
      : { tool_choice: { ...toolChoice, ...(toolChoice['type'] === 'none' ? {} : sequential) } }),
  };
}

function choiceOf(choice: ToolChoice | undefined): JsonObject | undefined {
  switch (choice?.mode) {
    case undefined:
      return undefined;
    case 'required':
      return { type: 'any' };
    case 'tool':
      return { type: 'tool', name: choice.name };
    case 'auto':
    case 'none':
      return { type: choice.mode };
  }
}

function writeTool(tool: NeutralTool): JsonObject {
  const { name, description, schema, strict, cache } = asFunction(tool);
  return {
    name,
    ...(description === undefined ? {} : { description }),
    input_schema: schema,
    ...(strict === true ? { strict } : {}),
    ...(cache === undefined ? {} : { cache_control: { type: 'ephemeral' } }),
  };
}
