import type { JsonObject, OwnJsonObject } from '../../../platform/json/json-value.ts';
import type { NeutralRequest, NeutralTool, ToolChoice } from '../../neutral-form/request.ts';

/** The members of a Gemini body that are about tools. There is no switch for calls at once. */
export function writeTools({ tools, toolChoice }: NeutralRequest): OwnJsonObject {
  if (tools.length === 0) return {};
  const written: OwnJsonObject = { tools: [{ functionDeclarations: tools.map(writeTool) }] };
  if (toolChoice !== undefined) {
    written['toolConfig'] = { functionCallingConfig: writeChoice(toolChoice) };
  }
  return written;
}

/** Any JSON Schema is taken; `parameters` would take a part of it. */
function writeTool(tool: NeutralTool): JsonObject {
  const { name, description, schema } = tool;
  return schema === null
    ? freeFormTool(tool)
    : { name, description: description ?? name, parametersJsonSchema: schema };
}

/** A tool that takes any text is a function of one text, whose grammar the description has. */
function freeFormTool({ name, description = name, grammar }: NeutralTool): JsonObject {
  const rule =
    grammar === undefined
      ? ''
      : `\n\nThe input must match this grammar: ${JSON.stringify(grammar)}`;
  return {
    name,
    description: description + rule,
    parametersJsonSchema: {
      type: 'object',
      properties: { input: { type: 'string' } },
      required: ['input'],
    },
  };
}

function writeChoice(choice: ToolChoice): JsonObject {
  if (choice.mode === 'tool') return { mode: 'ANY', allowedFunctionNames: [choice.name] };
  if ('among' in choice) {
    // Names are taken in these two modes alone; the second lets the model answer with text as well.
    const mode = choice.mode === 'required' ? 'ANY' : 'VALIDATED';
    return { mode, allowedFunctionNames: choice.among };
  }
  return { mode: MODES[choice.mode] };
}

const MODES = { auto: 'AUTO', none: 'NONE', required: 'ANY' } as const;
