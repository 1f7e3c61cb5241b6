import type { MeterId } from '@weir/shared/prices/meters';
import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';

/** Tools that the client runs: the upstream charges for nothing but tokens. */
const CLIENT_TOOLS: ReadonlySet<string> = new Set([
  'function',
  'custom',
  'namespace',
  'apply_patch',
  'local_shell',
  'computer',
  'computer_use_preview',
]);

/** Every dated name of a search begins with one of these. */
const SEARCH = /^web_search(?:_preview)?(?:_|$)/;

/**
 * Reports whether the client runs the tool; the upstream runs all others itself, for fees of its
 * own.
 */
export function isClientTool(tool: JsonObject): boolean {
  const type = stringOf(tool['type']);
  if (type === 'tool_search') return tool['execution'] === 'client';
  // A shell is the client's unless it is asked for in a container of the vendor's.
  if (type === 'shell') return !isHostedShell(tool['environment']);
  if (type === 'namespace') return areClientTools(tool['tools']);
  return CLIENT_TOOLS.has(type);
}

/** Reports whether the client runs all tools of a list. */
export function areClientTools(tools: unknown): boolean {
  if (!Array.isArray(tools)) return true;
  return tools.every((tool) => isJsonObject(tool) && isClientTool(tool));
}

function isHostedShell(environment: unknown): boolean {
  return isJsonObject(environment) && environment['type'] !== 'local';
}

/** The meter of a tool that the upstream runs; null of one that no meter counts. */
export function meterOf(toolType: string): MeterId | null {
  return SEARCH.test(toolType) ? 'webSearch' : null;
}

/**
 * Reports whether a tool may be sent to an upstream.
 * @param pricedMeters those for which the model has a price
 */
export function mayBeSent(tool: JsonObject, pricedMeters: readonly MeterId[]): boolean {
  if (isClientTool(tool)) return true;
  const meter = meterOf(stringOf(tool['type']));
  return meter !== null && pricedMeters.includes(meter);
}
