import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import type { NeutralTool, ToolChoice } from '../../neutral-form/request.ts';
import { fieldOf, listOf } from '../fields.ts';
import { jsonSchemaOf } from './schema.ts';

const NO_PARAMETERS: JsonObject = { type: 'object', properties: {} };

/** Returns the functions of a checked request. */
export function readTools(tools: unknown): NeutralTool[] {
  return listOf(tools)
    .filter(isJsonObject)
    .flatMap((tool) => listOf(fieldOf(tool, 'functionDeclarations')))
    .filter(isJsonObject)
    .map(readTool);
}

function readTool(tool: JsonObject): NeutralTool {
  const { name, description, parameters } = tool;
  const schema = fieldOf(tool, 'parametersJsonSchema');
  return {
    name: stringOf(name),
    ...(typeof description === 'string' ? { description } : {}),
    schema: isJsonObject(schema)
      ? schema
      : isJsonObject(parameters)
        ? jsonSchemaOf(parameters)
        : NO_PARAMETERS,
  };
}

/** Returns what `toolConfig` says; undefined when it says nothing. */
export function readToolChoice(toolConfig: unknown): ToolChoice | undefined {
  const calling = isJsonObject(toolConfig)
    ? fieldOf(toolConfig, 'functionCallingConfig')
    : undefined;
  if (!isJsonObject(calling)) return undefined;
  const among = listOf(fieldOf(calling, 'allowedFunctionNames')).filter(
    (name) => typeof name === 'string',
  );
  const [only] = among;
  switch (calling['mode']) {
    case 'NONE':
      return { mode: 'none' };
    case 'ANY':
      if (only === undefined) return { mode: 'required' };
      return among.length === 1 ? { mode: 'tool', name: only } : { mode: 'required', among };
    case 'AUTO':
    case 'VALIDATED':
      return among.length === 0 ? { mode: 'auto' } : { mode: 'auto', among };
    default:
      return undefined;
  }
}
