import type { MeterId } from '@weir/shared/prices/meters';
import type { Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import { checkToolName } from '../../fields/field-checks.ts';
import { invalidValue, missing, wrongCase, wrongType } from '../../fields/field-faults.ts';
import { caseVariantOf } from '../../fields/field-names.ts';
import { isClientTool, meterOf } from '../wire/tool-kinds.ts';

/** The effect of a request's tools on its price. */
export interface ToolFacts {
  readonly hasTools: boolean;
  /** Some of them are run by the upstream: they are sent to models with a price for them alone. */
  readonly hasHostedTools: boolean;
  /** Meters of tools that the model is made to use. */
  readonly meters: readonly MeterId[];
  /** Meters of tools that the model may use and can do without. */
  readonly droppableMeters: readonly MeterId[];
}

const NO_METERS: readonly never[] = [];
const NO_TOOLS: ToolFacts = {
  hasTools: false,
  hasHostedTools: false,
  meters: NO_METERS,
  droppableMeters: NO_METERS,
};

/**
 * Checks `tools` and `tool_choice`. A tool that the upstream runs at a fee is left out where the
 * model need not use it: agents offer a search with every request. Where it must be used and no
 * meter counts it, the request is refused.
 */
export function checkTools(body: JsonObject): ToolFacts | Refusal {
  const { tools, tool_choice: choice } = body;
  const unnamed = checkChoice(choice);
  if (unnamed !== undefined) return unnamed;
  if (tools === undefined || tools === null) return NO_TOOLS;
  if (!Array.isArray(tools)) return wrongType('tools', 'an array', tools);
  const hosted: string[] = [];
  for (const [index, tool] of (tools as unknown[]).entries()) {
    if (!isJsonObject(tool)) return wrongType(`tools[${index}]`, 'an object', tool);
    const fault = checkTool(tool, index);
    if (fault !== undefined) return fault;
    if (!isClientTool(tool)) hosted.push(stringOf(tool['type']));
  }
  if (hosted.length === 0) return { ...NO_TOOLS, hasTools: tools.length > 0 };
  return hostedFacts(hosted, { toolCount: tools.length, choice });
}

function hostedFacts(
  hosted: readonly string[],
  { toolCount, choice }: { readonly toolCount: number; readonly choice: unknown },
): ToolFacts | Refusal {
  const facts = { hasTools: true, hasHostedTools: true };
  const all = [...new Set(hosted.flatMap((type) => meterOf(type) ?? []))];
  const forced = forcedTool(hosted, { toolCount, choice });
  if (forced === null) return { ...facts, meters: NO_METERS, droppableMeters: all };
  const meter = meterOf(forced);
  return meter === null
    ? refuseForced(forced)
    : { ...facts, meters: [meter], droppableMeters: all };
}

/**
 * The tool of the upstream's that must be called: it is named, or there is no other to choose from.
 */
function forcedTool(
  hosted: readonly string[],
  { toolCount, choice }: { readonly toolCount: number; readonly choice: unknown },
): string | null {
  if (choice === 'required' && hosted.length === toolCount) return hosted[0] ?? null;
  if (!isJsonObject(choice)) return null;
  const type = stringOf(choice['type']);
  if (hosted.includes(type)) return type;
  const { mode, tools } = choice;
  if (type !== 'allowed_tools' || mode !== 'required' || !Array.isArray(tools)) return null;
  const allowed = tools.filter((tool) => isJsonObject(tool)).map((tool) => stringOf(tool['type']));
  const [first] = allowed;
  return first !== undefined && allowed.every((name) => hosted.includes(name)) ? first : null;
}

function refuseForced(type: string): Refusal {
  return invalidValue(
    'tool_choice',
    `"tool_choice" asks for the tool "${type}", which the upstream runs itself at fees that are not offered here. Leave it out, or use a tool of your own.`,
  );
}

const TOOL_FIELDS: ReadonlySet<string> = new Set(['type', 'execution', 'environment']);

function checkTool(tool: JsonObject, index: number): Refusal | undefined {
  const param = `tools[${index}].type`;
  for (const key in tool) {
    const known = caseVariantOf(key, TOOL_FIELDS);
    if (known !== undefined) return wrongCase(`tools[${index}].${known}`);
  }
  const { type } = tool;
  if (typeof type === 'string') return checkNameOf(tool, `tools[${index}]`);
  return type === undefined || type === null
    ? missing(param, `"tools[${index}]" has no type, such as "function".`)
    : wrongType(param, 'a string', type);
}

/** A choice of one tool names it, where it has a name. */
function checkChoice(choice: unknown): Refusal | undefined {
  if (!isJsonObject(choice)) return undefined;
  const { type, name } = choice;
  if (type !== 'function' && type !== 'custom') return undefined;
  return checkToolName(name, 'tool_choice.name');
}

/** Tools that are called by a name of their own; a namespace has it, and tools within. */
const NAMED_TOOLS: ReadonlySet<unknown> = new Set(['function', 'custom', 'namespace']);

function checkNameOf(tool: JsonObject, path: string): Refusal | undefined {
  const { type, name, tools } = tool;
  if (!NAMED_TOOLS.has(type)) return undefined;
  if (name === undefined && isJsonObject(tool['function'])) {
    return missing(
      `${path}.name`,
      `"${path}" has the form that tools have in chat completions. Send "name" and "parameters" next to "type".`,
    );
  }
  const fault = checkToolName(name, `${path}.name`);
  if (fault !== undefined || type !== 'namespace' || !Array.isArray(tools)) return fault;
  for (const [index, inner] of (tools as unknown[]).entries()) {
    const wrong = isJsonObject(inner) ? checkNameOf(inner, `${path}.tools[${index}]`) : undefined;
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
