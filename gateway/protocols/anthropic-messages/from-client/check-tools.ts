import { redactSecrets } from '@weir/shared/redact-secrets';
import type { Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import { checkToolName } from '../../fields/field-checks.ts';
import { invalidValue, missing, wrongCase, wrongType } from '../../fields/field-faults.ts';
import { caseVariantOf } from '../../fields/field-names.ts';
import { noteCacheMark } from './check-content.ts';
import type { RequestFacts } from './request-facts.ts';

/** Tools that the client runs, with a definition of Anthropic's. */
const CLIENT_TOOL = /^(?:bash|text_editor|memory|computer|browser)_\w+$/;
/** Tools that Anthropic runs for the price of their tokens. */
const FREE_SERVER_TOOL = /^(?:web_fetch|tool_search_tool)_\w+$/;
const WEB_SEARCH = /^web_search_\w+$/;

const TOOL_FIELDS: ReadonlySet<string> = new Set(['type']);

/** Checks the types of tools: what Anthropic runs at a fee is refused unless it can be billed. */
export function checkTools(tools: unknown, facts: RequestFacts): Refusal | undefined {
  if (!Array.isArray(tools)) return wrongType('tools', 'an array', tools);
  for (let index = 0; index < tools.length; index += 1) {
    const tool: unknown = tools[index];
    const param = `tools[${index}]`;
    if (!isJsonObject(tool)) return wrongType(param, 'an object', tool);
    const fault = checkTool(tool, param, facts);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Checks the choice of one tool. */
export function checkToolChoice(choice: unknown): Refusal | undefined {
  return isJsonObject(choice) && choice['type'] === 'tool'
    ? checkToolName(choice['name'], 'tool_choice.name')
    : undefined;
}

function checkTool(tool: JsonObject, param: string, facts: RequestFacts): Refusal | undefined {
  noteCacheMark(tool, facts);
  for (const key in tool) {
    if (caseVariantOf(key, TOOL_FIELDS) !== undefined) return wrongCase(`${param}.type`);
  }
  const { type, name } = tool;
  if (type === undefined || type === null) {
    return name === undefined || name === null
      ? missing(`${param}.name`, `"${param}" has no name. Send "name" and "input_schema".`)
      : checkToolName(name, `${param}.name`);
  }
  if (typeof type !== 'string') return wrongType(`${param}.type`, 'a string', type);
  if (type === 'custom') return checkToolName(name, `${param}.name`);
  if (CLIENT_TOOL.test(type)) return undefined;
  if (WEB_SEARCH.test(type)) facts.searchesTheWeb = true;
  else if (!FREE_SERVER_TOOL.test(type)) return refuseServerTool(type, param);
  // What it finds becomes part of the prompt.
  if (!type.startsWith('tool_search_')) facts.hasUnboundedParts = true;
  return undefined;
}

function refuseServerTool(type: string, param: string): Refusal {
  return invalidValue(
    `${param}.type`,
    `The tool "${redactSecrets(type).slice(0, 64)}" is run by the upstream at a fee of its own, which has no price here. Leave it out, or let your client run it.`,
  );
}
