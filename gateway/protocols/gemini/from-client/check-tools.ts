import type { MeterId } from '@weir/shared/prices/meters';
import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import { checkToolName } from '../../fields/field-checks.ts';
import { invalidValue, wrongType } from '../../fields/field-faults.ts';
import { fieldName, fieldOf, GuardedFields, listOf } from '../fields.ts';
import { checkNames } from './check-names.ts';

/** The meters that the tools of a request may be charged for. */
export interface ToolFacts {
  readonly hasTools: boolean;
  readonly meters: readonly MeterId[];
  /** The upstream reads more into the prompt than what was sent: pages, results of code. */
  readonly hasUnboundedInput: boolean;
  /** Those that the upstream runs itself, as they were sent. */
  readonly serverTools: readonly string[];
}

interface ServerTool {
  readonly meter?: MeterId;
}

/** Tools that the client runs. */
const CLIENT_TOOLS = ['functionDeclarations', 'computerUse'] as const;

/**
 * Tools that the upstream runs and that are offered: at a fee with a meter, or for their tokens
 * alone.
 */
const SERVER_TOOLS: ReadonlyMap<string, ServerTool> = new Map<string, ServerTool>([
  ['googleSearch', { meter: 'webSearch' }],
  ['googleSearchRetrieval', { meter: 'webSearch' }],
  ['urlContext', {}],
  ['codeExecution', {}],
]);

const KNOWN_TOOLS: ReadonlyMap<string, string> = new Map(
  [...CLIENT_TOOLS, ...SERVER_TOOLS.keys()].flatMap((camel) => [
    [camel, camel],
    [fieldName(camel).snake, camel],
  ]),
);

const GUARDED = new GuardedFields([...CLIENT_TOOLS, ...SERVER_TOOLS.keys()]);

/**
 * Checks which tools are asked for, and that functions have names; what else is within a
 * declaration is the upstream's to check.
 */
export function checkTools(tools: unknown): ToolFacts | Refusal {
  const list = listOf(tools);
  const serverTools: string[] = [];
  for (const [index, tool] of list.entries()) {
    if (!isJsonObject(tool)) return wrongType(`tools[${index}]`, 'an object', tool);
    const found = checkTool(tool, `tools[${index}].`);
    if (isRefusal(found)) return found;
    serverTools.push(...found);
  }
  const meters = serverTools.flatMap((name) => SERVER_TOOLS.get(name)?.meter ?? []);
  return {
    hasTools: list.length > 0,
    meters: [...new Set(meters)],
    hasUnboundedInput: serverTools.length > 0,
    serverTools,
  };
}

/** Returns the tools of an element that the upstream runs. */
function checkTool(tool: JsonObject, path: string): readonly string[] | Refusal {
  const fault = checkNames(tool, GUARDED, path);
  if (fault !== undefined) return fault;
  const serverTools: string[] = [];
  for (const key in tool) {
    if (tool[key] === null) continue;
    const known = KNOWN_TOOLS.get(key);
    if (known === undefined) {
      return invalidValue(
        path + key,
        `"${path}${key}" is a tool that the upstream runs itself at a fee of its own, and is not offered here. Leave it out.`,
      );
    }
    if (SERVER_TOOLS.has(known)) serverTools.push(known);
  }
  return checkDeclarations(tool, path) ?? serverTools;
}

function checkDeclarations(tool: JsonObject, path: string): Refusal | undefined {
  for (const [index, declared] of listOf(fieldOf(tool, 'functionDeclarations')).entries()) {
    const name = `${path}functionDeclarations[${index}]`;
    if (!isJsonObject(declared)) return wrongType(name, 'an object', declared);
    const fault = checkToolName(declared['name'], `${name}.name`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
