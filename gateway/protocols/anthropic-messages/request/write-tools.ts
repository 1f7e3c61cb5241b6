import type { JsonObject, OwnJsonObject } from '../../../platform/json/json-value.ts';
import type { ExchangeRequest, ExchangeTool, ToolChoice } from '../../exchange-form/request.ts';
import { alwaysThinks } from './claude-models.ts';

export interface WrittenTools {
  readonly fields: OwnJsonObject;
  /** What the model is told where it cannot be made to call a tool. */
  readonly instruction?: string;
  /** A tool must be called, with which no thinking goes. */
  readonly forced: boolean;
}

/** Returns the fields about tools. */
export function writeTools(request: ExchangeRequest, upstreamModel: string): WrittenTools {
  const { toolChoice: choice, parallelToolCalls } = request;
  const among = choice !== undefined && 'among' in choice ? choice.among : undefined;
  const offered = request.tools.filter(({ name }) => among?.includes(name) ?? true);
  if (offered.length === 0) return { fields: {}, forced: false };
  const tools = offered.map(writeTool);
  const forced = choice !== undefined && (choice.mode === 'required' || choice.mode === 'tool');
  const asked = forced && alwaysThinks(upstreamModel);
  const sequential = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {};
  const type = asked ? { type: 'auto' } : choiceOf(choice);
  const toolChoice = type ?? (parallelToolCalls === false ? { type: 'auto' } : undefined);
  const fields = {
    tools,
    ...(toolChoice === undefined
      ? {}
      : { tool_choice: { ...toolChoice, ...(toolChoice['type'] === 'none' ? {} : sequential) } }),
  };
  return {
    fields,
    forced: forced && !asked,
    ...(asked ? { instruction: instructionOf(choice) } : {}),
  };
}

function instructionOf(choice: ToolChoice): string {
  return choice.mode === 'tool'
    ? `Answer with a call of the tool "${choice.name}".`
    : 'Answer with a call of at least one tool.';
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

function writeTool({
  name,
  description,
  schema,
  strict,
  grammar,
  cache,
}: ExchangeTool): JsonObject {
  const texts = [description, grammarText(grammar)].filter((text) => text !== undefined);
  return {
    name,
    ...(texts.length === 0 ? {} : { description: texts.join('\n\n') }),
    input_schema: schema === null ? FREE_FORM : { type: 'object', ...schema },
    ...(strict === true ? { strict } : {}),
    ...(cache === undefined ? {} : { cache_control: { type: 'ephemeral' } }),
  };
}

/** A free-form tool is one whose input is one text. */
const FREE_FORM: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
};

function grammarText(grammar: JsonObject | undefined): string | undefined {
  if (grammar === undefined) return undefined;
  return `"input" follows this grammar (${String(grammar['syntax'])}):\n${String(grammar['definition'])}`;
}
