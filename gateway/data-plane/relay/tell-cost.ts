import {
  isOwnJsonObject,
  parseOwnObject,
  type OwnJsonObject,
} from '../../platform/json/json-value.ts';
import { rewriteMembers } from '../../platform/json/rewrite-members.ts';
import { findMember, scanMembers } from '../../platform/json/scan-members.ts';

const NANO_USD_PER_USD = 1_000_000_000;
const DEPTH_MAX = 64;
/** Where replies have their usage, by protocol. */
const USAGE_FIELDS = ['usage', 'usageMetadata'] as const;
const DATA_FIELD = 'data: ';

/** A whole reply that says in its usage what it has cost, in USD, as OpenRouter's do. */
export function tellCost(reply: Buffer, costNanoUsd: number): Buffer {
  const members = scanMembers(reply, DEPTH_MAX);
  for (const name of USAGE_FIELDS) {
    const member = members.tooDeep ? -1 : findMember(reply, members, name);
    if (member === -1) continue;
    const start = members.offsets[member * 4 + 2];
    const usage = parseOwnObject(reply.subarray(start, members.offsets[member * 4 + 3]));
    if (usage === undefined) continue;
    addCost(usage, costNanoUsd);
    return rewriteMembers(reply, members, [{ name, value: JSON.stringify(usage) }]);
  }
  return reply;
}

/** The same of the last events of a stream. */
export function tellCostInEvents(events: string, costNanoUsd: number): string {
  return events
    .split('\n')
    .map((line) => (line.startsWith(`${DATA_FIELD}{`) ? toldLine(line, costNanoUsd) : line))
    .join('\n');
}

function toldLine(line: string, costNanoUsd: number): string {
  const event = parseOwnObject(Buffer.from(line.slice(DATA_FIELD.length)));
  const usage = event === undefined ? undefined : usageIn(event);
  if (usage === undefined) return line;
  addCost(usage, costNanoUsd);
  return DATA_FIELD + JSON.stringify(event);
}

/** Events of Responses have it in the response. */
function usageIn(event: OwnJsonObject): OwnJsonObject | undefined {
  const { response } = event;
  const holder = isOwnJsonObject(response) ? response : event;
  return USAGE_FIELDS.map((name) => holder[name]).find(isOwnJsonObject);
}

function addCost(usage: OwnJsonObject, costNanoUsd: number): void {
  usage['cost'] = costNanoUsd / NANO_USD_PER_USD;
}
