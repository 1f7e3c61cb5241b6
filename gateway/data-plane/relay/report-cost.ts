import {
  isOwnJsonObject,
  parseOwnObject,
  type OwnJsonObject,
} from '../../platform/json/json-value.ts';
import type { UsageMember } from '../../protocols/protocol.ts';
import { rewriteMembers } from '../../platform/json/rewrite-members.ts';
import { findMember, scanMembers } from '../../platform/json/scan-members.ts';

const NANO_USD_PER_USD = 1_000_000_000;
const DEPTH_MAX = 64;
const DATA_FIELD = 'data: ';

/** A whole reply that says in its usage what it has cost, in USD. @param place null: nowhere */
export function reportCost(reply: Buffer, costNanoUsd: number, place: UsageMember | null): Buffer {
  if (place === null) return reply;
  const { name } = place;
  const members = scanMembers(reply, DEPTH_MAX);
  const member = members.tooDeep ? -1 : findMember(reply, members, name);
  if (member === -1) return reply;
  const start = members.offsets[member * 4 + 2];
  const usage = parseOwnObject(reply.subarray(start, members.offsets[member * 4 + 3]));
  if (usage === undefined) return reply;
  addCost(usage, costNanoUsd);
  return rewriteMembers(reply, members, [{ name, value: JSON.stringify(usage) }]);
}

/** The same of the last events of a stream. */
export function reportCostInEvents(
  events: string,
  costNanoUsd: number,
  place: UsageMember | null,
): string {
  if (place === null) return events;
  return events
    .split('\n')
    .map((line) => (line.startsWith(`${DATA_FIELD}{`) ? withCost(line, costNanoUsd, place) : line))
    .join('\n');
}

function withCost(line: string, costNanoUsd: number, { name, inEvent }: UsageMember): string {
  const event = parseOwnObject(Buffer.from(line.slice(DATA_FIELD.length)));
  const holder = inEvent === undefined ? event : event?.[inEvent];
  const usage = isOwnJsonObject(holder) ? holder[name] : undefined;
  if (!isOwnJsonObject(usage)) return line;
  addCost(usage, costNanoUsd);
  return DATA_FIELD + JSON.stringify(event);
}

function addCost(usage: OwnJsonObject, costNanoUsd: number): void {
  usage['cost'] = costNanoUsd / NANO_USD_PER_USD;
}
