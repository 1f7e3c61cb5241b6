import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { applyEdits } from '../../../platform/json/apply-edits.ts';
import {
  isOwnJsonObject,
  parseOwnObject,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import type { MemberEdit } from '../../../platform/json/rewrite-members.ts';
import { findMember, scanMembers } from '../../../platform/json/scan-members.ts';
import { responseEdits } from '../from-upstream/response-edits.ts';
import type { ResponseIdentity } from './response-identity.ts';
import { fixUsage, usageObject } from '../usage.ts';

const DEPTH_MAX = 64;
const NONE: readonly MemberEdit[] = [];

/**
 * Returns an event after edits of the response in it, every other byte as it was; the same buffer
 * when there is nothing to edit. The response may repeat instructions and tools of a hundred
 * kilobytes.
 * @param event what the bytes parse to
 */
export function editResponse(
  data: Buffer,
  event: OwnJsonObject,
  edits: readonly MemberEdit[],
): Buffer {
  const { response } = event;
  if (edits.length === 0 || !isOwnJsonObject(response)) return data;
  const members = scanMembers(data, DEPTH_MAX);
  const member = members.tooDeep ? -1 : findMember(data, members, 'response');
  if (member === -1) {
    applyEdits(data, response, edits, true);
    return applyEdits(data, event, NONE, true);
  }
  const start = members.offsets[member * 4 + 2] ?? 0;
  const end = members.offsets[member * 4 + 3] ?? 0;
  const edited = applyEdits(data.subarray(start, end), response, edits, false);
  return Buffer.concat([data.subarray(0, start), edited, data.subarray(end)]);
}

/** The content of a response's terminal event. */
interface FinalState {
  readonly identity: ResponseIdentity;
  /** The upstream's report; null if there is none. */
  readonly reported: TokenCounts | null;
  /** The counts made here instead; null if there are none. */
  readonly counted: TokenCounts | null;
}

/** Returns the data of a terminal event as the client gets it. */
export function finalData(data: Buffer, { identity, reported, counted }: FinalState): Buffer {
  const event = parseOwnObject(data);
  const response = event?.['response'];
  if (event === undefined || !isOwnJsonObject(response)) return data;
  const edits: MemberEdit[] = responseEdits(response, identity.names(response));
  if (counted !== null) {
    edits.push({ name: 'usage', value: JSON.stringify(usageObject(counted)) });
  } else if (fixUsage(response, reported)) {
    edits.push({ name: 'usage', value: JSON.stringify(response['usage']) });
  }
  return editResponse(data, event, edits);
}
